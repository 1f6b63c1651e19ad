package gitstore

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// view is what the object directories held when they were last listed. It does
// not change.
type view struct {
	dirs     []string
	multi    []*multiPack
	packs    []*pack          // that no multi-pack-index covers
	all      map[string]*pack // by path
	promisor bool             // a remote has promised objects that are not here
}

// multiPack is a multi-pack-index and its packs.
type multiPack struct {
	path  string
	stamp fs.FileInfo // of the file that index was read from
	index *multiIndex
	packs []*pack // as index.packs
}

// sources gives the ways to find an object, the likely ones first.
func (v *view) sources(db *objectDB) iter.Seq[func(query) (object, error)] {
	return func(yield func(func(query) (object, error)) bool) {
		last := db.last.Load()
		if last != nil && !yield(func(q query) (object, error) { return db.inPack(last, q) }) {
			return
		}
		for _, dir := range v.dirs {
			if !yield(func(q query) (object, error) { return db.inLoose(dir, q) }) {
				return
			}
		}
		for _, m := range v.multi {
			if !yield(func(q query) (object, error) { return db.inMulti(m, q) }) {
				return
			}
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
	return maps.EqualFunc(v.all, other.all, func(*pack, *pack) bool { return true })
}

// rescan lists the object directories again and lets go of what went away.
func (db *objectDB) rescan() (*view, error) {
	db.scanning.Lock()
	defer db.scanning.Unlock()
	old := db.view.Load()
	v, err := db.scan(old)
	if err != nil {
		return nil, err
	}
	for path := range old.all {
		if v.all[path] == nil {
			db.files.drop(path + ".idx")
			db.files.drop(path + ".pack")
		}
	}
	db.view.Store(v)
	return v, nil
}

// scan lists the object directories. What old knows already is kept.
func (db *objectDB) scan(old *view) (*view, error) {
	dirs, err := alternates(db.dir)
	if err != nil {
		return nil, err
	}
	v := &view{dirs: dirs, all: map[string]*pack{}}
	for _, dir := range dirs {
		v.addPacks(db, filepath.Join(dir, "pack"), old)
	}
	return v, nil
}

// addPacks lists one folder of packs. A folder that cannot be listed has none:
// what is missed then, git is asked for.
func (v *view) addPacks(db *objectDB, dir string, old *view) {
	entries, _ := os.ReadDir(dir)
	covered := map[string]bool{}
	for _, e := range entries {
		if e.Name() == "multi-pack-index" {
			covered = v.addMulti(db, dir, old)
		}
		v.promisor = v.promisor || strings.HasSuffix(e.Name(), ".promisor")
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok && !covered[name] {
			v.packs = append(v.packs, v.pack(filepath.Join(dir, name), old))
		}
	}
}

// addMulti adds a multi-pack-index and gives the names of the packs it covers.
// Where it cannot be used the packs' own indexes serve.
func (v *view) addMulti(db *objectDB, dir string, old *view) map[string]bool {
	m := &multiPack{path: filepath.Join(dir, "multi-pack-index")}
	var err error
	if m.stamp, err = os.Stat(m.path); err != nil {
		return nil
	}
	if m.index = old.multiIndex(m); m.index == nil {
		db.files.drop(m.path)
		file, err := db.files.open(m.path)
		if err != nil {
			return nil
		}
		defer db.files.release(file)
		if m.index, err = readMultiIndex(file, file.size); err != nil {
			return nil
		}
	}
	covered := map[string]bool{}
	for _, name := range m.index.packs {
		covered[name] = true
		m.packs = append(m.packs, v.pack(filepath.Join(dir, name), old))
	}
	v.multi = append(v.multi, m)
	return covered
}

// multiIndex gives what was read of a multi-pack-index if it is still the same.
func (v *view) multiIndex(m *multiPack) *multiIndex {
	if v == nil {
		return nil
	}
	for _, was := range v.multi {
		if was.path == m.path && os.SameFile(was.stamp, m.stamp) &&
			was.stamp.Size() == m.stamp.Size() && was.stamp.ModTime().Equal(m.stamp.ModTime()) {
			return was.index
		}
	}
	return nil
}

// pack gives the pack at a path, the one that is known if it is.
func (v *view) pack(path string, old *view) *pack {
	p := v.all[path]
	if p == nil && old != nil {
		p = old.all[path]
	}
	if p == nil {
		p = &pack{path: path}
	}
	v.all[path] = p
	return p
}
