package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// rounds is how many random cases a property is tried on.
func rounds() int {
	if os.Getenv("GIT_PLAN_TEST_SOAK") != "" {
		return 40_000
	}
	return 400
}

// editor makes random edits of a plan's files that leave a plan that passes
// the gate.
type editor struct {
	*rand.Rand
	name string // of the side, in what it adds
	n    int
}

func (e *editor) pick(words ...string) string { return words[e.IntN(len(words))] }

// edit gives the files after a few edits.
func (e *editor) edit(f files, edits int) files {
	for range edits {
		next := e.one(f)
		if passes(next.plan(), f.plan()) {
			f = next
		}
	}
	return f
}

func (e *editor) one(f files) files {
	p := f.plan()
	t := p.All()[e.IntN(len(p.All()))]
	switch e.IntN(12) {
	case 0:
		return e.add(f, p, "")
	case 1:
		return e.add(f, p, t.ID)
	case 2:
		return e.remove(f, p, t)
	case 3, 4, 5:
		return e.move(f, p, t)
	case 6, 7:
		return f.set(t.Doc, e.pick("title", "agent", "priority"), e.pick("low", "high", "medium"))
	case 8, 9:
		return e.list(f, t)
	case 10:
		return e.sentence(f, t)
	}
	id := "signals/" + e.pick("ci", "lint") + ".md"
	if f[id] != "" && e.IntN(2) == 0 {
		return f.with(id, "")
	}
	return f.with(id, signal(e.pick("blocker", "info"), e.pick(morning, noon, evening), "task: "+t.ID+"\n"))
}

// set sets a field of a file, if that can be done in place.
func (f files) set(d *plan.Document, key string, value any) files {
	next, err := d.Set(key, plan.Value(value))
	if err != nil {
		return f
	}
	return f.with(d.Path, next.Source)
}

func (e *editor) add(f files, p *plan.Plan, below string) files {
	dir, siblings := "tasks", p.Tasks
	if t := p.Task(below); t != nil {
		dir, siblings = strings.TrimSuffix(t.Doc.Path, ".md"), t.Children
	}
	if strings.Count(dir, "/") > 2 {
		return f
	}
	e.n++
	id := fmt.Sprintf("%s-%d", e.name, e.n)
	if e.IntN(3) == 0 {
		id = e.pick("same", "equal")
	}
	nn := 1
	for _, s := range siblings {
		nn = max(nn, s.NN+1)
	}
	on := p.All()[e.IntN(len(p.All()))].ID
	return f.with(fmt.Sprintf("%s/%02d-%s.md", dir, nn, id), task(id, "title: By "+e.name+"\ndepends_on: ["+on+"]\n"))
}

func (e *editor) remove(f files, p *plan.Plan, t *plan.Task) files {
	if len(p.Tasks) < 2 {
		return f
	}
	out := f.with(t.Doc.Path, "")
	for name := range f {
		if strings.HasPrefix(name, strings.TrimSuffix(t.Doc.Path, ".md")+"/") {
			out = out.with(name, "")
		}
	}
	return out
}

func (e *editor) move(f files, p *plan.Plan, t *plan.Task) files {
	at, _ := plan.ParseTime(e.pick(morning, noon, evening))
	m := plan.Move{To: plan.Statuses()[e.IntN(7)], Reopen: true, At: at, Agent: e.name, Result: e.pick("", "went well")}
	changed, err := p.Transition(t, m)
	if err != nil {
		return f
	}
	for _, c := range changed {
		f = f.with(c.Doc.Path, c.Doc.Source)
	}
	return f
}

func (e *editor) list(f files, t *plan.Task) files {
	key := e.pick("tags", "notes", "subtasks", "context_hints")
	items := slices.Clone(t.Doc.List(key))
	switch n := len(items); {
	case n > 0 && e.IntN(3) == 0:
		items = slices.Delete(items, 0, 1)
	case n > 1 && e.IntN(4) == 0:
		items[0], items[n-1] = items[n-1], items[0]
	default:
		items = slices.Insert(items, e.IntN(n+1), e.pick("alpha", "beta", "gamma", e.name))
	}
	return f.set(t.Doc, key, items)
}

func (e *editor) sentence(f files, t *plan.Task) files {
	all := lines(t.Doc.Source)
	at := len(all) - e.IntN(5)
	all = slices.Insert(all, at, fmt.Sprintf("Says %s %d.\n", e.name, e.IntN(3)))
	return f.with(t.Doc.Path, strings.Join(all, ""))
}

