package gitstore

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What is told without git's help is what git tells, where git can.
func TestOwnHistory(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	for i := range 30 {
		put(t, s, file(fmt.Sprintf("p%d/plan.md", i%3), fmt.Sprint(i)))
		if i%7 == 0 {
			put(t, s, file(fmt.Sprintf("archive/202%d/p%d/plan.md", i%2, i%3), fmt.Sprint(i)))
		}
	}
	put(t, s, FileChange{Path: "p1/plan.md"})
	put(t, s, file("p1/plan.md", "0"))
	ctx := t.Context()
	for _, paths := range [][]string{{"p0"}, {"p1"}, {"archive"}, {"archive/2020/p0"}, {"none"}, {"p1", ":(top,glob)archive/*/p1/**"}, {"p2", "p0"}} {
		for _, limit := range []int{0, 1, 5} {
			want, err := s.History(ctx, testRef, limit, paths...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.ownHistory(ctx, testRef, limit, paths)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q, %d: got %v (%v), want %v", paths, limit, got, err, want)
			}
			wanted, err := s.Differences(ctx, want)
			if err != nil {
				t.Fatal(err)
			}
			if own, err := s.ownDifferences(ctx, want); err != nil || fmt.Sprint(own) != fmt.Sprint(wanted) {
				t.Errorf("%q: got %v (%v), want %v", paths, own, err, wanted)
			}
		}
	}
}

// A commit whose tree is none that git reads ends no history; one whose tree is
// gone is an error, as nobody knows what was in it.
func TestHistoryPastDamage(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("p/plan.md", "1"), file("q/plan.md", "1"))
	good := r.Git("rev-parse", testRef+"^{tree}")
	after := func(tree string) (bad, last string) {
		bad = r.GitInput(fmt.Sprintf("tree %s\nparent %s\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nbad\n", tree, first), "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		return bad, r.Git("commit-tree", "-p", bad, "-m", "good again", good)
	}
	bad, last := after(r.GitInput("100644 \x00"+string(make([]byte, 19))+"1", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"))
	steps, err := s.History(t.Context(), last, 0, "p")
	if err != nil || len(steps) != 3 || steps[2].Commit != first || steps[0].Commit != last {
		t.Fatalf("%v, %v", steps, err)
	}
	if all, err := s.Differences(t.Context(), steps); err != nil || len(all) != 3 || len(all[0]) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if d, err := s.DifferencesOfTree(t.Context(), bad, good); err != nil || len(d) != 2 {
		t.Errorf("%v, %v", d, err)
	}
	if drawn, err := s.Graph(t.Context(), last, 0, "p"); err != nil || len(drawn) != 3 || drawn[1].Step.Commit != bad {
		t.Errorf("drawn: %v, %v", drawn, err)
	}
	bad, last = after("0123456789012345678901234567890123456789")
	if d, err := s.Differences(t.Context(), []Step{{Commit: last, Parent: bad}}); err == nil {
		t.Errorf("of a tree that is gone: %v", d)
	}
}
