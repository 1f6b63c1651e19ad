package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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

// ontoOf makes what changed between two commits on a third one.
func ontoOf(t *testing.T, repo *Repo, commits ...string) *onto {
	t.Helper()
	var states [3]*Snapshot
	for i, commit := range commits {
		var err error
		if states[i], err = repo.At(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
	}
	o, err := repo.makeOnto(t.Context(), states[0], states[1], states[2], ontoOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// What of the store's own files cannot be merged by line comes along as it is.
func TestReplayKeepsOwnFiles(t *testing.T) {
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
	got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncPushed || at() != got.Commit {
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
func TestReplayWhole(t *testing.T) {
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
		m := ontoOf(t, repo, first, tt.ours, tt.theirs)
		var got []string
		for _, c := range m.Conflicts {
			got = append(got, c.Field)
		}
		for _, w := range m.Files {
			got = append(got, fmt.Sprint(w.Delete))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A plan next to another one of its id is parked, and everything else goes on.
func TestReplayParks(t *testing.T) {
	t.Parallel()
	tree, repo, at, others := published(t)
	tree.Write("archive/2025/auth/plan.md", "---\ntitle: Another\n---\n\nText.\n")
	ours := tree.Commit("archived by hand")
	tree.Write("dock/plan.md", "---\ntitle: Dock\n---\n\nText.\n")
	tree.Commit("dock")
	others()
	got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncConflict || at() != got.Commit {
		t.Fatalf("%+v, %v", got, err)
	}
	if p := got.Parked; len(p) != 1 || p[0].Commit != ours || p[0].Base != tree.Git("rev-parse", ours+"^") || !slices.Equal(p[0].Plans, []string{"auth"}) || !strings.Contains(p[0].Why(), "two plans have one id") {
		t.Errorf("parked: %+v", p)
	}
	if names := tree.Git("ls-tree", "--name-only", "plans"); !strings.Contains(names, "dock") || !strings.Contains(names, "board") {
		t.Errorf("the plans are %s", names)
	}
	repo = open(t, tree)
	if err := repo.Publisher().Unpark(t.Context(), got.Parked[0].Change, NewChange(), "auth"); err != nil {
		t.Fatal(err)
	}
	if left, err := repo.Publisher().Parked(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left: %+v, %v", left, err)
	}
}

// Commits that fit only together become one.
func TestReplayAsOne(t *testing.T) {
	t.Parallel()
	for _, ahead := range []bool{false, true} {
		tree, repo, at, others := published(t)
		before := at()
		tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "nobody"))
		tree.Commit("wrong")
		tree.Write("board-2/plan.md", "---\ntitle: Board\n---\n\nText.\n")
		tree.Commit("another plan")
		tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one")+"More.\n")
		want := tree.Commit("right")
		if ahead {
			before = others()
		}
		got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
		if err != nil || got.Status != SyncPushed || at() != got.Commit || len(got.Parked) > 0 {
			t.Fatalf("%+v, %v", got, err)
		}
		if lost := tree.Git("diff", want, got.Commit, "--", ".", ":!board"); lost != "" {
			t.Errorf("lost:\n%s", lost)
		}
		if subjects := tree.Git("log", "--format=%s", before+"..plans"); subjects != "auth: right\nanother plan" {
			t.Errorf("the commits are\n%s", subjects)
		}
		if body := tree.Git("log", "-1", "--format=%b"); !strings.Contains(body, "* wrong") {
			t.Errorf("the message is %s", body)
		}
	}
}

// A commit of which only a part lands, within another commit, stays what it is until the
// rest of it is decided: the commit that it is part of does not pass for it.
func TestReplayPartParked(t *testing.T) {
	t.Parallel()
	tree, repo, at, _ := published(t)
	board := func(title string) string {
		tree.Write("board/plan.md", "---\ntitle: "+title+"\n---\n\nText.\n")
		return tree.Commit(title)
	}
	before := board("Board")
	board("Theirs")
	tree.Git("push", "-q", "origin", "plans")
	tree.Git("reset", "-q", "--hard", before)
	tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "nobody"))
	tree.Commit("wrong")
	tree.Write("auth/tasks/02-two.md", fmt.Sprintf(task, "two", "pending", "one")+"More.\n")
	board("Ours")
	got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncConflict || at() != got.Commit || len(got.Parked) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	log := tree.Git("log", "--format=%B", "plans")
	for _, p := range got.Parked {
		if slices.Contains(p.Plans, "auth") {
			t.Errorf("auth is parked with %s", p.Change)
		}
		if strings.Contains(log, p.Change) {
			t.Errorf("what is parked as %s is said to have landed:\n%s", p.Change, log)
		}
	}
	if text := tree.Git("show", "plans:auth/tasks/02-two.md"); !strings.Contains(text, "More.") {
		t.Errorf("auth is\n%s", text)
	}
	got, err = open(t, tree).Publisher().Sync(t.Context(), SyncOptions{Prefer: map[string]merge.Side{"board": merge.Ours}})
	if err != nil || at() != got.Commit || len(got.Parked) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if text := tree.Git("show", got.Commit+":board/plan.md"); !strings.Contains(text, "title: Ours") {
		t.Errorf("the board is\n%s", text)
	}
}

// A plan that the remote squashed is as it is there; what was done to it since goes on.
func TestReplaySquashed(t *testing.T) {
	t.Parallel()
	tree, repo, at, _ := published(t)
	before := at()
	for _, title := range []string{"First", "Second"} {
		tree.Write("auth/plan.md", "---\ntitle: "+title+"\n---\n\nText.\n")
		tree.Commit(title)
	}
	squashed := tree.Git("commit-tree", "-p", before, "-m", "squashed", "plans^{tree}")
	tree.Git("push", "-q", "origin", squashed+":refs/heads/plans")
	tree.Git("update-ref", "refs/remotes/origin/plans", before)
	tree.Git("reflog", "expire", "--expire=now", "refs/remotes/origin/plans")
	tree.Write("auth/plan.md", "---\ntitle: Third\n---\n\nText.\n")
	tree.Commit("Third")
	got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncPushed || len(got.Parked) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if subjects := tree.Git("log", "--format=%s", before+"..plans"); subjects != "Third\nsquashed" {
		t.Errorf("the commits are\n%s", subjects)
	}
}

// A remote that dropped what it had, or its branch, stops a sync until somebody says
// what is right.
func TestRewound(t *testing.T) {
	t.Parallel()
	tree, repo, at, others := published(t)
	before := at()
	others()
	if _, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	had := at()
	tree.Write("dock/plan.md", "---\ntitle: Dock\n---\n\nText.\n")
	tree.Commit("dock")
	tree.Git("push", "-q", "-f", "origin", before+":refs/heads/plans")
	for range 2 {
		_, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
		var rewound *RewoundError
		if !errors.As(err, &rewound) || rewound.Had != had || at() != before {
			t.Fatalf("%v", err)
		}
	}
	got, err := repo.Publisher().Sync(t.Context(), SyncOptions{AcceptRewind: true})
	if err != nil || got.Status != SyncPushed || tree.Git("log", "--format=%s", before+"..plans") != "dock" {
		t.Fatalf("%+v, %v", got, err)
	}
	tree.Git("push", "-q", "origin", ":refs/heads/plans")
	tree.Git("update-ref", "refs/remotes/origin/plans", had)
	_, err = repo.Publisher().Sync(t.Context(), SyncOptions{})
	var rewound *RewoundError
	if !errors.As(err, &rewound) || rewound.Has != "" {
		t.Fatalf("deleted: %v", err)
	}
}

// Whatever native git did, with lines of history that were merged by hand too:
// what comes out is what there was.
func TestReplayKeepsTheEnd(t *testing.T) {
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
			got, err := repo.Publisher().Sync(t.Context(), SyncOptions{})
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
