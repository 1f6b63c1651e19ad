package planrepo

import (
	"testing"

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
			for _, id := range []string{"one", "two", "three"} {
				before := Stamp(repo.Traces())
				if before != Stamp(repo.Traces()) {
					t.Error("looking changes it")
				}
				put(t, repo, id, files(id, "a"))
				if after := Stamp(repo.Traces()); after == before || seen[after] {
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
