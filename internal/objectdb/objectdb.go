// Package objectdb reads the objects of a repository from git's files, each by itself, and
// writes packs. go-git decodes them; where an object lies is found here, as go-git reads
// the whole index of a pack for that.
package objectdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// ErrNotFound says that an object is not where it was looked for.
var ErrNotFound = errors.New("the object is not there")

// damageError says that what is stored cannot be read as an object.
type damageError struct{ detail string }

// Error says what is wrong.
func (e *damageError) Error() string { return e.detail }

// damaged makes a *damageError.
func damaged(format string, args ...any) error {
	return &damageError{fmt.Sprintf(format, args...)}
}

// firstGrant is the memory given for content on the word of a header alone.
// More comes only as content does.
const firstGrant = 1 << 20

// TooLargeError says that an object is larger than the caller wanted to read.
type TooLargeError struct {
	// Name is the object's name.
	Name string
	// Size is the object's size and Max the bound, in bytes.
	Size, Max int64
}

// Error gives both sizes.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("object %s has %d bytes, more than the %d allowed", e.Name, e.Size, e.Max)
}

// wrongHash is what is wrong with content that does not belong to its name.
const wrongHash = "its content does not have that name"

// object is a type and content, which nobody may change.
type object struct {
	kind plumbing.ObjectType
	data []byte
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

// source is where objects may be: a pack, or the folders of loose ones. Its error
// is ErrNotFound where it does not have the object, a *[TooLargeError], or a
// *damageError.
type source interface {
	read(db *DB, q query) (object, error)
}

// DB reads the objects of a SHA-1 repository from its files, each by
// itself: what a repository costs does not grow with its size. It is safe for
// concurrent use.
type DB struct {
	dir      string // the object directory
	cache    objectCache
	scanners sync.Pool

	mu      sync.Mutex
	sources []source // the one that had the last object in front; it does not change
}

// Open opens an object directory. It is an error if git should read there instead.
func Open(dir string) (*DB, error) {
	db := &DB{dir: dir}
	db.scanners.New = func() any { return packfile.NewScanner(bytes.NewReader(nil)) }
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no object directory", dir)
	}
	if promisor := db.scan(); promisor {
		return nil, errors.New("it is a partial clone")
	}
	return db, nil
}

// scan lists the packs, and reports whether a remote has promised objects that
// are not here. Packs that went away are closed. A folder that cannot be listed
// has none: what is missed then, git is asked for. A multi-pack-index is not
// needed, as each pack has an index of its own beside it.
func (db *DB) scan() (promisor bool) {
	dir := filepath.Join(db.dir, "pack")
	entries, _ := os.ReadDir(dir)
	db.mu.Lock()
	defer db.mu.Unlock()
	old := map[string]*pack{}
	for _, s := range db.sources {
		if p, ok := s.(*pack); ok {
			old[p.path] = p
		}
	}
	sources := []source{looseObjects{}}
	for _, e := range entries {
		file := e.Name()
		promisor = promisor || strings.HasSuffix(file, ".promisor")
		name, ok := strings.CutSuffix(file, ".idx")
		if !ok {
			continue
		}
		path := filepath.Join(dir, name)
		p := old[path]
		if delete(old, path); p == nil {
			p = newPack(path)
		}
		sources = append(sources, p)
	}
	for _, p := range old {
		p.close()
	}
	db.sources = sources
	return promisor
}

// Close lets go of files and memory. The database may be used again.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, s := range db.sources {
		if p, ok := s.(*pack); ok {
			p.close()
		}
	}
	db.sources = nil
	db.cache.clear()
	return nil
}

// Forget lets go of objects that are kept in memory.
func (db *DB) Forget() { db.cache.clear() }

// Read gives the content of an object of a kind, which the caller may keep. It is
// [ErrNotFound] where the object is not there, and a *[TooLargeError] for more than max
// bytes, if max > 0; any other error tells of damage. What is not found is looked for
// again, as git may have packed meanwhile.
func (db *DB) Read(name plumbing.Hash, kind plumbing.ObjectType, max int64) ([]byte, error) {
	return db.read(query{name, kind, max})
}

func (db *DB) read(q query) ([]byte, error) {
	data, err := db.find(q)
	var large *TooLargeError
	if err == nil || errors.As(err, &large) {
		return data, err
	}
	db.scan()
	return db.find(q)
}

// find looks for an object wherever one may be, and goes on where it is
// damaged: there may be another copy.
func (db *DB) find(q query) ([]byte, error) {
	db.mu.Lock()
	sources := db.sources
	db.mu.Unlock()
	failed := ErrNotFound
	for i, s := range sources {
		o, err := s.read(db, q)
		if err == nil && plumbing.ComputeHash(o.kind, o.data) != q.name {
			err = damaged(wrongHash)
		}
		var large *TooLargeError
		switch {
		case err == nil:
			if i > 0 {
				db.prefer(s)
			}
			return o.data, nil
		case errors.As(err, &large):
			return nil, err
		case failed == ErrNotFound:
			failed = err
		}
	}
	return nil, failed
}

// prefer lets the next search begin with a source.
func (db *DB) prefer(s source) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if i := slices.Index(db.sources, s); i > 0 {
		db.sources = slices.Concat([]source{s}, db.sources[:i], db.sources[i+1:])
	}
}

// looseObjects are those that lie in a file each.
type looseObjects struct{}

func (looseObjects) read(db *DB, q query) (object, error) {
	name := q.name.String()
	file, err := os.Open(filepath.Join(db.dir, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return object{}, ErrNotFound
	}
	if err != nil {
		return object{}, damaged("%v", err)
	}
	defer func() { _ = file.Close() }()
	return readLoose(file, q)
}

// readLoose reads the file of a loose object.
func readLoose(file io.Reader, q query) (object, error) {
	r, err := objfile.NewReader(file)
	if err != nil {
		return object{}, damaged("it cannot be decompressed: %v", err)
	}
	defer func() { _ = r.Close() }()
	kind, size, err := r.Header()
	if err != nil || size < 0 {
		return object{}, damaged("it has no header: %v", err)
	}
	if err := q.admits(kind, size); err != nil {
		return object{}, err
	}
	var b bytes.Buffer
	b.Grow(int(min(size, firstGrant)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, min(size, maxSize)+1))
	if err != nil || n != size {
		return object{}, damaged("it has %d bytes of %d: %v", n, size, err)
	}
	return object{kind, b.Bytes()}, nil
}

// cacheBytes bounds the content that a cache keeps, cacheEntry that of one object.
const (
	cacheBytes = 64 << 20
	cacheEntry = 8 << 20
)

// place is where an object begins in a pack.
type place struct {
	pack   *pack
	offset int64
}

// objectCache keeps objects of packs: others may be made of them. When it is full
// all are forgotten. It is safe for concurrent use; the zero value is ready.
type objectCache struct {
	mu    sync.Mutex
	bytes int
	items map[place]object
}

// get gives what was put at a place.
func (c *objectCache) get(at place) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.items[at]
	return o, ok
}

// put keeps an object, unless it is a large one.
func (c *objectCache) put(at place, o object) {
	if len(o.data) > cacheEntry {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	const overhead = 200 // of an object, roughly
	if c.bytes += len(o.data) + overhead; c.bytes > cacheBytes || c.items == nil {
		c.items, c.bytes = map[place]object{}, len(o.data)+overhead
	}
	c.items[at] = o
}

// clear forgets everything.
func (c *objectCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items, c.bytes = nil, 0
}
