package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/merge"
)

// published is a store that a remote has, whose plans branch is checked out in a
// worktree; at says where the remote is, and others puts a plan there that is
// not here.
func published(t *testing.T) (tree *gittest.Repo, repo *Repo, at, others func() string) {
	t.Helper()
	tree, _ = byHand(t)
	remote := gittest.NewBare(t)
	tree.Git("remote", "add", "origin", remote.Dir)
	tree.Git("push", "-q", "origin", "plans")
	repo = open(t, tree)
	at = func() string { return remote.Git("rev-parse", "plans") }
	others = func() string {
		clone := remote.Clone(t, "-q", "-b", "plans")
		clone.Write("board/plan.md", "---\ntitle: Board\n---\n\nText.\n")
		commit := clone.Commit("board")
		clone.Git("push", "-q", "origin", "plans")
		return commit
	}
	return tree, repo, at, others
}

// What of the store's own files cannot be merged by line comes along as it is.
func TestMergeKeepsOwnFiles(t *testing.T) {
	t.Parallel()
	tree, repo, at, others := published(t)
	deep := ".github/" + strings.Repeat("x/", 20) + "file"
	tree.Write(deep, "deep\n")
	tree.Write(".github/run.sh", "echo\n")
	tree.Write(".github/text.yml", "on: push\n")
	tree.Write("README.md", strings.Repeat("long\n", 100_000))
	if err := os.Chmod(filepath.Join(tree.Dir, ".github/run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("run.sh", filepath.Join(tree.Dir, ".github/link")); err != nil {
		t.Fatal(err)
	}
	ours := tree.Commit("own files")
	theirs := others()
	got, err := repo.Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncMerged || at() != got.Commit {
		t.Fatalf("%+v, %v", got, err)
	}
	if lost := tree.Git("diff", "--raw", ours, got.Commit, "--", ".", ":!board"); lost != "" {
		t.Errorf("lost of ours:\n%s", lost)
	}
	if lost := tree.Git("diff", "--raw", theirs, got.Commit, "--", "board"); lost != "" {
		t.Errorf("lost of theirs:\n%s", lost)
	}
}

// Two that changed such a file are a conflict; one that removed it removes it.
func TestMergeWhole(t *testing.T) {
	t.Parallel()
	tree, repo, _, _ := published(t)
	link := func(target string) string {
		name := filepath.Join(tree.Dir, ".github/link")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.RemoveAll(name), os.Symlink(target, name)); err != nil {
			t.Fatal(err)
		}
		return tree.Commit("link to " + target)
	}
	first := link("one")
	ours := link("two")
	tree.Git("reset", "-q", "--hard", first)
	theirs := link("three")
	tree.Git("reset", "-q", "--hard", first)
	tree.Git("rm", "-rq", ".github")
	tree.Git("commit", "-q", "-m", "gone")
	gone := tree.Git("rev-parse", "HEAD")
	for _, tt := range []struct{ ours, theirs, want string }{
		{ours, theirs, ".github/link"}, {gone, theirs, ".github/link"}, {ours, gone, ".github/link"},
		{gone, first, "true"}, {first, gone, ""}, {ours, first, "true false"},
	} {
		m, err := repo.mergeCommits(t.Context(), &ancestor{commit: first}, tt.ours, tt.theirs, merge.StoreOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range m.Conflicts {
			got = append(got, c.Field)
		}
		for _, w := range m.whole {
			got = append(got, fmt.Sprint(w.Delete))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A plan beside another one of its id is not merged, and not dropped.
func TestMergeRefusesWhatItCannotKeep(t *testing.T) {
	t.Parallel()
	tree, repo, at, others := published(t)
	tree.Write("archive/2025/auth/plan.md", "---\ntitle: Another\n---\n\nText.\n")
	ours := tree.Commit("archived by hand")
	theirs := others()
	_, err := repo.Sync(t.Context(), SyncOptions{})
	var refused *RejectedError
	if !errors.As(err, &refused) || len(refused.Findings) != 1 || refused.Findings[0].Path != "archive/2025/auth" {
		t.Errorf("%v", err)
	}
	if tree.Git("rev-parse", "plans") != ours || at() != theirs {
		t.Error("something moved")
	}
	tree.Git("mv", "archive/2025/auth", "archive/2025/auth-old")
	tree.Git("commit", "-q", "-m", "renamed")
	if got, err := repo.Sync(t.Context(), SyncOptions{}); err != nil || got.Status != SyncMerged {
		t.Errorf("%+v, %v", got, err)
	}
}

// What native git put beside the plans is not dropped where commits are made
// anew, but named, until it is gone or has its place.
func TestRewriteRefusesWhatItCannotKeep(t *testing.T) {
	t.Parallel()
	tree, repo, at, _ := published(t)
	tree.Write("notes.txt", "x\n")
	tree.Write("auth/notes.txt", "x\n")
	tree.Write("auth/tasks/3-three.md", fmt.Sprintf(task, "three", "pending", "two"))
	tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", ""))
	tree.Commit("wrong")
	tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", "pending", ""))
	ours, before := tree.Commit("right, but for what was there"), at()
	got, err := repo.Sync(t.Context(), SyncOptions{Rewrite: true})
	if err != nil || got.Status != SyncRejected || at() != before || tree.Git("rev-parse", "plans") != ours {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, want := range []string{"auth/notes.txt:", "auth/tasks/3-three.md:", "notes.txt:"} {
		if !strings.Contains(strings.Join(got.Details, "\n"), want) {
			t.Errorf("%s is not named: %q", want, got.Details)
		}
	}
	tree.Git("rm", "-q", "notes.txt", "auth/notes.txt")
	tree.Git("mv", "auth/tasks/3-three.md", "auth/tasks/03-three.md")
	tree.Git("commit", "-q", "-m", "mended")
	last := tree.Git("rev-parse", "HEAD^{tree}")
	got, err = repo.Sync(t.Context(), SyncOptions{Rewrite: true})
	if err != nil || got.Status != SyncPushed || tree.Git("rev-parse", "plans^{tree}") != last || at() != tree.Git("rev-parse", "plans") {
		t.Errorf("%+v, %v", got, err)
	}
}
