package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
)

// wrongHash is what is wrong with content that does not belong to its name.
const wrongHash = "its content does not have that name"

// maxRescans bounds how often the packs are listed again for one object, while
// they change from one look to the next.
const maxRescans = 8

// objectDB reads the objects of a SHA-1 repository from its files, each by
// itself: what a repository costs does not grow with its size. It is safe for
// concurrent use.
type objectDB struct {
	dir       string // the object directory
	files     filePool
	cache     objectCache
	inflaters sync.Pool
	view      atomic.Pointer[view]
	scanning  sync.Mutex
	last      atomic.Pointer[pack] // the pack that had the last object
}

// query is an object to read.
type query struct {
	name plumbing.Hash
	kind plumbing.ObjectType // what it must be
	max  int64               // the most bytes it may have, if > 0
}

// admits refuses an object, by what its header tells, before it is read.
func (q query) admits(kind plumbing.ObjectType, size int64) error {
	if q.kind != plumbing.AnyObject && kind != q.kind {
		return damaged("it is a %s, not a %s", kind, q.kind)
	}
	if q.max > 0 && size > q.max {
		return &TooLargeError{q.name.String(), size, q.max}
	}
	return nil
}

// openObjectDB opens an object directory. It is an error if git should read
// there instead.
func openObjectDB(dir string) (*objectDB, error) {
	db := &objectDB{dir: dir}
	db.inflaters.New = func() any { return newInflater() }
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no object directory", dir)
	}
	v := db.scan(nil)
	if v.promisor {
		return nil, errors.New("it is a partial clone")
	}
	db.view.Store(v)
	return db, nil
}

// inflater gives an inflater to be put back.
func (db *objectDB) inflater() *inflater { return db.inflaters.Get().(*inflater) }

// close lets go of files and memory. The database may be used again.
func (db *objectDB) close() error {
	db.files.close()
	db.cache.clear()
	return nil
}

// read gives an object with content the caller may keep. It is errNoObject if
// there is none, a *[TooLargeError], or a *damageError.
func (db *objectDB) read(q query) (object, error) {
	was := db.view.Load()
	o, err := db.find(was, q)
	var large *TooLargeError
	for range maxRescans {
		if err == nil || errors.As(err, &large) {
			break
		}
		v := db.rescan() // git may have packed again meanwhile
		if o, err = db.find(v, q); v.hasPacksOf(was) {
			break
		}
		was = v
	}
	if err == nil && len(o.data) <= cacheEntry {
		o.data = bytes.Clone(o.data) // the cache keeps its own
	}
	return o, err
}

// find looks for an object wherever one may be, and goes on where it is
// damaged: there may be another copy.
func (db *objectDB) find(v *view, q query) (object, error) {
	failed := errNoObject
	for source := range v.sources(db) {
		o, err := source(q)
		var large *TooLargeError
		if err == nil || errors.As(err, &large) {
			return o, err
		}
		if err != errNoObject && failed == errNoObject {
			failed = err
		}
	}
	return object{}, failed
}

// inLoose looks for an object in a file of its own.
func (db *objectDB) inLoose(q query) (object, error) {
	at := place{name: q.name}
	if o, ok := db.cache.get(at); ok {
		return o, q.admits(o.kind, int64(len(o.data)))
	}
	o, err := db.readLoose(db.dir, q)
	if err != nil {
		return o, err
	}
	return db.verify(at, o, q)
}

// inPack looks for an object in one pack by its own index.
func (db *objectDB) inPack(p *pack, q query) (object, error) {
	offset, ok, err := p.offset(&db.files, q.name)
	if err != nil {
		return object{}, err
	}
	if !ok {
		return object{}, errNoObject
	}
	o, err := db.at(p, offset, q)
	if err == nil {
		db.last.Store(p)
	}
	return o, err
}

// at reads the object that an index says is at an offset.
func (db *objectDB) at(p *pack, offset int64, q query) (object, error) {
	o, err := db.readPacked(p, offset, q)
	if err != nil {
		return o, err
	}
	return db.verify(place{pack: p, offset: offset}, o, q)
}

// verify compares content with the name, once while it is in the cache.
func (db *objectDB) verify(at place, o object, q query) (object, error) {
	if o.name == q.name {
		return o, nil
	}
	if plumbing.ComputeHash(o.kind, o.data) != q.name {
		return object{}, damaged(wrongHash)
	}
	o.name = q.name
	db.cache.put(at, o)
	return o, nil
}
