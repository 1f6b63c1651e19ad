package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/paths"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// Files and folders that a user names are opened here. A path elsewhere is the
// user's own choice. One within the project may be a link that came with the
// project, and such a link leads no further than the project.

// projectFiles opens them. Without a repository, all paths are the user's.
type projectFiles struct {
	top     string // of the working tree, or empty
	noModes bool   // the file system keeps no executable bit
}

// placeInProject gives a path relative to the top of the working tree, where it
// names a place below that.
func (p *projectFiles) placeInProject(full string) (rel string, ok bool) {
	if p.top == "" {
		return "", false
	}
	place := full
	// A shell may name the project, or a folder in it, by a link elsewhere.
	for up := full; !paths.IsIn(p.top, full) && up != filepath.Dir(up); up = filepath.Dir(up) {
		if real, err := filepath.EvalSymlinks(up); err == nil && paths.IsIn(p.top, real) {
			place = real + strings.TrimPrefix(full, up)
		}
	}
	rel, err := filepath.Rel(p.top, place)
	return rel, err == nil && filepath.IsLocal(rel)
}

// inProject opens a place in the project from its top, which it cannot leave. It
// reports whether the path names such a place.
func (p *projectFiles) inProject(full string, do func(top *os.Root, name string) error) (bool, error) {
	rel, ok := p.placeInProject(full)
	if !ok {
		return false, nil
	}
	top, err := os.OpenRoot(p.top)
	if err != nil {
		return true, err
	}
	defer top.Close()
	if err = do(top, rel); err == nil {
		return true, nil
	}
	_, inside := top.Stat(rel)
	if _, anywhere := os.Stat(full); inside != nil && !os.IsNotExist(inside) && (anywhere == nil || os.IsNotExist(anywhere)) {
		err = &store.UnsupportedError{Message: fmt.Sprintf("%s leads out of the project through a link: name the place it leads to", full)}
	}
	return true, err
}

// openFile opens a file to read.
func (p *projectFiles) openFile(full string) (*os.File, error) {
	return openIn(p, full, (*os.Root).Open, os.Open)
}

// openFolder opens a folder.
func (p *projectFiles) openFolder(full string) (*os.Root, error) {
	return openIn(p, full, (*os.Root).OpenRoot, os.OpenRoot)
}

// openIn opens a place from the top of the project, and any other as it is.
func openIn[T any](p *projectFiles, full string, inside func(*os.Root, string) (T, error), anywhere func(string) (T, error)) (opened T, err error) {
	ours, err := p.inProject(full, func(top *os.Root, name string) (err error) {
		opened, err = inside(top, name)
		return err
	})
	if !ours {
		return anywhere(full)
	}
	return opened, err
}

// makeFolder makes a folder where there is none, and opens it.
func (p *projectFiles) makeFolder(full string) (*os.Root, error) {
	ours, err := p.inProject(full, func(top *os.Root, name string) error {
		if info, err := top.Stat(name); err == nil && info.IsDir() {
			return nil
		}
		return top.MkdirAll(name, 0o777)
	})
	if !ours {
		err = os.MkdirAll(full, 0o777)
	}
	if err != nil {
		return nil, inTheWay(full, true, err)
	}
	return p.openFolder(full)
}

// inTheWay names what keeps a file or a folder from being written, if the user has
// to choose another place.
func inTheWay(full string, folder bool, err error) error {
	for dir := full; ; dir = filepath.Dir(dir) {
		info, statErr := os.Stat(dir)
		switch {
		case statErr != nil && dir != filepath.Dir(dir):
			continue
		case statErr == nil && !info.IsDir() && dir != full:
			return &store.UnsupportedError{Message: fmt.Sprintf("%s is a file, and no folder for %s: name another place", dir, filepath.Base(full))}
		case statErr == nil && !info.IsDir() && folder:
			return &store.UnsupportedError{Message: fmt.Sprintf("%s is a file, and a folder is to be written: name another place", full)}
		case statErr == nil && info.IsDir() && dir != filepath.Dir(full) && errors.Is(err, fs.ErrNotExist):
			return &store.NotFoundError{What: "folder", Name: filepath.Dir(full), Hint: "make it first, or name another place"}
		}
		return err
	}
}

// writeFile writes a file.
func (p *projectFiles) writeFile(full string, data []byte) error {
	ours, err := p.inProject(full, func(top *os.Root, name string) error { return top.WriteFile(name, data, 0o666) })
	if !ours {
		err = os.WriteFile(full, data, 0o666)
	}
	if err != nil {
		return inTheWay(full, false, err)
	}
	return nil
}

// readPlanFiles reads a folder as a plan's files.
func (p *projectFiles) readPlanFiles(full string) ([]plan.File, error) {
	folder, err := p.openFolder(full)
	return draft.ReadRoot(folder, err, !p.noModes)
}
