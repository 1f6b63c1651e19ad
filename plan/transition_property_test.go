package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
)

// randomPlan makes the files of a plan with containers of the kinds given, up
// to three levels deep, and dependencies on what comes before, or as many
// tasks ahead.
func randomPlan(r *rand.Rand, ahead int, kinds ...string) []string {
	pairs := []string{}
	n := 0
	var level func(dir string, above []int)
	level = func(dir string, above []int) {
		for i := range 1 + r.IntN(4) {
			n++
			front := fmt.Sprintf("id: t-%d # %d", n, len(above))
			if to := 1 + r.IntN(n+ahead); (to < n || ahead > 0) && !slices.Contains(above, to) && r.IntN(3) > 0 {
				front += fmt.Sprintf("\ndepends_on: [t-%d]", to)
			}
			if kind := kinds[r.IntN(len(kinds))]; kind != "" {
				front += "\nkind: " + kind
			}
			name := fmt.Sprintf("%s%02d-t", dir, i+1)
			pairs = append(pairs, name, front+"\nnotes: [a,  b]")
			if len(above) < 2 && r.IntN(2) == 0 {
				level(name+"/", append(slices.Clone(above), n))
			}
		}
	}
	level("", nil)
	return pairs
}

// After any legal moves, the containers follow from what is below them and
// the files read as the plan in memory says, without findings.
func TestTransitionsKeepPlansRight(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := build(t, randomPlan(r, 0, "", "decide", "subtask")...)
		for range 40 {
			task := p.All()[r.IntN(len(p.All()))]
			m := Move{To: Statuses()[r.IntN(7)], Reopen: r.IntN(2) == 0, At: at(r.IntN(24)), Agent: "me", Notes: []string{"x: y"}}
			before := documentsOf(p)
			changed, err := p.Transition(task, m)
			if err != nil {
				for i, u := range p.All() {
					if u.Doc != before[i] {
						t.Fatalf("seed %d: %v, and %s changed", seed, err, u.ID)
					}
				}
				continue
			}
			differ := 0
			for i, u := range p.All() {
				if u.Doc.Source != before[i].Source {
					differ++
				}
			}
			if differ != len(changed) {
				t.Fatalf("seed %d: %d files differ, %d are told", seed, differ, len(changed))
			}
			holdsTogether(t, p)
		}
	}
}

func documentsOf(p *Plan) []*Document {
	var out []*Document
	for _, t := range p.All() {
		out = append(out, t.Doc)
	}
	return out
}

func holdsTogether(t *testing.T, p *Plan) {
	t.Helper()
	again, found := Read("p", "", p.FileList())
	for _, d := range found {
		t.Fatalf("%v", d)
	}
	equal(t, "read again", statuses(again), statuses(p))
	for _, c := range p.All() {
		if len(c.Children) == 0 {
			continue
		}
		want := derivedStatus(c)
		if c.Status != want && !(want == Done && c.Status.Settled()) {
			t.Fatalf("%s is %s, below it is %s: %s", c.ID, c.Status, want, statuses(p))
		}
		if c.Settled() != c.Status.Settled() {
			t.Fatalf("%s is %s: %s", c.ID, c.Status, statuses(p))
		}
		stampsAgree(t, c)
	}
	if len(p.Ready()) == 0 && p.Status() == Draft && len(p.Graph().Cycles()) == 0 {
		t.Fatalf("nothing can be begun: %s", statuses(p))
	}
}

// stampsAgree requires that stamps and status agree in every file.
func stampsAgree(t *testing.T, c *Task) {
	t.Helper()
	c.walk(func(u *Task) {
		if u.Doc.Has("completed_at") != u.Status.Settled() {
			t.Fatalf("%s is %s, completed_at %q\n%s", u.ID, u.Status, u.Doc.Text("completed_at"), u.Doc.Source)
		}
		if u.Status == Pending && u.Doc.Has("started_at") {
			t.Fatalf("%s is pending and started", u.ID)
		}
	})
}

// A plan has a cycle if and only if doing what is ready, again and again,
// comes to an end before everything is done.
func TestCyclesAreDeadlocks(t *testing.T) {
	stuck := 0
	for seed := range uint64(400) {
		p := build(t, randomPlan(rand.New(rand.NewPCG(seed, 3)), 1, "", "subtask")...)
		cycles := p.Graph().Cycles()
		for ready := p.Ready(); len(ready) > 0; ready = p.Ready() {
			for _, u := range ready {
				u.Status = Done
			}
		}
		if done := p.Status() == Complete; done != (len(cycles) == 0) {
			t.Fatalf("seed %d: cycles %v, but %s", seed, cycles, statuses(p))
		}
		if len(cycles) > 0 {
			stuck++
		}
	}
	if stuck < 50 || stuck > 350 {
		t.Errorf("%d of 400 plans have cycles: the test tells little", stuck)
	}
}

// Findings of a plan must not depend on the order its files are given in.
func TestReadIsIndependentOfOrder(t *testing.T) {
	files := fileList("01-a", "id: A", "02-b", "id: b\nstatus: no", "02-b/01-c", "titel: x", "signals/s.md", signal("loud", ""))
	_, first := Read("p", "", files)
	want := rules(first)
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		_, found := Read("p", "", files)
		diag.Sort(found)
		equal(t, "findings", rules(found), want)
	}
}
