package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// mirror checks that the difference the other way round has the same plans,
// tasks, fields and edges with old and new swapped.
func mirror(t *testing.T, a, b *plan.Plan) {
	t.Helper()
	forth, back := compare(a, b), compare(b, a)
	x, y := facts(forth, false), facts(back, true)
	if !slices.Equal(x, y) {
		t.Errorf("not mirror images:\n%s\n\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
}

// facts writes each part of a result as a line, in no order of its own. Where
// swapped is set, old and new change places; a task is named by what it was
// and what it is.
func facts(r *Result, swapped bool) []string {
	swap := func(c Change) Change {
		other := map[Change]Change{Added: Removed, Removed: Added, Archived: Restored, Restored: Archived}[c]
		if !swapped || other == "" {
			return c
		}
		return other
	}
	name := func(t Task) string {
		old, now := "", ""
		if t.Before != nil {
			old = t.Before.Doc.Path
		}
		if t.After != nil {
			now = t.After.Doc.Path
		}
		if swapped {
			old, now = now, old
		}
		return old + "|" + now
	}
	var out []string
	for _, p := range r.Plans {
		out = append(out, fmt.Sprintf("plan %s %s", p.ID, swap(p.Change)))
		for _, f := range p.Fields {
			out = append(out, "field "+fieldFact(f, swapped))
		}
		for _, task := range p.Tasks {
			out = append(out, fmt.Sprintf("task %s %s", name(task), swap(task.Change)))
			for _, f := range task.Fields {
				out = append(out, "field "+name(task)+" "+fieldFact(f, swapped))
			}
		}
		out = append(out, fmt.Sprintf("%d files", len(p.Spelling)))
		came, went := len(p.Edges.Added), len(p.Edges.Removed)
		if swapped {
			came, went = went, came
		}
		out = append(out, fmt.Sprintf("edges +%d -%d", came, went))
	}
	slices.Sort(out)
	return out
}

func fieldFact(f Field, swapped bool) string {
	if swapped {
		f.Old, f.New = f.New, f.Old
	}
	return fmt.Sprintf("%s %v -> %v", f.Name, f.Old, f.New)
}

// randomPlan makes a plan of tasks whose fields are drawn from little, so that
// two of them have much in common.
func randomPlan(r *rand.Rand) *plan.Plan {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var pairs []string
	for i := range 2 + r.IntN(7) {
		id := fmt.Sprintf("t%d", r.IntN(10))
		front := "id: " + id
		for _, line := range []string{"status: " + pick("pending", "done", "failed"), "title: " + pick("One", "Two", "Three words here"), "tags: [" + pick("a", "b", "a, b", "b, a") + "]",
			"depends_on: [" + pick("t1", "t2, t3", "t4") + "]", "x-a: " + pick("1", "{b: c}"), "estimate: " + pick("1h", "2d")} {
			if r.IntN(3) == 0 {
				front += "\n" + line
			}
		}
		pairs = append(pairs, fmt.Sprintf("tasks/%s%02d-%s.md", pick("", "", "01-x/"), i+1, pick("x", "y")),
			"---\n"+front+"\n---\n"+pick("Do it.", "Do it now, and well.", "Something else.", "Do it.\n\nAnd more.")+"\n")
	}
	if r.IntN(3) == 0 {
		pairs = append(pairs, "signals/ci.md", "---\nlevel: "+pick("info", "blocker")+"\n---\nx\n")
	}
	return files(pairs...)
}

func TestMirror(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := randomPlan(r), randomPlan(r)
		if got := brief(compare(a, a)); got != "" {
			t.Fatalf("seed %d: a plan differs from itself: %s", seed, got)
		}
		mirror(t, a, b)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// large makes a plan of n tasks in groups of 90.
func large(n int, salt string) *plan.Plan {
	var pairs []string
	for i := range n {
		front := fmt.Sprintf("id: t%d\ntags: [a, b]\noutputs: [o%d]", i, i%50)
		if i > 0 {
			front += fmt.Sprintf("\ndepends_on: [t%d, t%d]", i-1, i/2)
		}
		text := fmt.Sprintf("Task %d of this plan does one thing and does it %s.\n\nAnd then it is %s done, by %d.\n", i, salt, salt, i*7%31)
		pairs = append(pairs, fmt.Sprintf("tasks/%02d-g/%02d-t.md", i/90, i%90), "---\n"+front+"\n---\n"+text)
	}
	return files(pairs...)
}

// Two plans of many tasks, each of which differs, are compared and written in
// every form in a time that grows with the tasks.
func TestLarge(t *testing.T) {
	gittest.Linear(t, "compared and written", 2400, func(tasks int) func() {
		a, b := large(tasks, "well"), large(tasks, "badly")
		return func() {
			r := compare(a, b)
			if len(r.Plans) != 1 || len(r.Plans[0].Tasks) != tasks {
				t.Fatal("not every task differs")
			}
			for _, write := range writers() {
				var b strings.Builder
				if err := write(&b, r); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkCompare5000(b *testing.B) {
	x, y := large(5000, "well"), large(5000, "badly")
	for b.Loop() {
		compare(x, y)
	}
}
