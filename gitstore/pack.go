package gitstore

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	packHeaderSize = 12 // "PACK", a version, a count
	// entryHeader bounds what stands before an entry's compressed content.
	entryHeader = 32
)

// pack is a pack and its index. It is safe for concurrent use.
type pack struct {
	path string // without .pack or .idx

	mu    sync.Mutex
	index *packIndex // nil before it is needed
	known bool       // the pack's header has been read
}

// openIndex gives the open .idx file, which the caller releases, and what is
// known of it.
func (p *pack) openIndex(files *filePool) (*pooledFile, *packIndex, error) {
	file, err := openPart(files, p.path+".idx")
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.index == nil {
		if p.index, err = readPackIndex(file, file.size); err != nil {
			files.release(file)
			return nil, nil, err
		}
	}
	return file, p.index, nil
}

// offset gives where an object begins in the pack.
func (p *pack) offset(files *filePool, name plumbing.Hash) (offset int64, ok bool, err error) {
	file, index, err := p.openIndex(files)
	if err != nil {
		return 0, false, err
	}
	defer files.release(file)
	return index.offset(file, name)
}

// open gives the open .pack file, which the caller releases.
func (p *pack) open(files *filePool) (*pooledFile, error) {
	file, err := openPart(files, p.path+".pack")
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known {
		return file, nil
	}
	var head [packHeaderSize]byte
	if err = readAt(file, head[:], 0); err == nil {
		if version := string(head[:8]); version != "PACK\x00\x00\x00\x02" && version != "PACK\x00\x00\x00\x03" {
			err = damaged("the pack has a version other than 2 and 3")
		}
	}
	if err != nil {
		files.release(file)
		return nil, err
	}
	p.known = true
	return file, nil
}

// openPart opens a file of a pack. One that is gone has been packed anew.
func openPart(files *filePool, path string) (*pooledFile, error) {
	file, err := files.open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoObject
	}
	if err != nil {
		return nil, damaged("%v", err)
	}
	return file, nil
}

// entry is what stands before an object's content in a pack.
type entry struct {
	kind     plumbing.ObjectType
	size     int64         // of the content, decompressed
	at       int64         // where the content begins
	base     int64         // of an offset delta
	baseName plumbing.Hash // of a reference delta
}

// parseEntry reads the beginning of the entry at an offset.
func parseEntry(head []byte, offset int64) (e entry, err error) {
	n := 0
	next := func() (b byte) {
		if n < len(head) {
			b = head[n]
		} else {
			err = damaged("the pack ends within an entry")
		}
		n++
		return b
	}
	b := next()
	e.kind, e.size = plumbing.ObjectType(b>>4&7), int64(b&0x0f)
	for shift := 4; b&0x80 != 0 && err == nil; shift += 7 {
		if shift > 53 {
			return e, damaged("an entry of the pack has an impossible size")
		}
		b = next()
		e.size |= int64(b&0x7f) << shift
	}
	switch e.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case plumbing.OFSDeltaObject:
		e.base = offset - backwards(next)
		if err == nil && (e.base < packHeaderSize || e.base >= offset) {
			return e, damaged("a delta has its base outside of the pack")
		}
	case plumbing.REFDeltaObject:
		for i := range e.baseName {
			e.baseName[i] = next()
		}
	default:
		return e, damaged("an entry of the pack has the unknown type %d", e.kind)
	}
	e.at = offset + int64(n)
	return e, err
}

// backwards reads how far before its delta a base begins.
func backwards(next func() byte) int64 {
	b := next()
	back := int64(b & 0x7f)
	for b&0x80 != 0 && back < 1<<54 {
		b = next()
		back = (back+1)<<7 | int64(b&0x7f)
	}
	return back
}
