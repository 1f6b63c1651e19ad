package gitstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What is wrong with the index of the worktree is told, as git does not.
func TestIndexFault(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, gittest.ObjectFormat(format))
		s := open(t, r)
		put(t, s, file("a", "a"))
		if fault, err := s.IndexFault(t.Context()); fault != nil || err != nil {
			t.Errorf("%s: without a worktree: %+v, %v", format, fault, err)
		}
		tree := filepath.Join(t.TempDir(), "tree")
		r.Git("worktree", "add", "-q", tree, strings.TrimPrefix(testRef, "refs/heads/"))
		if fault, err := s.IndexFault(t.Context()); fault != nil || err != nil {
			t.Fatalf("%s: a sound one: %+v, %v", format, fault, err)
		}
		path := filepath.Join(s.repo.CommonDir, "worktrees", "tree", "index")
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]string{
			"":                                  "it is empty",
			"no index, however long it may be.": "it is no index of git",
			string(sound[:len(sound)/2]):        "it was cut off, or changed",
		} {
			replace(t, path, []byte(text))
			if fault, err := s.IndexFault(t.Context()); err != nil || fault == nil || fault.Detail != want || fault.Path != path || fault.Worktree != tree {
				t.Errorf("%s: %d bytes: %+v, %v", format, len(text), fault, err)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if fault, err := s.IndexFault(t.Context()); err != nil || fault == nil || fault.Detail != "it is missing" {
			t.Errorf("%s: %+v, %v", format, fault, err)
		}
		r.At(tree).Git("reset", "-q")
		if fault, err := s.IndexFault(t.Context()); fault != nil || err != nil {
			t.Errorf("%s: mended: %+v, %v", format, fault, err)
		}
	}
}

// A mended index is that of the commit, whatever was in its place, which is
// kept; files stay as they are.
func TestMendIndex(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, gittest.ObjectFormat(format))
		s := open(t, r)
		put(t, s, file("a", "a"), file("b/c", "c"))
		tree := filepath.Join(t.TempDir(), "tree")
		r.Git("worktree", "add", "-q", tree, strings.TrimPrefix(testRef, "refs/heads/"))
		replace(t, filepath.Join(tree, "a"), []byte("an edit"))
		path := filepath.Join(s.repo.CommonDir, "worktrees", "tree", "index")
		if kept, err := s.MendIndex(t.Context()); kept != "" || err != nil {
			t.Errorf("%s: a sound one: %q, %v", format, kept, err)
		}
		aside := []string{path + ".away", path + ".away-2"}
		for i, text := range []string{"", "no index, however long it may be."} {
			replace(t, path, []byte(text))
			kept, err := s.MendIndex(t.Context())
			if err != nil || kept != aside[i] {
				t.Fatalf("%s: %q, %v", format, kept, err)
			}
			if was, err := os.ReadFile(kept); err != nil || string(was) != text {
				t.Errorf("%s: kept %q, %v", format, was, err)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		if kept, err := s.MendIndex(t.Context()); err != nil || kept != path+".away-3" {
			t.Errorf("%s: a folder: %q, %v", format, kept, err)
		}
		if fault, err := s.IndexFault(t.Context()); fault != nil || err != nil {
			t.Errorf("%s: mended: %+v, %v", format, fault, err)
		}
		if got := r.At(tree).Git("status", "--short"); strings.TrimSpace(got) != "M a" {
			t.Errorf("%s: status %q", format, got)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.lock")); len(left) > 0 {
			t.Errorf("%s: left %q", format, left)
		}
		put(t, s, file("d", "d"))
		if got := r.At(tree).Git("status", "--short"); strings.TrimSpace(got) != "M a" {
			t.Errorf("%s: moved along: %q", format, got)
		}
	}
}

// What a sparse checkout leaves out is not taken for deleted by a mended index,
// and so would not be by the next commit there.
func TestMendIndexOfASparseWorktree(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	put(t, s, file("deep/x.md", "x"))
	tree.Git("sparse-checkout", "set", "--no-cone", "/plan/", "/b.md")
	before := tree.Git("ls-files", "-t")
	tree.Write("b.md", "my edit")
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index")
	replace(t, index, []byte("no index, however long it may be."))
	if kept, err := s.MendIndex(t.Context()); kept != index+".away" || err != nil {
		t.Fatalf("%q, %v", kept, err)
	}
	if got := tree.Git("status", "--porcelain"); got != " M b.md" {
		t.Errorf("status:\n%s", got)
	}
	if after := tree.Git("ls-files", "-t"); after != before {
		t.Errorf("the index holds:\n%s\ninstead of:\n%s", after, before)
	}
	gone(t, filepath.Join(tree.Dir, "a.md"))
	quiet(t, s)
}

// An index that is missing is not made of what a change brings alone: nobody would
// see any more that it lacks the rest, and a commit would delete that.
func TestNoChangeMakesAMissingIndex(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	tip := r.Git("rev-parse", testRef)
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index")
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Update(t.Context(), "x", adding("x", file("new.md", "n"))); err == nil || !strings.Contains(err.Error(), "its index is missing") {
		t.Errorf("err = %v", err)
	}
	gone(t, index)
	if got := r.Git("rev-parse", testRef); got != tip {
		t.Errorf("the ref moved to %s", got)
	}
	quiet(t, s)
	if _, err := s.MendIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, file("new.md", "n"))
	if got := tree.Git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
}
