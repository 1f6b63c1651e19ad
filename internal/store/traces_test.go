package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/validate"
)

// hasReftables reports whether git can make a repository with reftables.
func hasReftables(t *testing.T) bool {
	t.Helper()
	_, err := gittest.New(t).TryGit("init", "-q", "--ref-format=reftable", t.TempDir())
	return err == nil
}

// The files that tell of a move change with each one, wherever git keeps the
// ref, and not by being looked at.
func TestTracesTellOfMoves(t *testing.T) {
	for name, shape := range map[string]struct {
		options []gittest.Option
		packed  bool
	}{"loose": {}, "packed": {packed: true}, "reftable": {options: []gittest.Option{gittest.Init("--ref-format=reftable")}}} {
		t.Run(name, func(t *testing.T) {
			if shape.options != nil && !hasReftables(t) {
				t.Skip("this git has no reftables")
			}
			g := gittest.New(t, shape.options...)
			repo := open(t, g)
			if _, err := repo.Init(t.Context(), validate.Base); err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			now := time.Now() // or a change could be an old one between two looks
			for _, id := range []string{"one", "two", "three"} {
				before := stampAt(repo.Traces(), now)
				if before != stampAt(repo.Traces(), now) {
					t.Error("looking changes it")
				}
				put(t, repo, id, files(id, "a"))
				if after := stampAt(repo.Traces(), now); after == before || seen[after] {
					t.Errorf("a move leaves %s as it was", after)
				} else {
					seen[after] = true
				}
				if shape.packed {
					g.Git("pack-refs", "--all", "--prune")
				}
			}
		})
	}
}

// Two changes in one moment cannot be told apart by the time of the file: it is
// looked at once more when another one can only be later.
func TestStampOfTheSameMoment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ref")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	seen := stampAt([]string{file}, at.Add(time.Millisecond))
	write("two")
	if stampAt([]string{file}, at.Add(time.Second)) != seen {
		t.Error("a moment is looked at twice before it is over")
	}
	later := stampAt([]string{file}, at.Add(time.Minute))
	if later == seen || later != stampAt([]string{file}, at.Add(time.Hour)) {
		t.Errorf("the stamps are %s, then %s", seen, later)
	}
}
