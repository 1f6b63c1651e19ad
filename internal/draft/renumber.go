package draft

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// Renumber gives task files of a folder other numbers, and with them the folders
// of their children with all that is in there. It writes over nothing: where a
// name is taken by something that is no task of the plan, it is a
// *[store.ExistsError] and nothing was renamed.
func Renumber(dir string, shifts []plan.Shift) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	leaving := map[string]bool{}
	for _, s := range shifts {
		leaving[s.From()], leaving[stem(s.From())] = true, true
	}
	for _, s := range shifts {
		for _, name := range []string{s.To(), stem(s.To())} {
			if !leaving[name] && isThere(root, name) {
				return &store.ExistsError{Message: filepath.Join(dir, name) + " is in the way of a task's new number: rename it or move it out of the plan"}
			}
		}
	}
	for _, s := range shifts {
		if err := shift(root, s.From(), s.To()); err != nil {
			return writeError(path.Join(dir, s.From()), err)
		}
	}
	return nil
}

// stem is the folder that a task's children are in.
func stem(file string) string { return strings.TrimSuffix(file, ".md") }

func isThere(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// shift renames a task's file and its folder, or neither.
func shift(root *os.Root, from, to string) error {
	if err := root.Rename(from, to); err != nil {
		return err
	}
	if !isThere(root, stem(from)) {
		return nil
	}
	err := root.Rename(stem(from), stem(to))
	if err != nil {
		err = errors.Join(err, root.Rename(to, from))
	}
	return err
}
