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

// code looks at the commits of the project.
type code struct{ repo *Repo }

// Code is a state of the project that the plans are about.
type Code struct {
	// Commit is what is checked out, and Branch its short name. Either may be
	// empty.
	Commit, Branch string
	// Tree is the tree of the files, empty where it was not asked for or cannot
	// be told.
	Tree string
}

// CodeAt tells what is checked out. In a worktree of the plans themselves, and
// before the first commit, that is nothing.
func (r *Repo) CodeAt(ctx context.Context) (Code, error) {
	inStore, err := r.InStore(ctx)
	if err != nil || inStore {
		return Code{}, err
	}
	branch, err := r.HeadBranch(ctx)
	if err != nil {
		return Code{}, err
	}
	c := Code{Branch: strings.TrimPrefix(branch, "refs/heads/")}
	c.Commit, err = r.Store.Resolve(ctx, "HEAD")
	var unborn *gitstore.NotFoundError
	if errors.As(err, &unborn) {
		err = nil
	}
	return c, err
}

// CodeNow is CodeAt with the tree of the files as they are: what would be
// committed if all of them were, ignored ones aside. A later commit of just
// these files has this very tree.
func (r *Repo) CodeNow(ctx context.Context) (Code, error) {
	c, err := r.CodeAt(ctx)
	if err != nil || r.WorkTree == "" || c == (Code{}) {
		return c, err
	}
	c.Tree, err = code{r}.treeOfFiles(ctx)
	return c, err
}

// treeOfFiles names the tree of the working tree. It works on a copy of the
// index and puts new objects into a folder of its own, so that it leaves
// nothing behind.
func (c code) treeOfFiles(ctx context.Context) (string, error) {
	if err := os.MkdirAll(c.repo.StateDir(), 0o777); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(c.repo.StateDir(), "tree-") // a folder for temporary files may be among the files
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	index := filepath.Join(scratch, "index")
	if err := gitstore.CopyIndex(filepath.Join(c.repo.GitDir, "index"), index); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	objects, err := c.repo.Git.ReadLine(ctx, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	alternates := objects
	if more := c.repo.Git.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"); more != "" {
		alternates += string(os.PathListSeparator) + more
	}
	g := c.repo.Git.In(c.repo.WorkTree).WithEnv("GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+filepath.Join(scratch, "objects"), "GIT_ALTERNATE_OBJECT_DIRECTORIES="+alternates)
	if err := os.Mkdir(filepath.Join(scratch, "objects"), 0o777); err != nil {
		return "", err
	}
	if _, err := g.Write(ctx, nil, "-c", "core.fsync=none", "-c", "core.fsmonitor=false", "add", "--all", "--", "."); err != nil {
		return "", err
	}
	out, err := g.Write(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// CommitEvidence makes evidence of a commit of the code, with the patch id by
// which it is known again after a rebase.
func (r *Repo) CommitEvidence(ctx context.Context, rev string) (plan.Evidence, error) {
	commit, err := r.Store.Resolve(ctx, rev)
	if err != nil {
		return plan.Evidence{}, err
	}
	patch, err := r.Git.Read(ctx, "diff-tree", "--root", "-p", "--no-color", "--no-ext-diff", "--no-textconv", commit)
	if err != nil {
		return plan.Evidence{}, err
	}
	id, err := r.Git.ReadInput(ctx, strings.NewReader(string(patch)), "patch-id", "--stable")
	if err != nil {
		return plan.Evidence{}, err
	}
	name, _, _ := strings.Cut(string(id), " ")
	return plan.Evidence{Commit: commit, Patch: strings.TrimSpace(name)}, nil
}
