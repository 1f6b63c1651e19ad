package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// Project is what the plans are about: the files and commits of the code.
type Project struct{ repo *Repo }

// Project gives the project of the repository.
func (r *Repo) Project() Project { return Project{r} }

// Code is a state of the project that the plans are about.
type Code struct {
	// Commit is what is checked out, and Branch its short name. Either may be
	// empty.
	Commit, Branch string
	// Tree is the tree of the files, empty where it was not asked for or cannot
	// be told.
	Tree string
}

// At tells what is checked out. In a worktree of the plans themselves, and
// before the first commit, that is nothing.
func (p Project) At(ctx context.Context) (Code, error) {
	inStore, err := p.InStore(ctx)
	if err != nil || inStore {
		return Code{}, err
	}
	branch, err := p.repo.HeadBranch(ctx)
	if err != nil {
		return Code{}, err
	}
	c := Code{Branch: strings.TrimPrefix(branch, "refs/heads/")}
	c.Commit, err = p.repo.Store.Resolve(ctx, "HEAD")
	var unborn *gitstore.NotFoundError
	if errors.As(err, &unborn) {
		err = nil
	}
	return c, err
}

// Now is At with the tree of the files as they are: what would be
// committed if all of them were, ignored ones aside. A later commit of just
// these files has this very tree.
func (p Project) Now(ctx context.Context) (Code, error) {
	c, err := p.At(ctx)
	if err != nil || p.repo.WorkTree == "" || c == (Code{}) {
		return c, err
	}
	c.Tree, err = p.treeOfFiles(ctx)
	return c, err
}

// treeOfFiles names the tree of the working tree. It works on a copy of the
// index and puts new objects into a folder of its own, so that it leaves
// nothing behind.
func (p Project) treeOfFiles(ctx context.Context) (string, error) {
	if err := os.MkdirAll(p.repo.StateDir(), 0o777); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(p.repo.StateDir(), "tree-") // a folder for temporary files may be among the files
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	index := filepath.Join(scratch, "index")
	if err := gitstore.CopyIndex(filepath.Join(p.repo.GitDir, "index"), index); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	objects, err := p.repo.Git.ReadLine(ctx, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	alternates := objects
	if more := p.repo.Git.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"); more != "" {
		alternates += string(os.PathListSeparator) + more
	}
	g := p.repo.Git.In(p.repo.WorkTree).WithEnv("GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+filepath.Join(scratch, "objects"), "GIT_ALTERNATE_OBJECT_DIRECTORIES="+alternates)
	if err := os.Mkdir(filepath.Join(scratch, "objects"), 0o777); err != nil {
		return "", err
	}
	if _, err := g.Write(ctx, nil, "-c", "core.fsync=none", "-c", "core.fsmonitor=false", "add", "--all", "--", "."); err != nil {
		return "", err
	}
	out, err := g.Write(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// Evidence makes evidence of a commit of the code, with the patch id by
// which it is known again after a rebase.
func (p Project) Evidence(ctx context.Context, rev string) (plan.Evidence, error) {
	commit, err := p.repo.Store.Resolve(ctx, rev)
	if err != nil {
		return plan.Evidence{}, err
	}
	patch, err := p.repo.Git.Read(ctx, "diff-tree", "--root", "-p", "--no-color", "--no-ext-diff", "--no-textconv", commit)
	if err != nil {
		return plan.Evidence{}, err
	}
	id, err := p.repo.Git.ReadInput(ctx, strings.NewReader(string(patch)), "patch-id", "--stable")
	if err != nil {
		return plan.Evidence{}, err
	}
	name, _, _ := strings.Cut(string(id), " ")
	return plan.Evidence{Commit: commit, Patch: strings.TrimSpace(name)}, nil
}
