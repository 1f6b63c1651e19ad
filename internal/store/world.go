package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// World is what rules look up outside of the plans. The zero value knows nothing.
type World struct {
	// Exists looks a path of the project up.
	Exists func(path string) validate.Existence
	// Names tells whether a commit of the code names a task, as "plan/task".
	Names func(commit, task string) validate.Existence
	// Commits finds, for tasks as "plan/task", commits of the code that show them.
	Commits func(ctx context.Context, tasks []string) (map[string]plan.Evidence, error)
}

// World gives the project as rules look at it: in the commit that rev names, else
// in the working tree, else, in a bare repository, in the commit HEAD names. Where
// there is nothing to look in, no path is known: what is checked out there may be
// plans.
func (p Project) World(ctx context.Context, rev string) (World, error) {
	w := p.blind(ctx)
	var err error
	w.Exists, err = p.paths(ctx, rev)
	return w, err
}

// blind is a world in which no path is known, but commits are.
func (p Project) blind(ctx context.Context) World {
	return World{Exists: func(string) validate.Existence { return validate.Unknown }, Names: p.Names(ctx), Commits: p.show}
}

// paths gives the look-up of paths in the project.
func (p Project) paths(ctx context.Context, rev string) (func(string) validate.Existence, error) {
	unknown := func(string) validate.Existence { return validate.Unknown }
	if rev == "" {
		if inStore, err := p.InStore(ctx); err != nil || inStore {
			return unknown, err
		}
		if p.repo.WorkTree != "" {
			return workTree(p.repo.WorkTree), nil
		}
	}
	commit, err := p.repo.Store.Resolve(ctx, cmp.Or(rev, "HEAD"))
	if err != nil {
		if rev == "" {
			return unknown, nil
		}
		return nil, err
	}
	return func(file string) validate.Existence {
		file = filepath.ToSlash(filepath.Clean(file))
		if file == "." { // the root folder
			return validate.Yes
		}
		_, ok, err := p.repo.Store.Lookup(ctx, commit, file)
		return existence(ok, err)
	}, nil
}

// InStore reports whether what is checked out, or what HEAD names in a bare
// repository, is plans, so that the project cannot be looked up there: a branch
// of plans, or a commit of one.
func (p Project) InStore(ctx context.Context) (bool, error) {
	branch, err := p.repo.HeadBranch(ctx)
	if err != nil || branch != "" {
		return branch != "" && p.repo.Governs(branch), err
	}
	head, err := p.repo.Store.Resolve(ctx, "HEAD")
	if err != nil {
		return false, nil // whatever is wrong there is not about plans
	}
	_, ok, err := p.repo.Store.Lookup(ctx, head, GatesFile)
	return ok, err
}

func existence(ok bool, err error) validate.Existence {
	switch {
	case err != nil:
		return validate.Unknown
	case ok:
		return validate.Yes
	}
	return validate.No
}

// workTree looks below dir and never outside of it, links included.
func workTree(dir string) func(string) validate.Existence {
	return func(p string) validate.Existence {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return validate.Unknown
		}
		defer root.Close()
		_, err = root.Lstat(filepath.FromSlash(p))
		if err == nil {
			return validate.Yes
		}
		// A file in the place of a folder is as absent as no folder.
		if errors.Is(err, fs.ErrNotExist) || isNotFolder(err) {
			return validate.No
		}
		return validate.Unknown
	}
}
