package objectdb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

const (
	packHeaderSize = 12 // "PACK", a version, a count
	hashSize       = len(plumbing.Hash{})
	// maxSize bounds the sizes that headers may tell, so that sums of them stay
	// within 64 bits.
	maxSize = 1 << 60
	// maxChain bounds the deltas one object is made of; git's own bound is 4095.
	maxChain = 4096
	// maxWork bounds the bytes made on the way to one object out of deltas. Git
	// is asked for what takes more.
	maxWork = 256 << 20
)

// pack is a pack and its index. It is safe for concurrent use.
type pack struct {
	path  string // without .pack or .idx
	data  packFile
	index packFile
	// names counts the objects whose names are at most as high as each first byte.
	names func() (*fanout, error)
}

func newPack(path string) *pack {
	p := &pack{path: path}
	p.names = sync.OnceValues(func() (*fanout, error) {
		file, err := p.index.open(path + ".idx")
		if err != nil {
			return nil, err
		}
		return readFanout(file)
	})
	return p
}

func (p *pack) close() {
	p.data.close()
	p.index.close()
}

// packFile is a file of a pack, opened when it is first needed, and open from then
// on.
type packFile struct {
	once sync.Once
	file *os.File
	size int64
	err  error
}

// open opens the file. One that is gone has been packed anew.
func (f *packFile) open(path string) (*os.File, error) {
	f.once.Do(func() {
		if f.file, f.err = os.Open(path); f.err != nil {
			return
		}
		var info fs.FileInfo
		if info, f.err = f.file.Stat(); f.err == nil {
			f.size = info.Size()
		}
	})
	if errors.Is(f.err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if f.err != nil {
		return nil, damaged("%v", f.err)
	}
	return f.file, nil
}

// close closes the file, for good.
func (f *packFile) close() {
	f.once.Do(func() { f.err = fs.ErrNotExist })
	if f.file != nil {
		_ = f.file.Close()
	}
}

// read reads an object of the pack. Its content is a copy, as the cache keeps its
// own.
func (p *pack) read(db *DB, q query) (object, error) {
	offset, err := p.offset(q.name)
	if err != nil {
		return object{}, err
	}
	file, err := p.data.open(p.path + ".pack")
	if err != nil {
		return object{}, err
	}
	scanner := db.scanners.Get().(*packfile.Scanner)
	defer db.scanners.Put(scanner)
	end := p.data.size - int64(hashSize)
	scanner.Reset(io.NewSectionReader(file, 0, end))
	r := &packReader{cache: &db.cache, pack: p, scanner: scanner, end: end, work: maxWork}
	o, err := r.read(offset, q, 0)
	if len(o.data) <= cacheEntry {
		o.data = bytes.Clone(o.data)
	}
	return o, err
}

// offset gives where an object begins in the pack, by its index.
func (p *pack) offset(name plumbing.Hash) (int64, error) {
	names, err := p.names()
	if err != nil {
		return 0, err
	}
	return names.offset(p.index.file, name)
}

// packReader makes one object out of a pack.
type packReader struct {
	cache   *objectCache
	pack    *pack
	scanner *packfile.Scanner
	end     int64 // of the entries
	work    int64 // bytes that may still be made
}

// read reads the object at an offset, if it is what q wants. Of a delta it reads
// the base first, which is so many deltas away from the object that was asked for.
func (r *packReader) read(offset int64, q query, depth int) (object, error) {
	at := place{r.pack, offset}
	if o, ok := r.cache.get(at); ok {
		return o, q.admits(o.kind, int64(len(o.data)))
	}
	if offset < packHeaderSize || offset >= r.end {
		return object{}, damaged("it is said to be beyond the end of its pack")
	}
	e, err := r.scanner.SeekObjectHeader(offset)
	if err != nil || !e.Type.Valid() || e.Length < 0 || e.Length > maxSize {
		return object{}, damaged("an entry of the pack cannot be read: %v", err)
	}
	o := object{kind: e.Type}
	if e.Type.IsDelta() {
		o, err = r.patch(e, q, depth)
	} else if err = q.admits(e.Type, e.Length); err == nil {
		o.data, err = r.content(e.Length, depth > 0)
	}
	if err != nil {
		return object{}, err
	}
	r.cache.put(at, o)
	return o, nil
}

// patch makes an object of a delta, whose header was read last.
func (r *packReader) patch(e *packfile.ObjectHeader, q query, depth int) (o object, err error) {
	if depth == maxChain {
		return o, damaged("its chain of deltas does not end")
	}
	delta, err := r.content(e.Length, true)
	if err != nil {
		return o, err
	}
	_, n := binary.Uvarint(delta) // the size of the base
	size, m := binary.Uvarint(delta[max(0, n):])
	if n <= 0 || m <= 0 || size > maxSize {
		return o, damaged("a delta has no size")
	}
	if err := q.admits(q.kind, int64(size)); err != nil {
		return o, err
	}
	if err := r.spend(int64(size)); err != nil {
		return o, err
	}
	at := e.OffsetReference
	if e.Type == plumbing.REFDeltaObject { // a pack has the bases of its deltas in itself
		if at, err = r.pack.offset(e.Reference); err == ErrNotFound {
			err = damaged("its pack does not have the base %s of a delta", e.Reference)
		}
		if err != nil {
			return o, err
		}
	}
	base, err := r.read(at, query{kind: q.kind}, depth+1)
	if err != nil {
		return o, err
	}
	if o.data, err = packfile.PatchDelta(base.data, delta); err != nil {
		return o, damaged("a delta does not fit its base: %v", err)
	}
	o.kind = base.kind
	return o, nil
}

// content gives the content after the header that was read last. That of an object
// counts as work only if the object is a part of another.
func (r *packReader) content(size int64, part bool) ([]byte, error) {
	if part {
		if err := r.spend(size); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.Grow(int(min(size, firstGrant)))
	if n, _, err := r.scanner.NextObject(&b); err != nil || n != size {
		return nil, damaged("it ends after %d of %d bytes: %v", n, size, err)
	}
	return b.Bytes(), nil
}

// spend counts bytes that are made on the way to an object.
func (r *packReader) spend(size int64) error {
	if r.work -= size; r.work < 0 {
		return damaged("it is made of too many bytes of deltas")
	}
	return nil
}

const (
	fanoutSize = 4 * 256
	packNames  = 8 + fanoutSize // where the names of an .idx file begin
	// searchBlock is how many names are read at once at the end of a search.
	searchBlock = 64
)

// fanout tells for each first byte how many names of an .idx file of version 2
// have it or a lower one. The names follow it, then a checksum of each object, the
// offset of each in 32 bits, and those offsets that take 64.
type fanout [256]uint32

// readFanout reads the beginning of an .idx file.
func readFanout(r io.ReaderAt) (*fanout, error) {
	head := make([]byte, packNames)
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	if string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return nil, damaged("the index of a pack has a version other than 2")
	}
	f := &fanout{}
	for i := range f {
		f[i] = binary.BigEndian.Uint32(head[8+4*i:])
	}
	return f, nil
}

// offset gives where the pack has an object, from the rest of the .idx file.
func (f *fanout) offset(r io.ReaderAt, name plumbing.Hash) (int64, error) {
	position, err := f.find(r, name)
	if err != nil {
		return 0, err
	}
	count := int64(f[255])
	offsets := packNames + count*int64(hashSize+4)
	var short [4]byte
	if err := readAt(r, short[:], offsets+4*position); err != nil {
		return 0, err
	}
	offset := binary.BigEndian.Uint32(short[:])
	const far = 1 << 31
	if offset&far == 0 {
		return int64(offset), nil
	}
	var long [8]byte
	err = readAt(r, long[:], offsets+4*count+8*int64(offset&^far))
	return int64(binary.BigEndian.Uint64(long[:])), err
}

// find gives the position of a name, reading only those it compares with.
func (f *fanout) find(r io.ReaderAt, name plumbing.Hash) (position int64, err error) {
	lo, hi := int64(0), int64(f[name[0]])
	if name[0] > 0 {
		lo = int64(f[name[0]-1])
	}
	block := make([]byte, max(0, min(hi-lo, searchBlock))*int64(hashSize))
	for hi-lo > searchBlock {
		mid := lo + (hi-lo)/2
		if err := readAt(r, block[:hashSize], packNames+mid*int64(hashSize)); err != nil {
			return 0, err
		}
		if bytes.Compare(name[:], block[:hashSize]) < 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	block = block[:max(0, hi-lo)*int64(hashSize)]
	if err := readAt(r, block, packNames+lo*int64(hashSize)); err != nil {
		return 0, err
	}
	for ; len(block) > 0; block, lo = block[hashSize:], lo+1 {
		if bytes.Equal(block[:hashSize], name[:]) {
			return lo, nil
		}
	}
	return 0, ErrNotFound
}

// readAt fills data from an offset.
func readAt(r io.ReaderAt, data []byte, at int64) error {
	if n, err := r.ReadAt(data, at); n < len(data) {
		return damaged("a file of packs ends early: %v", err)
	}
	return nil
}
