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
func (r *Repo) World(ctx context.Context, rev string) (World, error) {
	w := r.blind(ctx)
	var err error
	w.Exists, err = r.paths(ctx, rev)
	return w, err
}

// blind is a world in which no path is known, but commits are.
func (r *Repo) blind(ctx context.Context) World {
	return World{Exists: func(string) validate.Existence { return validate.Unknown }, Names: r.Names(ctx), Commits: code{r}.evidence}
}

// paths gives the look-up of paths in the project.
func (r *Repo) paths(ctx context.Context, rev string) (func(string) validate.Existence, error) {
	unknown := func(string) validate.Existence { return validate.Unknown }
	if rev == "" {
		if inStore, err := r.InStore(ctx); err != nil || inStore {
			return unknown, err
		}
		if r.WorkTree != "" {
			return workTree(r.WorkTree), nil
		}
	}
	commit, err := r.Store.Resolve(ctx, cmp.Or(rev, "HEAD"))
	if err != nil {
		if rev == "" {
			return unknown, nil
		}
		return nil, err
	}
	return func(p string) validate.Existence {
		p = filepath.ToSlash(filepath.Clean(p))
		if p == "." { // the root folder
			return validate.Yes
		}
		_, ok, err := r.Store.Lookup(ctx, commit, p)
		return existence(ok, err)
	}, nil
}

// InStore reports whether what is checked out, or what HEAD names in a bare
// repository, is plans, so that the project cannot be looked up there: a branch
// of plans, or a commit of one.
func (r *Repo) InStore(ctx context.Context) (bool, error) {
	branch, err := r.HeadBranch(ctx)
	if err != nil || branch != "" {
		return branch != "" && r.Governs(branch), err
	}
	head, err := r.Store.Resolve(ctx, "HEAD")
	if err != nil {
		return false, nil // whatever is wrong there is not about plans
	}
	_, ok, err := r.Store.Lookup(ctx, head, GatesFile)
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
