package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/plan"
)

// instructions gives the file of instructions if it is out of date. A file that
// cannot be compared is a warning.
func (c *statusCommand) instructions(ctx context.Context) (*loop.Sync, error) {
	name, set := c.repo.Config.Get("plan.instructionsFile")
	if !set {
		name = loop.DefaultInstructions
	}
	if name == "" || c.repo.WorkTree == "" {
		return nil, nil
	}
	if why := plan.CheckPath(filepath.ToSlash(name)); why != "" {
		c.warn("plan.instructionsFile names %q, which %s: name a file of the project, or set it to nothing", name, why)
		return nil, nil
	}
	have, err := c.projectText(name, loop.MaxInstructions)
	var want string
	differs := false
	if err == nil {
		want, differs, err = loop.Instructions(have)
	}
	if err != nil {
		c.warn("%s cannot be compared with the instructions for agents: %v; mend it, or set plan.instructionsFile to another file or to nothing", name, err)
		return nil, nil
	}
	if !differs {
		return nil, nil
	}
	// Where the plans themselves are checked out there is no project.
	if inStore, err := c.repo.InStore(ctx); err != nil || inStore {
		return nil, err
	}
	return &loop.Sync{File: filepath.ToSlash(name), Content: want}, nil
}

// projectText reads a text file of the project, empty where it is not there.
func (c *statusCommand) projectText(name string, limit int64) (string, error) {
	root, err := os.OpenRoot(c.repo.WorkTree)
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, _, err := setup.ReadText(root, filepath.FromSlash(name), limit)
	return text, err
}
