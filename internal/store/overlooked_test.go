package store

import (
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/validate"
)

// Two replans of one version that native git puts together are told, also where one has
// all that is in the other; what somebody chose as a whole is not.
func TestOverlookedReplans(t *testing.T) {
	t.Parallel()
	const again = "---\ntitle: Auth\nversion: 2\n---\n\n"
	for _, tt := range []struct {
		name         string
		ours, theirs string // plan.md, before the lines that both have
		strategy     string
		want         int
	}{
		{"ours has all", again + "Ours.\n", again, "ort", 1},
		{"theirs has all", again, again + "Theirs.\n", "ort", 1},
		{"chosen", again + "Ours.\n", again + "Theirs.\n", "ours", 0},
		{"of one side", again, "", "ort", 0},
		{"alike", again, again, "ort", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, _ := byHand(t)
			replan := func(front string) {
				if front == "" {
					tree.Write("auth/tasks/02-two.md", "---\nid: two\n---\n\nDo it well.\n")
				} else {
					tree.Write("auth/plan.md", front+"Text.\n")
				}
				tree.Git("add", "-A")
				tree.Git("commit", "-q", "-m", "again")
			}
			tree.Git("checkout", "-q", "-b", "side")
			replan(tt.theirs)
			tree.Git("checkout", "-q", "plans")
			replan(tt.ours)
			tree.Git("merge", "-q", "--no-commit", "--no-ff", "--strategy="+tt.strategy, "side")
			overlooks(t, tree, tt.want)
		})
	}
}

// overlooks wants so many conflicts to be told of the merge that is in progress.
func overlooks(t *testing.T, tree *gittest.Repo, want int) {
	t.Helper()
	repo := open(t, tree)
	s, err := repo.Index().Staged(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, w, err := repo.Index().Policy(t.Context(), s, validate.Base)
	if err != nil {
		t.Fatal(err)
	}
	v, err := repo.Index().Judge(t.Context(), s, p, w)
	if err != nil || v.Refused() {
		t.Fatalf("judged %v, %v", v.Findings, err)
	}
	found, err := repo.Index().Overlooked(t.Context(), s, v)
	if err != nil || len(found) != want {
		t.Errorf("overlooked %v, %v, not %d", found, err, want)
	}
}