// passes reports whether the gate lets a plan by.
func passes(p *plan.Plan, parents ...*plan.Plan) bool { return len(faults(p, parents...)) == 0 }

func faults(p *plan.Plan, parents ...*plan.Plan) []string {
	q, found := plan.Read(p.ID, "", p.FileList())
	in := validate.Input{Plan: q, Found: found, Scope: validate.Change, Stored: true}
	if len(parents) > 0 {
		in.Parent, in.Sides = parents[0], parents[1:]
	}
	return diag.Lines(slices.DeleteFunc(validate.Run(in, validate.DefaultGates(), validate.Base), func(d diag.Diagnostic) bool { return d.Severity != diag.Error }))
}

// scenario is three states of a plan.
func scenario(seed uint64) (b, o, t files) {
	r := rand.New(rand.NewPCG(seed, 7))
	b = (&editor{Rand: r, name: "start"}).edit(base(), r.IntN(6))
	o = (&editor{Rand: r, name: "mine"}).edit(b, 1+r.IntN(6))
	t = (&editor{Rand: r, name: "yours"}).edit(b, 1+r.IntN(6))
	return b, o, t
}

func TestProperties(t *testing.T) {
	clean, refused := 0, 0
	for seed := range uint64(rounds()) {
		b, o, th := scenario(seed)
		fail := func(format string, args ...any) {
			t.Fatalf("seed %d: %s\nbase:\n%s\nours:\n%s\ntheirs:\n%s", seed, fmt.Sprintf(format, args...), show(b.plan()), show(o.plan()), show(th.plan()))
		}
		if r := Plans(b.plan(), o.plan(), b.plan(), Options{}); !r.Clean() || show(r.Plan) != show(o.plan()) {
			fail("one side changed, and the result is another:\n%s", show(r.Plan))
		}
		if r := Plans(b.plan(), o.plan(), o.plan(), Options{}); !r.Clean() || show(r.Plan) != show(o.plan()) {
			fail("both sides agree, and the result is another:\n%s", show(r.Plan))
		}
		r := Plans(b.plan(), o.plan(), th.plan(), Options{})
		if lost := lost(b.plan(), o.plan(), th.plan(), r); lost != "" {
			fail("%s is lost:\n%s\n%q", lost, show(r.Plan), r.Notes)
		}
		if !r.Clean() {
			continue
		}
		clean++
		for _, f := range faults(r.Plan, o.plan(), th.plan()) {
			if refused++; !strings.Contains(f, "depends-") {
				fail("the gate says %s:\n%s", f, show(r.Plan))
			}
		}
		// Merged again into either side it is what it is.
		if again := Plans(o.plan(), o.plan(), r.Plan, Options{}); show(again.Plan) != show(r.Plan) {
			fail("merged again:\n%s", show(again.Plan))
		}
	}
	t.Logf("%d of %d merges are clean, the gate refuses %d of them", clean, rounds(), refused)
	if clean < rounds()/5 || clean == rounds() {
		t.Errorf("%d of %d merges are clean: the cases say little", clean, rounds())
	}
}

// lost names a task or an item that both sides had, or one of them made, and
// the result has not.
func lost(b, o, t *plan.Plan, r Result) string {
	for _, k := range append(slices.Clone(o.All()), t.All()...) {
		inBoth := o.Task(k.ID) != nil && t.Task(k.ID) != nil
		got := r.Plan.Task(k.ID)
		if got == nil && (inBoth || b.Task(k.ID) == nil) {
			return "task " + k.ID
		}
		for _, key := range []string{"tags", "notes", "subtasks", "context_hints"} {
			for _, item := range k.Doc.List(key) {
				other := o
				if o.Task(k.ID) == k {
					other = t
				}
				if inBoth && slices.Contains(other.Task(k.ID).Doc.List(key), item) && !slices.Contains(got.Doc.List(key), item) && b.Task(k.ID) != nil {
					return "item " + item + " of " + key + " of " + k.ID
				}
			}
		}
	}
	return ""
}

// A list may have as many items as frontmatter holds.
func TestLongListsMergeQuickly(t *testing.T) {
	for _, identity := range map[string]func(string) string{"items": func(s string) string { return s }, "checklists": unticked} {
		gittest.Linear(t, "lists", 8_000, func(n int) func() {
			of := func(mark string) []string {
				var out []string
				for i := range n {
					out = append(out, fmt.Sprintf("[ ] %d", i/2), fmt.Sprintf("[x] %s-%d", mark, i))
				}
				return out
			}
			base, ours, theirs := of("base"), of("ours"), of("theirs")
			return func() { mergeList(base, ours, theirs, identity) }
		})
	}
}
