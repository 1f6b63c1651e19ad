package draft

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
)

// A thread that holds something keeps its folder, and hinders none behind it.
func TestDropEmptied(t *testing.T) {
	_, _, d := begin(t)
	current(t, d)
	full, _ := d.Request(context.Background())
	blank, err := d.Request(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	write(t, full, "plan.md", planText("Auth"))
	s, _ := d.State()
	if err := d.dropEmptied(&s, []string{full.ID, blank.ID}); err != nil {
		t.Fatal(err)
	}
	if s.thread(full.ID) == nil || s.thread(blank.ID) != nil {
		t.Errorf("threads %+v", s.Threads)
	}
}

// A merge of two plans opens in both threads or in none: an edit of the second leaves
// the first as it is.
func TestOpenMergeOfTwo(t *testing.T) {
	_, repo, d := begin(t)
	first := current(t, d)
	second, err := d.Request(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	write(t, first, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	write(t, second, "plan.md", planText("Shop"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	open := &store.MergeError{Ours: tip(t, repo), Theirs: tip(t, repo)}
	for _, id := range []string{"auth", "shop"} {
		p := d.planOf(id, map[string][]byte{"plan.md": []byte(planText("Merged"))})
		open.Plans = append(open.Plans, merge.PlanResult{ID: id, Result: merge.Result{Plan: p}})
	}
	write(t, second, "tasks/02-two.md", taskText("two"))
	before, _ := os.ReadFile(d.stateFile())
	var conflict *store.ConflictError
	if _, err := d.OpenMerge(context.Background(), open); !errors.As(err, &conflict) || conflict.Plan != "shop" {
		t.Fatalf("opened, %v", err)
	}
	if after, _ := os.ReadFile(d.stateFile()); string(after) != string(before) {
		t.Errorf("state %s", after)
	}
}
