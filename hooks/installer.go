package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/paths"
)

// ErrNoWorkTree says that hooks were asked for from inside the git directory of
// a repository that has a working tree: a relative core.hooksPath means a
// folder of the working tree, which is not known there.
var ErrNoWorkTree = errors.New("this needs a working tree, and there is none here: run it in one, not in the git directory")

// Installer puts the hooks into one repository, takes them out and tests them.
// It reads the configuration once; make a new one for each run.
type Installer struct {
	repo    *gitstore.Repo
	config  *gitstore.Config
	program string

	git     git.Git // where git runs hooks
	version git.Version
	// dir is where git looks for hooks, own where it would without
	// core.hooksPath.
	dir, own string
	// manager is the program that has the hooks here, if there is one.
	manager *manager
	guard   bool
}

// NewInstaller looks at a repository. program is the absolute path of git-plan
// that hooks try first; it may be empty, and they find it on PATH then.
func NewInstaller(ctx context.Context, repo *gitstore.Repo, program string) (*Installer, error) {
	if !repo.Bare && repo.WorkTree == "" {
		return nil, ErrNoWorkTree
	}
	config, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	guard, err := config.Bool("plan.guardRef", false)
	if err != nil {
		return nil, err
	}
	in := &Installer{repo: repo, config: config, program: program, git: gitAtTop(repo), own: filepath.Join(repo.CommonDir, "hooks"), guard: guard}
	if in.version, err = in.git.Version(ctx); err != nil {
		return nil, err
	}
	if in.dir, err = in.askFolder(ctx); err != nil {
		return nil, fmt.Errorf("ask git for its folder of hooks: %w", err)
	}
	in.manager = in.findManager()
	return in, nil
}

// gitAtTop runs git where git runs hooks: at the top of the working tree, or in
// a bare repository's folder. Variables that name places are made absolute.
func gitAtTop(repo *gitstore.Repo) git.Git {
	top := repo.WorkTree
	if repo.Bare {
		top = repo.GitDir
	}
	g := repo.Git.In(top)
	for name, value := range map[string]string{"GIT_DIR": repo.GitDir, "GIT_WORK_TREE": repo.WorkTree, "GIT_COMMON_DIR": repo.CommonDir} {
		if old, _ := g.LookupEnv(name); old != "" {
			g = g.WithEnv(name + "=" + value)
		}
	}
	return g
}

// askFolder asks git where it looks for hooks. An empty core.hooksPath, at which
// rev-parse gives up, sends it to the root.
func (in *Installer) askFolder(ctx context.Context) (string, error) {
	if path, set := in.config.Get("core.hooksPath"); set && path == "" {
		return string(filepath.Separator), nil
	}
	dir, err := in.git.ReadLine(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	return filepath.Clean(dir), err
}

// readsConfig reports whether this git runs hooks that its configuration names.
func (in *Installer) readsConfig() bool { return in.version.AtLeast(2, 54) }

// wants reports whether a hook belongs into a repository of this kind.
func (in *Installer) wants(event Event) bool {
	switch event {
	case ReferenceTransaction:
		return in.guard
	case PreReceive:
		return in.repo.Bare
	}
	return !in.repo.Bare
}

// shim is what stands for an event here.
func (in *Installer) shim(event Event) shim {
	return shim{event: event, program: in.program, server: in.repo.Bare || event == PreReceive}
}

// file is where git looks for an event's hook.
func (in *Installer) file(event Event) string { return filepath.Join(in.dir, string(event)) }

// configFile is the repository's own configuration, shared by its worktrees.
func (in *Installer) configFile() string { return filepath.Join(in.repo.CommonDir, "config") }

// isOutside reports whether the folder of hooks belongs to more than this
// repository, as one that the user's own core.hooksPath names.
func (in *Installer) isOutside() bool {
	return !in.isInside(in.dir)
}

// isInside reports whether a folder lies below one of the repository's.
func (in *Installer) isInside(dir string) bool {
	tops := []string{in.repo.CommonDir, in.repo.GitDir, in.repo.WorkTree}
	if filepath.Base(in.repo.CommonDir) == ".git" {
		tops = append(tops, filepath.Dir(in.repo.CommonDir))
	}
	return slices.ContainsFunc(tops, func(top string) bool { return top != "" && isBelow(dir, top) })
}

// isInGitDir reports whether the folder of hooks is no part of a working tree.
func (in *Installer) isInGitDir() bool {
	return isBelow(in.dir, in.repo.CommonDir) || isBelow(in.dir, in.repo.GitDir)
}

// isBelow reports whether a path leads below a folder, links followed.
func isBelow(path, folder string) bool {
	path, folder = paths.Real(path), paths.Real(folder)
	return path != folder && paths.IsIn(folder, path)
}
