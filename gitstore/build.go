package gitstore

import (
	"context"
	"slices"
	"strings"
)

// folder is a tree under change. Sub-trees are read only when a change enters
// them; all other entries stay as they are.
type folder struct {
	entries []Entry
	index   map[string]int     // first position of each name
	open    map[string]*folder // sub-trees a change has entered
	dirty   bool
}

// builder applies changes to trees.
type builder struct {
	ctx   context.Context
	store *Store
	out   *packWriter
	fresh map[string][]Entry // trees made here, which git may not have yet
}

// tree applies files to the tree called base and returns the new tree's name.
func (b *builder) tree(base string, files []FileChange) (string, error) {
	root, err := b.load(base)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if err := checkChange(b.store.repo, f); err != nil {
			return "", err
		}
		if err := b.apply(root, strings.Split(f.Path, "/"), f); err != nil {
			return "", err
		}
	}
	return b.write(root)
}

// load reads a tree to change it.
func (b *builder) load(name string) (*folder, error) {
	entries, known := b.fresh[name]
	if !known {
		var err error
		if entries, err = b.store.tree(b.ctx, name); err != nil {
			return nil, err
		}
	}
	return newFolder(slices.Clone(entries)), nil
}

// newFolder makes a folder of entries that it owns.
func newFolder(entries []Entry) *folder {
	f := &folder{entries: entries, index: make(map[string]int, len(entries)), open: map[string]*folder{}}
	for i := len(entries) - 1; i >= 0; i-- { // backwards: the first of equal names counts
		f.index[entries[i].Name] = i
	}
	return f
}

// apply makes one change at parts below f.
func (b *builder) apply(f *folder, parts []string, c FileChange) error {
	if len(parts) > 1 {
		sub, err := b.enter(f, parts[0], c)
		if err != nil || sub == nil {
			return err
		}
		f.dirty = true
		return b.apply(sub, parts[1:], c)
	}
	if c.Delete {
		f.remove(parts[0])
		return nil
	}
	entry := Entry{Name: parts[0], Mode: c.mode(), Object: c.Object}
	if i, there := f.index[entry.Name]; there && f.entries[i].IsFolder() != entry.IsFolder() && !b.vanished(f, entry.Name) {
		return &ChangeError{c.Path, "a file and a folder cannot have one name; delete the other first"}
	}
	if c.Object == "" {
		entry.Object = b.out.add("blob", c.Data)
	}
	f.put(entry)
	return nil
}

// enter opens the sub-folder called name, making it unless the change deletes;
// then a folder that is not there is nil.
func (b *builder) enter(f *folder, name string, c FileChange) (*folder, error) {
	if sub := f.open[name]; sub != nil {
		return sub, nil
	}
	i, there := f.index[name]
	switch {
	case !there && c.Delete:
		return nil, nil
	case !there:
		sub := newFolder(nil)
		f.put(Entry{Name: name, Mode: ModeFolder})
		f.open[name] = sub
		return sub, nil
	case !f.entries[i].IsFolder() && c.Delete:
		return nil, nil
	case !f.entries[i].IsFolder():
		return nil, &ChangeError{c.Path, "'" + name + "' in it is a file"}
	}
	sub, err := b.load(f.entries[i].Object)
	if err == nil {
		f.open[name] = sub
	}
	return sub, err
}

// vanished reports whether everything below an opened sub-folder was deleted.
func (b *builder) vanished(f *folder, name string) bool {
	sub := f.open[name]
	if sub == nil {
		return false
	}
	for below, i := range sub.index {
		if !sub.entries[i].IsFolder() || !b.vanished(sub, below) {
			return false
		}
	}
	return true
}

// put sets an entry.
func (f *folder) put(e Entry) {
	f.dirty = true
	delete(f.open, e.Name)
	if i, there := f.index[e.Name]; there {
		f.entries[i] = e
		return
	}
	f.index[e.Name] = len(f.entries)
	f.entries = append(f.entries, e)
}

// remove takes an entry out. Its place stays, without an object, so that no
// other entry has to move.
func (f *folder) remove(name string) {
	i, there := f.index[name]
	if !there {
		return
	}
	f.dirty = true
	f.entries[i].Object = ""
	delete(f.index, name)
	delete(f.open, name)
}

// write writes the changed folders below f, then f. A folder in which nothing
// is left vanishes from the one above; only the root may be empty.
func (b *builder) write(f *folder) (string, error) {
	for below, sub := range f.open {
		if !sub.dirty {
			continue
		}
		name, err := b.write(sub)
		if err != nil {
			return "", err
		}
		if len(b.fresh[name]) == 0 {
			f.remove(below)
			continue
		}
		f.entries[f.index[below]].Object = name
	}
	entries := slices.DeleteFunc(f.entries, func(e Entry) bool { return e.Object == "" })
	if !slices.IsSortedFunc(entries, compareEntries) {
		slices.SortStableFunc(entries, compareEntries)
	}
	data, err := encodeTree(entries)
	if err != nil {
		return "", err
	}
	name := b.out.add("tree", data)
	b.fresh[name] = entries
	return name, nil
}

// mode gives the mode of the entry a change makes.
func (c FileChange) mode() uint32 {
	if c.Mode == 0 {
		return ModeFile
	}
	return c.Mode
}

// checkChange refuses what would make a tree that git, or a file system, would
// stumble over.
func checkChange(r *Repo, c FileChange) error {
	for part := range strings.SplitSeq(c.Path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") || strings.Contains(part, "\x00") {
			if c.Delete && part != "" { // what is there may always go
				continue
			}
			return &ChangeError{c.Path, "it is no path of a file"}
		}
	}
	switch {
	case c.Delete:
	case c.Object != "" && !r.isName(c.Object):
		return &ChangeError{c.Path, "'" + c.Object + "' is no object name"}
	case c.mode() == ModeFolder && c.Object == "":
		return &ChangeError{c.Path, "a folder is grafted by the name of its tree"}
	case c.mode() != ModeFile && c.mode() != ModeExecutable && c.mode() != ModeSymlink && c.mode() != ModeFolder:
		return &ChangeError{c.Path, "its mode is none of file, executable, link and folder"}
	}
	return nil
}
