package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// enter opens a thread's folder, or the folder of all, made where it is missing
// if make says so. Below the top of the working tree it follows no link:
// whoever can put one into the project could else have files read and written
// where it leads. A folder elsewhere is one that the user chose.
func (f folders) enter(dir string, make bool) (*os.Root, error) {
	rel, err := filepath.Rel(f.workTree, dir)
	if err != nil || !filepath.IsLocal(rel) {
		if make {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, writeError(dir, err)
			}
		}
		return os.OpenRoot(dir)
	}
	at := f.workTree
	root, err := os.OpenRoot(at)
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		if err != nil {
			return nil, err
		}
		at = filepath.Join(at, name)
		var next *os.Root
		next, err = step(root, name, &LinkError{at, dir != f.root}, make)
		root.Close()
		root = next
	}
	return root, err
}

// LinkError is returned where a symbolic link stands in the place of a folder of
// drafts, or of one above it.
type LinkError struct {
	// Path is the link.
	Path string
	// Thread says that a thread's folder is reached by it, which keeps its place
	// whatever plan.draftDir says now.
	Thread bool
}

func (e *LinkError) Error() string {
	hint := "remove it, or let plan.draftDir name another folder"
	if e.Thread {
		hint = "remove it to begin anew, or put the drafts that it leads to in its place"
	}
	return fmt.Sprintf("%s is a symbolic link, and no drafts are read or written behind it: %s", e.Path, hint)
}

// step opens a folder in another, which must not be a link when it is looked at
// and still be the same when it is open: linked is the error then.
func step(root *os.Root, name string, linked *LinkError, make bool) (*os.Root, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err := root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, writeError(linked.Path, err)
		}
		info, err = root.Lstat(name)
	}
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, linked
	}
	next, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) {
		next.Close()
		return nil, linked
	}
	return next, nil
}

// Reach reports as an error that a thread's folder cannot be worked in because
// a link stands in its place. A folder that is not there is none.
func (d *Drafts) Reach(dir string) error {
	root, err := d.folders.enter(dir, false)
	if err == nil {
		return root.Close()
	}
	var linked *LinkError
	if errors.As(err, &linked) {
		return linked
	}
	return nil
}
