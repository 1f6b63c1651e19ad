package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/plan"
)

// sync gives the file of instructions as it has to be, or nil where it is so,
// or where it cannot be compared: then a warning says why. Without a working
// tree of the project there is no such file.
func (a *app) sync(ctx context.Context) (*loop.Sync, error) {
	name, set := a.repo.Config.Get("plan.instructionsFile")
	if !set {
		name = loop.DefaultInstructions
	}
	if name == "" || a.repo.WorkTree == "" {
		return nil, nil
	}
	if why := plan.CheckPath(filepath.ToSlash(name)); why != "" {
		a.warn("plan.instructionsFile names %q, which %s: name a file of the project, or set it to nothing", name, why)
		return nil, nil
	}
	have, err := readInside(a.repo.WorkTree, name, loop.MaxInstructions)
	var want string
	differs := false
	if err == nil {
		want, differs, err = loop.Instructions(have)
	}
	if err != nil {
		a.warn("%s cannot be compared with the instructions for agents: %v; mend it, or set plan.instructionsFile to another file or to nothing", name, err)
		return nil, nil
	}
	if !differs {
		return nil, nil
	}
	// Where the plans themselves are checked out there is no project.
	if inStore, err := a.repo.InStore(ctx); err != nil || inStore {
		return nil, err
	}
	return &loop.Sync{File: filepath.ToSlash(name), Content: want}, nil
}

// readInside reads a file below dir, at most a little more than limit bytes of
// it, and follows no link out of dir. A file that is not there is empty.
func readInside(dir, name string, limit int64) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := root.Lstat(filepath.FromSlash(name)); err == nil {
			return "", errors.New("it is a link to nothing")
		}
		return "", nil
	case err != nil:
		return "", plainly(err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("it is no regular file")
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", plainly(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	return string(data), err
}

// plainly gives the reason of an error about a path without the call.
func plainly(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
