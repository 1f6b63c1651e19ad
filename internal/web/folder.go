package web

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/atomicfile"
)

// marker is the file that makes a folder one of ours. It has a line for each
// file that was written there, so that these can be told from those of others.
const (
	marker     = ".git-plan-report"
	markerHead = "git plan report 1"
)

// folder is a folder of pages while it is written. Files go nowhere else,
// whatever links it holds.
type folder struct {
	dir  string
	root *os.Root
	// old are the files that were written before, now those of this time.
	old, now map[string]bool
	list     *os.File
}

// newFolder begins to write to a folder that was opened, which is new or one of
// ours. It is closed if it is neither.
func newFolder(dir string, root *os.Root) (*folder, error) {
	f := &folder{dir: dir, root: root, old: map[string]bool{}, now: map[string]bool{}}
	if err := f.begin(); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// begin reads what was written before, and notes that more is.
func (f *folder) begin() error {
	data, err := f.root.ReadFile(marker)
	switch {
	case isMissing(err):
		entries, err := fs.ReadDir(f.root.FS(), ".")
		if err != nil {
			return err
		}
		if len(entries) > 0 {
			return exists(f.dir, "holds "+entries[0].Name()+" and was not written by this command")
		}
	case err != nil:
		return err
	default:
		head, rest, _ := strings.Cut(string(data), "\n")
		if head != markerHead {
			return exists(f.dir, "was written by another release of this command")
		}
		for name := range strings.Lines(rest) {
			if name = strings.TrimSuffix(name, "\n"); isOurs(name) {
				f.old[name] = true
			}
		}
	}
	f.list, err = f.root.OpenFile(marker, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err == nil && len(data) == 0 {
		_, err = f.list.WriteString(markerHead + "\n")
	}
	return err
}

// isOurs reports whether a name can be that of a page.
func isOurs(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && name != marker
}

// write writes a file, unless it is there as it should be. A file of somebody
// else is not written over.
func (f *folder) write(name string, data []byte) error {
	f.now[name] = true
	was, err := f.root.ReadFile(name)
	switch {
	case err == nil && !f.old[name]:
		return exists(f.dir, "holds "+name+", which was not written by this command")
	case err == nil && bytes.Equal(was, data):
		return nil
	case isMissing(err):
		if _, err := f.list.WriteString(name + "\n"); err != nil { // before the file: it is ours if this ends here
			return err
		}
		if err := f.root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	return f.root.WriteFile(name, data, 0o666)
}

// finish removes what is out of date, with the folders that it leaves empty,
// and notes what is there now.
func (f *folder) finish() (removed int, err error) {
	for name := range f.old {
		if f.now[name] {
			continue
		}
		if err := f.root.Remove(name); err != nil && !isMissing(err) {
			return removed, err
		}
		removed++
		for dir := path.Dir(name); dir != "." && f.root.Remove(dir) == nil; dir = path.Dir(dir) {
			continue // one that is not empty stays
		}
	}
	var names []string
	for name := range f.now {
		names = append(names, name)
	}
	slices.Sort(names)
	text := markerHead + "\n" + strings.Join(names, "\n") + "\n"
	return removed, atomicfile.Write(f.root, marker, marker+".new", text)
}

func (f *folder) close() {
	if f.list != nil {
		f.list.Close()
	}
	f.root.Close()
}
