package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/git-plan/git-plan/internal/atomicfile"
	"github.com/git-plan/git-plan/plan"
)

// write brings a folder from one set of files, as it was read a moment
// ago, to another. A file is touched only if it must change, its line ends
// included, and only while it still holds what was read: somebody may be
// writing in the folder, and what they wrote stays. It gives the files that
// should have changed and were left for that reason. Other files stay, and folders that end up empty go.
func (f folders) write(dir string, from, to map[string][]byte) (left []string, err error) {
	root, err := f.enter(dir, true)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, name := range union(from, to) {
		before, after := look(from, name), look(to, name)
		now, raw := on(root, name)
		switch {
		case now == after && raw == after.text:
			continue
		case now != before:
			if before != after {
				left = append(left, name)
			}
			continue
		}
		if err := replace(root, name, after); err != nil {
			return left, writeError(path.Join(dir, name), err)
		}
	}
	return left, nil
}

// fillNew makes a folder with files in it, all of them or none: they are written
// elsewhere first.
func (f folders) fillNew(dir string, files map[string][]byte) error {
	if isDir(dir) && len(files) == 0 {
		return nil
	}
	temp := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".tmp"+strconv.Itoa(os.Getpid()))
	defer os.RemoveAll(temp)
	root, err := f.enter(temp, true)
	if err != nil {
		return err
	}
	root.Close()
	if _, err := f.write(temp, nil, files); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !os.IsNotExist(err) {
		return writeError(dir, err)
	}
	return writeError(dir, os.Rename(temp, dir))
}

// on gives a file of the folder as it is now: in the form it would be stored,
// and raw.
func on(root *os.Root, name string) (stored content, raw string) {
	data, err := root.ReadFile(name)
	if err != nil {
		return content{}, ""
	}
	return content{string(plan.Normalize(data)), true}, string(data)
}

// WriteFile gives a file of a folder that was opened another text and leaves its
// mode: a reader sees the old text or the new.
func WriteFile(root *os.Root, name, text string) error {
	return atomicfile.Write(root, name, name+".tmp"+strconv.Itoa(os.Getpid()), text)
}

// replace sets or removes one file; a reader sees the old state or the new.
func replace(root *os.Root, name string, to content) error {
	if !to.there {
		return remove(root, name)
	}
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	return WriteFile(root, name, to.text)
}

func dropFile(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// remove deletes a file and the folders that are empty without it.
func remove(root *os.Root, name string) error {
	if err := dropFile(root, name); err != nil {
		return err
	}
	for up := path.Dir(name); up != "."; up = path.Dir(up) {
		if root.Remove(up) != nil {
			break // not empty
		}
	}
	return nil
}

// UnwritableError is returned when a folder of drafts cannot be written.
type UnwritableError struct {
	// Path is what could not be written.
	Path string
	// Err is the cause.
	Err error
}

// Error names the path, the cause and the folder that is to be writable.
func (e *UnwritableError) Error() string {
	return fmt.Sprintf("cannot write %s: %v; reading goes on as it is: allow writing to %s and what is in it, or run this where it may be written",
		e.Path, e.Err, filepath.Dir(e.Path))
}

// Unwrap gives the cause.
func (e *UnwritableError) Unwrap() error { return e.Err }

// writeError tells a folder of drafts that may not be written from other failures.
func writeError(path string, err error) error {
	if mayNotWrite(err) {
		return &UnwritableError{Path: path, Err: err}
	}
	return err
}

func mayNotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

func names(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
