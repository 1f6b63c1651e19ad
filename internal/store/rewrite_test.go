package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A commit that fails by itself waits for one that holds it, and not for the next
// of another line of history.
func TestRewriteKeepsLinesApart(t *testing.T) {
	t.Parallel()
	for _, wrongFirst := range []bool{true, false} {
		tree, repo, at, _ := published(t)
		wrong := func() {
			tree.Write("auth/plan.md", "---\ntitle: Better\n---\n\nText.\n")
			tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one, nobody"))
			tree.Commit("wrong")
		}
		board := func() {
			tree.Write("board/plan.md", "---\ntitle: Board\n---\n\nText.\n")
			tree.Commit("board")
		}
		first, second := wrong, board
		if !wrongFirst {
			first, second = board, wrong
		}
		tree.Git("checkout", "-q", "-b", "side")
		second()
		tree.Git("checkout", "-q", "plans")
		first()
		tree.Git("merge", "-q", "--no-commit", "side")
		tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one"))
		want := tree.Commit("mended in a merge")
		got, err := repo.Sync(t.Context(), SyncOptions{Rewrite: true})
		if err != nil || got.Status != SyncPushed || at() != got.Commit {
			t.Fatalf("%+v, %v", got, err)
		}
		if lost := tree.Git("diff", want, got.Commit); lost != "" {
			t.Errorf("wrong first: %t, lost:\n%s", wrongFirst, lost)
		}
		for entry := range strings.SplitSeq(tree.Git("log", "--format=%x00%B", "-3", "plans"), "\x00") {
			if strings.HasPrefix(entry, "board") && strings.Contains(entry, "wrong") {
				t.Errorf("it says to hold what it does not: %q", entry)
			}
		}
	}
}

// What native git took back of a replan is made one with the replan, where that
// is not published; else it is told how to go on.
func TestRewriteRevertedReplan(t *testing.T) {
	t.Parallel()
	replan := func(tree *gittest.Repo) {
		tree.Write("auth/plan.md", "---\ntitle: Auth\nversion: 2\n---\n\nText.\n")
		tree.Commit("replan")
	}
	t.Run("unpublished", func(t *testing.T) {
		t.Parallel()
		tree, repo, at, _ := published(t)
		before := at()
		tree.Write("board/plan.md", "---\ntitle: Board\n---\n\nText.\n")
		board := tree.Commit("board")
		replan(tree)
		tree.Git("revert", "--no-edit", "HEAD")
		got, err := repo.Sync(t.Context(), SyncOptions{Rewrite: true})
		if err != nil || got.Status != SyncPushed || at() != got.Commit || len(got.Notes) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
		if n := tree.Git("rev-list", "--count", before+"..plans"); n != "1" || tree.Git("diff", board, "plans") != "" {
			t.Errorf("%s commits were made, and differ by\n%s", n, tree.Git("diff", board, "plans"))
		}
	})
	t.Run("published", func(t *testing.T) {
		t.Parallel()
		tree, repo, at, _ := published(t)
		replan(tree)
		tree.Git("push", "-q", "origin", "plans")
		before := at()
		tree.Git("revert", "--no-edit", "HEAD")
		got, err := repo.Sync(t.Context(), SyncOptions{Rewrite: true})
		if err != nil || got.Status != SyncRejected || at() != before || !strings.Contains(strings.Join(got.Details, "\n"), "git revert") {
			t.Fatalf("%+v, %v", got, err)
		}
		tree.Git("revert", "--no-edit", "HEAD")
		if got, err = repo.Sync(t.Context(), SyncOptions{Rewrite: true}); err != nil || got.Status == SyncRejected || tree.Git("rev-parse", "plans") != before {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// Whatever native git did, with lines of history that were merged by hand too:
// what comes out is what there was.
func TestRewriteKeepsTheEnd(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			tree, repo, at, others := published(t)
			h := &historyByHand{tree: tree, rand: rand.New(rand.NewPCG(seed, 200))}
			for range 3 + h.rand.IntN(3) {
				h.edit()
				if h.rand.IntN(2) == 0 {
					h.merge()
				}
			}
			tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", "pending", ""))
			tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one"))
			h.commit()
			if seed%2 == 0 {
				others()
			}
			want := tree.Git("rev-parse", "plans")
			got, err := repo.Sync(t.Context(), SyncOptions{Rewrite: true})
			if err != nil || at() != got.Commit {
				t.Fatalf("%+v, %v\n%s", got, err, tree.Git("log", "--graph", "--oneline", want))
			}
			if lost := tree.Git("diff", want, got.Commit, "--", ".", ":!board"); lost != "" {
				t.Errorf("of\n%s\nthis is lost:\n%s", tree.Git("log", "--graph", "--oneline", want), lost)
			}
		})
	}
}

// historyByHand makes commits of which some do not pass the gate.
type historyByHand struct {
	tree *gittest.Repo
	rand *rand.Rand
	made int
}

func (h *historyByHand) commit() {
	h.tree.Git("add", "-A")
	h.tree.Git("commit", "-q", "--allow-empty", "-m", fmt.Sprint("commit ", h.made))
}

func (h *historyByHand) edit() {
	h.made++
	text := fmt.Sprintln("Edit", h.made)
	switch h.rand.IntN(6) {
	case 0:
		h.tree.Write("auth/plan.md", "---\ntitle: "+text+"---\n\nText.\n")
	case 1:
		h.tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "nobody")+text)
	case 2:
		h.tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one")+text)
	case 3:
		h.tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", []string{"done", "failed"}[h.rand.IntN(2)], "")+text)
	case 4:
		h.tree.Write("README.md", text)
	case 5:
		h.tree.Write(fmt.Sprintf("plan-%d/plan.md", h.made), "---\ntitle: "+text+"---\n\nText.\n")
	}
	h.commit()
}

