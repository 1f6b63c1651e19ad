package draft

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Forgotten gives the folders that hold a plan in the folder of drafts and are
// no draft's: what the worktree remembers was lost, or never written.
func (d *Drafts) Forgotten() ([]string, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, name := range d.inRoot() {
		dir := filepath.Join(d.root, name)
		if slices.ContainsFunc(s.Drafts, func(t Draft) bool { return t.Dir == dir }) {
			continue
		}
		root, err := d.enter(dir, false)
		if err != nil {
			continue
		}
		if info, err := root.Lstat("plan.md"); err == nil && info.Mode().IsRegular() {
			dirs = append(dirs, dir)
		}
		root.Close()
	}
	return dirs, nil
}

// inRoot names the folders in the folder of drafts.
func (d *Drafts) inRoot() []string {
	root, err := d.enter(d.root, false)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, _ := fs.ReadDir(root.FS(), ".")
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// isTemporary reports whether a file is one that a process was writing, which its
// number follows.
func isTemporary(name string) bool {
	of, digits, ok := strings.Cut(name, ".md.tmp")
	id, err := strconv.Atoi(digits)
	return ok && of != "" && err == nil && id > 0 && strconv.Itoa(id) == digits
}
