package gitstore

import (
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxChain bounds the deltas one object is made of; git's own bound is 4095.
	maxChain = 4096
	// maxWork bounds the bytes made on the way to one object out of deltas. Git
	// is asked for what takes more.
	maxWork = 256 << 20
)

// packReader makes one object out of a pack.
type packReader struct {
	db   *objectDB
	pack *pack
	file io.ReaderAt
	end  int64 // of the entries
	in   *inflater
	at   int64 // where the source stands, if it is at an entry's content
	work int64 // bytes that may still be made
}

// readPacked reads the object at an offset of a pack.
func (db *objectDB) readPacked(p *pack, offset int64, q query) (object, error) {
	file, err := p.open(&db.files)
	if err != nil {
		return object{}, err
	}
	defer db.files.release(file)
	in := db.inflater()
	defer db.inflaters.Put(in)
	r := &packReader{db: db, pack: p, file: file, end: file.size - int64(hashSize), in: in, work: maxWork}
	return r.read(offset, q)
}

// read reads the object at an offset: first the deltas down to a whole object,
// none of them decompressed, then, if it is what q wants, the content upwards.
func (r *packReader) read(offset int64, q query) (object, error) {
	c, err := r.descend(offset)
	if err != nil {
		return object{}, err
	}
	size, err := r.size(c)
	if err == nil {
		err = q.admits(c.bottom.kind, size)
	}
	if err != nil {
		return object{}, err
	}
	return r.build(c)
}

// chain is what an object is made of.
type chain struct {
	deltas []entry // the last one made first
	bottom entry   // of a whole object
	known  object  // the content of bottom, if it was in the cache
	cached bool
	places []place // of deltas, and of bottom unless it was in the cache
}

// descend follows deltas to their bottom.
func (r *packReader) descend(offset int64) (c chain, err error) {
	for {
		at := place{pack: r.pack, offset: offset}
		if c.known, c.cached = r.db.cache.get(at); c.cached {
			c.bottom = entry{kind: c.known.kind, size: int64(len(c.known.data))}
			return c, nil
		}
		c.places = append(c.places, at)
		e, err := r.entry(offset)
		if err != nil {
			return c, err
		}
		if !e.kind.IsDelta() {
			c.bottom = e
			return c, nil
		}
		if c.deltas = append(c.deltas, e); len(c.deltas) > maxChain {
			return c, damaged("its chain of deltas does not end")
		}
		if offset, err = r.baseOf(e); err != nil {
			return c, err
		}
	}
}

// entry reads the beginning of an entry and leaves the source at its content.
func (r *packReader) entry(offset int64) (entry, error) {
	if offset < packHeaderSize || offset >= r.end {
		return entry{}, damaged("it is said to be beyond the end of its pack")
	}
	r.seek(offset)
	head, err := r.in.source.Peek(int(min(entryHeader, r.end-offset)))
	if err != nil && err != io.EOF {
		return entry{}, damaged("%v", err)
	}
	e, err := parseEntry(head, offset)
	if err == nil {
		_, err = r.in.source.Discard(int(e.at - offset))
		r.at = e.at
	}
	return e, err
}

// begin begins to decompress at an offset.
func (r *packReader) begin(offset int64) error {
	if r.at != offset {
		r.seek(offset)
	}
	r.at = 0
	return r.in.begin()
}

// seek lets the source go on at an offset.
func (r *packReader) seek(offset int64) {
	r.in.source.Reset(io.NewSectionReader(r.file, offset, r.end-offset))
}

// baseOf gives where the base of a delta begins. A pack has the bases of its
// deltas in itself.
func (r *packReader) baseOf(e entry) (int64, error) {
	if e.kind == plumbing.OFSDeltaObject {
		return e.base, nil
	}
	offset, ok, err := r.pack.offset(&r.db.files, e.baseName)
	if err == nil && !ok {
		err = damaged("its pack does not have the base %s of a delta", e.baseName)
	}
	return offset, err
}

// size gives the size of the object that a chain makes.
func (r *packReader) size(c chain) (int64, error) {
	if len(c.deltas) == 0 {
		return c.bottom.size, nil
	}
	first := c.deltas[0]
	if err := r.begin(first.at); err != nil {
		return 0, err
	}
	head, err := r.in.prefix(min(first.size, deltaHeader))
	if err != nil {
		return 0, err
	}
	_, size, _, err := deltaSizes(head)
	return size, err
}

// build makes the object of a chain, from its bottom, and puts what it makes on
// the way into the cache.
func (r *packReader) build(c chain) (object, error) {
	o := c.known
	if !c.cached {
		data, err := r.content(c.bottom, len(c.deltas) > 0)
		if err != nil {
			return object{}, err
		}
		o = object{kind: c.bottom.kind, data: data}
		r.db.cache.put(c.places[len(c.deltas)], o)
	}
	for i := len(c.deltas) - 1; i >= 0; i-- {
		data, err := r.patch(o.data, c.deltas[i])
		if err != nil {
			return object{}, err
		}
		o = object{kind: c.bottom.kind, data: data}
		r.db.cache.put(c.places[i], o)
	}
	return o, nil
}

// content decompresses the content of an entry.
// That of an object counts as work only if the object is a part of another.
func (r *packReader) content(e entry, part bool) ([]byte, error) {
	if part {
		if err := r.spend(e.size); err != nil {
			return nil, err
		}
	}
	if err := r.begin(e.at); err != nil {
		return nil, err
	}
	return r.in.content(e.size, nil)
}

// patch applies the delta that an entry holds.
func (r *packReader) patch(base []byte, e entry) ([]byte, error) {
	delta, err := r.content(e, true)
	if err != nil {
		return nil, err
	}
	_, size, _, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if err := r.spend(size); err != nil {
		return nil, err
	}
	return applyDelta(base, delta)
}

// spend counts bytes that are made on the way to an object.
func (r *packReader) spend(size int64) error {
	if r.work -= size; r.work < 0 {
		return damaged("it is made of too many bytes of deltas")
	}
	return nil
}