// merge makes a side line and merges it, and takes it where the two conflict.
func (h *historyByHand) merge() {
	side := fmt.Sprint("side-", h.made)
	h.tree.Git("checkout", "-q", "-b", side)
	for range 1 + h.rand.IntN(2) {
		h.edit()
	}
	h.tree.Git("checkout", "-q", "plans")
	h.edit()
	h.tree.Git("merge", "-q", "-X", "theirs", "-m", "merge "+side, side)
}

// A store that nobody else has is made anew from the commit that every store begins
// with, also where native git began it with another one.
func TestRewriteUnshared(t *testing.T) {
	t.Parallel()
	for _, begin := range [][]string{nil, {"checkout", "-q", "--orphan", "another"}} {
		tree, _ := byHand(t)
		remote := gittest.NewBare(t)
		tree.Git("remote", "add", "origin", remote.Dir)
		if begin != nil {
			tree.Git(begin...)
			tree.Git("commit", "-q", "-m", "begin by hand")
			tree.Git("branch", "-q", "-f", "-M", "plans")
		}
		tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
		tree.Commit("wrong")
		tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "two"))
		want := tree.Commit("mended")
		got, err := open(t, tree).Sync(t.Context(), SyncOptions{Rewrite: true})
		if err != nil || got.Status != SyncPushed || remote.Git("rev-parse", "plans") != got.Commit {
			t.Fatalf("%v: %+v, %v", begin, got, err)
		}
		if lost := tree.Git("diff", want, got.Commit); lost != "" {
			t.Errorf("%v: lost:\n%s", begin, lost)
		}
		if root := tree.Git("rev-list", "--max-parents=0", "plans"); !isRoot(root) || strings.Contains(tree.Git("log", "--format=%s", "plans"), "wrong") {
			t.Errorf("%v: %s\n%s", begin, root, tree.Git("log", "--oneline", "plans"))
		}
	}
}
