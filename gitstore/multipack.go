package gitstore

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	multiHeader = 12
	multiChunk  = 12      // a row of the table of chunks
	maxNames    = 4 << 20 // bytes of pack names
)

// multiIndex is what is kept of a multi-pack-index of version 1. Its tables
// stay where they are.
type multiIndex struct {
	*fanout
	packs   []string // names without an extension
	names   int64    // where the objects' names begin
	offsets int64    // where pairs of pack and offset begin
	long    int64    // where offsets of 64 bits begin
	rows    int64    // how many of them there are
}

// chunk is a part of a multi-pack-index.
type chunk struct{ at, size int64 }

// readMultiIndex reads the beginning of a multi-pack-index. One that builds on
// others, or has another version, is an error.
func readMultiIndex(r io.ReaderAt, size int64) (*multiIndex, error) {
	var head [multiHeader]byte
	if err := readAt(r, head[:], 0); err != nil {
		return nil, err
	}
	// Version 1, names of version 1, some chunks, nothing below.
	if string(head[:6]) != "MIDX\x01\x01" || head[7] != 0 {
		return nil, damaged("the multi-pack-index has another version")
	}
	chunks, err := readChunks(r, int(head[6]), size)
	if err != nil {
		return nil, err
	}
	m := &multiIndex{
		names: chunks["OIDL"].at, offsets: chunks["OOFF"].at,
		long: chunks["LOFF"].at, rows: chunks["LOFF"].size / 8,
	}
	if chunks["OIDF"].size != fanoutSize {
		return nil, damaged("the multi-pack-index has no fanout")
	}
	if m.fanout, err = readFanout(r, chunks["OIDF"].at); err != nil {
		return nil, err
	}
	if chunks["OIDL"].size != m.count()*int64(hashSize) || chunks["OOFF"].size != m.count()*8 {
		return nil, damaged("the multi-pack-index has the wrong size for its %d objects", m.count())
	}
	m.packs, err = readPackNames(r, chunks["PNAM"], binary.BigEndian.Uint32(head[8:]))
	return m, err
}

// readChunks reads the table that tells where each chunk begins. The next one,
// or a last row without a name, tells where it ends.
func readChunks(r io.ReaderAt, count int, size int64) (map[string]chunk, error) {
	table := make([]byte, (count+1)*multiChunk)
	if err := readAt(r, table, multiHeader); err != nil {
		return nil, err
	}
	chunks := map[string]chunk{}
	least := uint64(multiHeader + len(table))
	for i := range count {
		row := table[i*multiChunk:]
		from, to := binary.BigEndian.Uint64(row[4:]), binary.BigEndian.Uint64(row[multiChunk+4:])
		if from < least || to < from || to > uint64(size) {
			return nil, damaged("the multi-pack-index has chunks beyond its end")
		}
		chunks[string(row[:4])] = chunk{int64(from), int64(to - from)}
	}
	return chunks, nil
}

// readPackNames reads names that end in NUL each, of files beside the index.
func readPackNames(r io.ReaderAt, at chunk, count uint32) ([]string, error) {
	if at.size > maxNames {
		return nil, damaged("the multi-pack-index names too many packs")
	}
	data := make([]byte, at.size)
	if err := readAt(r, data, at.at); err != nil {
		return nil, err
	}
	var names []string
	for range count {
		name, rest, ok := bytes.Cut(data, []byte{0})
		base, known := strings.CutSuffix(string(name), ".idx")
		if !known {
			base, known = strings.CutSuffix(string(name), ".pack")
		}
		if !ok || !known || strings.ContainsAny(base, `/\:`) {
			return nil, damaged("the multi-pack-index has a bad name of a pack: %q", name)
		}
		names, data = append(names, base), rest
	}
	return names, nil
}

// offset gives the pack, by its place in packs, that has an object, and where
// the object begins there.
func (m *multiIndex) offset(r io.ReaderAt, name plumbing.Hash) (pack int, offset int64, ok bool, err error) {
	position, ok, err := m.find(r, m.names, name)
	if !ok || err != nil {
		return 0, 0, false, err
	}
	var pair [8]byte
	if err := readAt(r, pair[:], m.offsets+8*position); err != nil {
		return 0, 0, false, err
	}
	pack = int(binary.BigEndian.Uint32(pair[:4]))
	if pack < 0 || pack >= len(m.packs) {
		return 0, 0, false, damaged("the multi-pack-index tells a pack that it does not name")
	}
	offset = int64(binary.BigEndian.Uint32(pair[4:]))
	if m.rows > 0 { // else all 32 bits are the offset
		offset, err = longOffset(r, uint32(offset), m.long, m.rows)
	}
	return pack, offset, err == nil, err
}
