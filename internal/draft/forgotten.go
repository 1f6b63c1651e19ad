package draft

import (
	"io/fs"
	"path/filepath"
	"slices"
)

// Forgotten gives the folders that hold a plan in the folder of drafts and are
// no draft's: what the worktree remembers was lost, or never written.
func (d *Drafts) Forgotten() ([]string, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(d.folders.withPlan(), func(dir string) bool {
		return slices.ContainsFunc(s.Drafts, func(t Draft) bool { return t.Dir == dir })
	}), nil
}

// withPlan gives the folders in the folder of drafts that hold a plan.
func (f folders) withPlan() (dirs []string) {
	root, err := f.enter(f.root, false)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, _ := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if info, err := root.Lstat(filepath.Join(e.Name(), "plan.md")); err == nil && info.Mode().IsRegular() {
			dirs = append(dirs, filepath.Join(f.root, e.Name()))
		}
	}
	return dirs
}
