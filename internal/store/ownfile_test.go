package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

const workflowPath = ".github/workflows/x.yml"

// set is an edit that writes text whatever is there.
func set(text string) OwnFileEdit {
	return func([]byte) ([]byte, string) { return []byte(text), "Write it\n" }
}

func TestEditOwnFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	g, repo := begin(t)
	before := g.Git("rev-parse", "plans")
	commit, _, err := repo.EditOwnFile(ctx, workflowPath, func(old []byte) ([]byte, string) {
		if old != nil {
			t.Errorf("there was %q", old)
		}
		return []byte("one\n"), "Add it\n"
	})
	if err != nil || commit != g.Git("rev-parse", "plans") || before != g.Git("rev-parse", "plans^") {
		t.Fatalf("%s, %v", commit, err)
	}
	if got := g.Git("show", "--format=%s", "--name-only", "plans"); got != "Add it\n\n"+workflowPath {
		t.Errorf("the commit is %q", got)
	}
	for name, edit := range map[string]OwnFileEdit{
		"the same": set("one\n"),
		"nothing":  func([]byte) ([]byte, string) { return nil, "" },
	} {
		again, _, err := repo.EditOwnFile(ctx, workflowPath, edit)
		if err != nil || again != commit || g.Git("rev-parse", "plans") != commit {
			t.Errorf("%s: %s, %v", name, again, err)
		}
	}
	if _, _, err := repo.EditOwnFile(ctx, ".gitlab-ci.yml", set("two\n")); err != nil {
		t.Error(err)
	}
	if got := g.Git("show", "plans:"+workflowPath); got != "one" {
		t.Errorf("the other file is %q", got)
	}
}

// Plans, the gate and whatever else is not the store's own are out of reach.
func TestEditOwnFileRefusesPaths(t *testing.T) {
	t.Parallel()
	g, repo := begin(t)
	tip := g.Git("rev-parse", "plans")
	for _, path := range []string{"auth/plan.md", "plan.md", GatesFile, "archive/2026/a/plan.md", ".github", ".github/../auth/plan.md", ".github//x", "", "/.gitlab-ci.yml", ".git/config"} {
		if _, _, err := repo.EditOwnFile(context.Background(), path, set("x\n")); err == nil {
			t.Errorf("%q was written", path)
		}
	}
	if got := g.Git("rev-parse", "plans"); got != tip {
		t.Errorf("the store moved: %s", g.Git("log", "--stat", "plans"))
	}
}

func TestEditOwnFileNeedsAStore(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	var missing *NotFoundError
	if _, _, err := open(t, g).EditOwnFile(context.Background(), workflowPath, set("x\n")); !errors.As(err, &missing) {
		t.Errorf("no store: %v", err)
	}
	g.Write("main.go", "package main\n")
	g.Git("add", ".")
	g.Git("commit", "-q", "-m", "code")
	g.Git("branch", "plans")
	var taken *ExistsError
	if _, _, err := open(t, g).EditOwnFile(context.Background(), workflowPath, set("x\n")); !errors.As(err, &taken) {
		t.Errorf("a branch of code: %v", err)
	}
}

// What has the name and is no plain file stays.
func TestEditOwnFileKeepsStrangers(t *testing.T) {
	t.Parallel()
	g, repo := begin(t)
	tree := filepath.Join(t.TempDir(), "store")
	g.Git("worktree", "add", "-q", tree, "plans")
	if err := os.Symlink("README.md", filepath.Join(tree, ".gitlab-ci.yml")); err != nil {
		t.Skip(err)
	}
	g.Git("-C", tree, "add", ".")
	g.Git("-C", tree, "commit", "-q", "-m", "a link")
	var taken *ExistsError
	if _, _, err := repo.EditOwnFile(context.Background(), ".gitlab-ci.yml", set("x\n")); !errors.As(err, &taken) {
		t.Errorf("a link: %v", err)
	}
}

// Many write at once, each its own file: all of them are there.
func TestEditOwnFileAtOnce(t *testing.T) {
	t.Parallel()
	g, _ := begin(t)
	var group sync.WaitGroup
	paths := []string{".gitlab-ci.yml", ".github/a.yml", ".github/b.yml", ".pre-commit-config.yaml"}
	for _, path := range paths {
		repo := open(t, g)
		group.Go(func() {
			if _, _, err := repo.EditOwnFile(context.Background(), path, set(path)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, path := range paths {
		if got := g.Git("show", "plans:"+path); got != path {
			t.Errorf("%s is %q", path, got)
		}
	}
}
