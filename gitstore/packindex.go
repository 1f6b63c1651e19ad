package gitstore

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	hashSize   = len(plumbing.Hash{})
	fanoutSize = 4 * 256
	// searchBlock is how many names are read at once at the end of a search.
	searchBlock = 64
)

// fanout tells for each first byte how many names have it or a lower one.
type fanout [256]uint32

// readFanout reads a fanout that begins at an offset.
func readFanout(r io.ReaderAt, at int64) (*fanout, error) {
	data := make([]byte, fanoutSize)
	if err := readAt(r, data, at); err != nil {
		return nil, err
	}
	f := &fanout{}
	for i := range f {
		f[i] = binary.BigEndian.Uint32(data[4*i:])
		if i > 0 && f[i] < f[i-1] {
			return nil, damaged("the index of a pack is out of order")
		}
	}
	return f, nil
}

// count gives the number of all names.
func (f *fanout) count() int64 { return int64(f[255]) }

// find gives the position of a name among the sorted names that begin at an
// offset, reading only those it compares with.
func (f *fanout) find(r io.ReaderAt, at int64, name plumbing.Hash) (position int64, ok bool, err error) {
	lo, hi := int64(0), int64(f[name[0]])
	if name[0] > 0 {
		lo = int64(f[name[0]-1])
	}
	if lo == hi {
		return 0, false, nil
	}
	block := make([]byte, min(hi-lo, searchBlock)*int64(hashSize))
	for hi-lo > searchBlock {
		mid := lo + (hi-lo)/2
		if err := readAt(r, block[:hashSize], at+mid*int64(hashSize)); err != nil {
			return 0, false, err
		}
		switch c := bytes.Compare(name[:], block[:hashSize]); {
		case c == 0:
			return mid, true, nil
		case c < 0:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	block = block[:(hi-lo)*int64(hashSize)]
	if err := readAt(r, block, at+lo*int64(hashSize)); err != nil {
		return 0, false, err
	}
	for ; len(block) > 0; block, lo = block[hashSize:], lo+1 {
		if bytes.Equal(block[:hashSize], name[:]) {
			return lo, true, nil
		}
	}
	return 0, false, nil
}

// readAt fills data from an offset.
func readAt(r io.ReaderAt, data []byte, at int64) error {
	if n, err := r.ReadAt(data, at); n < len(data) {
		return damaged("a file of packs ends early: %v", err)
	}
	return nil
}

const (
	packNames = 8 + fanoutSize // where the names of an .idx file begin
	// packRow is what an .idx file has for each object: name, checksum, offset.
	packRow = int64(hashSize + 4 + 4)
	// packIndexEnd is the length of its two checksums.
	packIndexEnd = int64(2 * hashSize)
)

// packIndex is what is kept of an .idx file of version 2. Its tables stay where
// they are.
type packIndex struct {
	*fanout
	large int64 // offsets of 64 bits
}

// readPackIndex reads the beginning of an .idx file and holds its size against
// what that tells.
func readPackIndex(r io.ReaderAt, size int64) (*packIndex, error) {
	var head [8]byte
	if err := readAt(r, head[:], 0); err != nil {
		return nil, err
	}
	if string(head[:]) != "\xfftOc\x00\x00\x00\x02" {
		return nil, damaged("the index of a pack has a version other than 2")
	}
	f, err := readFanout(r, int64(len(head)))
	if err != nil {
		return nil, err
	}
	rest := size - packNames - f.count()*packRow - packIndexEnd
	if rest < 0 || rest%8 != 0 || rest/8 > f.count() {
		return nil, damaged("the index of a pack has the wrong size for its %d objects", f.count())
	}
	return &packIndex{f, rest / 8}, nil
}

// offset gives where an object begins in the pack.
func (x *packIndex) offset(r io.ReaderAt, name plumbing.Hash) (offset int64, ok bool, err error) {
	position, ok, err := x.find(r, packNames, name)
	if !ok || err != nil {
		return 0, false, err
	}
	offsets := packNames + x.count()*(packRow-4)
	var short [4]byte
	if err := readAt(r, short[:], offsets+4*position); err != nil {
		return 0, false, err
	}
	offset, err = longOffset(r, binary.BigEndian.Uint32(short[:]), offsets+4*x.count(), x.large)
	return offset, err == nil, err
}

// longOffset gives the offset that a table of 32 bits tells, which may be a
// place in a table of 64 bits that begins at an offset and has so many rows.
func longOffset(r io.ReaderAt, short uint32, at, rows int64) (int64, error) {
	if short&(1<<31) == 0 {
		return int64(short), nil
	}
	row := int64(short &^ (1 << 31))
	if row >= rows {
		return 0, damaged("the index of a pack tells an offset that it does not have")
	}
	var long [8]byte
	if err := readAt(r, long[:], at+8*row); err != nil {
		return 0, err
	}
	offset := binary.BigEndian.Uint64(long[:])
	if offset > math.MaxInt64 {
		return 0, damaged("the index of a pack tells an impossible offset")
	}
	return int64(offset), nil
}
