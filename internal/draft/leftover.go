package draft

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
)

// Leftovers gives the temporary files older than an hour in the folders of drafts,
// which a process that was killed while it wrote left there. The folders of drafts
// that are not remembered are looked into, too.
func (d *Drafts) Leftovers() []gitstore.Leftover {
	var found []gitstore.Leftover
	for _, dir := range d.folders() {
		found = append(found, d.leftoversIn(dir)...)
	}
	return found
}

// folders gives those of all drafts, and what else is in the folder of drafts.
func (d *Drafts) folders() []string {
	var dirs []string
	if s, err := d.State(); err == nil {
		for _, t := range s.Drafts {
			dirs = append(dirs, t.Dir)
		}
	}
	for _, name := range d.inRoot() {
		if dir := filepath.Join(d.root, name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
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

func (d *Drafts) leftoversIn(dir string) []gitstore.Leftover {
	root, err := d.enter(dir, false)
	if err != nil {
		return nil
	}
	defer root.Close()
	var found []gitstore.Leftover
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if seen++; seen > maxEntries {
			return fs.SkipAll
		}
		if err != nil || !e.Type().IsRegular() {
			return nil // whatever it is, it is none of these
		}
		maker := maker(e.Name())
		info, err := e.Info()
		if maker == 0 || err != nil {
			return nil
		}
		if l, old := gitstore.LeftBehind(filepath.Join(dir, filepath.FromSlash(name)), info, maker, func() error { return d.drop(dir, name, info) }); old {
			found = append(found, l)
		}
		return nil
	})
	return found
}

// maker gives the process that wrote a temporary file, which its name tells, or
// 0 for any other file.
func maker(name string) int {
	of, digits, ok := strings.Cut(name, ".md.tmp")
	id, err := strconv.Atoi(digits)
	if !ok || of == "" || err != nil || id < 1 || strconv.Itoa(id) != digits {
		return 0
	}
	return id
}

// drop removes a file of a draft's folder that is still the one that was
// looked at.
func (d *Drafts) drop(dir, name string, info fs.FileInfo) error {
	root, err := d.enter(dir, false)
	if err != nil {
		return err
	}
	defer root.Close()
	now, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if !os.SameFile(now, info) || !now.ModTime().Equal(info.ModTime()) {
		return fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", filepath.Join(dir, filepath.FromSlash(name)))
	}
	return writeError(filepath.Join(dir, filepath.FromSlash(name)), root.Remove(name))
}

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
