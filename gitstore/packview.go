package gitstore

import (
	"iter"
	"maps"
	"path/filepath"
	"strings"
)

// view is what the object directory held when it was last listed. It does not
// change.
type view struct {
	packs    map[string]*pack // by path
	promisor bool             // a remote has promised objects that are not here
}

// sources gives the ways to find an object, the likely ones first.
func (v *view) sources(db *objectDB) iter.Seq[func(query) (object, error)] {
	return func(yield func(func(query) (object, error)) bool) {
		last := db.last.Load()
		if last != nil && !yield(func(q query) (object, error) { return db.inPack(last, q) }) {
			return
		}
		if !yield(db.inLoose) {
			return
		}
		for _, p := range v.packs {
			if p != last && !yield(func(q query) (object, error) { return db.inPack(p, q) }) {
				return
			}
		}
	}
}

// hasPacksOf reports whether another view has the same packs.
func (v *view) hasPacksOf(other *view) bool {
	return maps.EqualFunc(v.packs, other.packs, func(*pack, *pack) bool { return true })
}

// rescan lists the packs again and lets go of what went away.
func (db *objectDB) rescan() *view {
	db.scanning.Lock()
	defer db.scanning.Unlock()
	old := db.view.Load()
	v := db.scan(old)
	for path := range old.packs {
		if v.packs[path] == nil {
			db.files.drop(path + ".idx")
			db.files.drop(path + ".pack")
		}
	}
	db.view.Store(v)
	return v
}

// scan lists the packs. What old knows already is kept. A folder that cannot be
// listed has none: what is missed then, git is asked for. A multi-pack-index is not
// needed, as each pack has an index of its own beside it.
func (db *objectDB) scan(old *view) *view {
	v := &view{packs: map[string]*pack{}}
	dir := filepath.Join(db.dir, "pack")
	names, _ := readNames(dir)
	for _, file := range names {
		v.promisor = v.promisor || strings.HasSuffix(file, ".promisor")
		name, ok := strings.CutSuffix(file, ".idx")
		if !ok {
			continue
		}
		path := filepath.Join(dir, name)
		if old != nil {
			v.packs[path] = old.packs[path]
		}
		if v.packs[path] == nil {
			v.packs[path] = &pack{path: path}
		}
	}
	return v
}
