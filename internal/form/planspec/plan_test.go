package planspec_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Whatever a PlanSpec says, the plan that is made of it says the same, and
// passes the gate; so it is when it is laid over another plan.
func TestIdentity(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 7))}
	rounds := 1_500
	if testing.Short() {
		rounds = 300
	}
	var before *plan.Plan
	for range rounds {
		doc := g.plan()
		spec := planspec.OutlineOf(doc)
		p := stored(t, spec, nil)
		same(t, spec, p)
		if again := stored(t, spec, p); !slices.Equal(sources(again), sources(p)) {
			t.Fatalf("laid over itself it changes:\n%q\n%q", sources(p), sources(again))
		}
		if before != nil {
			same(t, spec, stored(t, spec, before))
		}
		edited := planspec.OutlineOf(g.edit(doc))
		same(t, edited, stored(t, edited, p))
		before = p
	}
}

// stored makes the files, which pass the gate, and reads them.
func stored(t testing.TB, spec *form.Outline, onto *plan.Plan) *plan.Plan {
	t.Helper()
	if found := planspec.Check(spec); len(found) > 0 {
		t.Fatalf("%v in %s", found, text(spec))
	}
	_, files, _ := planspec.Files(spec, onto)
	p, found := plan.Read("p", "p", files)
	found = slices.DeleteFunc(validate.Run(validate.Input{Plan: p, Found: found}, validate.Gates{}, validate.Base),
		func(d diag.Diagnostic) bool { return d.Severity != diag.Error || d.Rule == "depends-cycle" })
	if len(found) > 0 {
		t.Fatalf("%v in %s\n%q", found, text(spec), sources(p))
	}
	return p
}

func same(t testing.TB, spec *form.Outline, p *plan.Plan) {
	t.Helper()
	want := spec.Clone()
	sorted(want.Items)
	got, losses := planspec.FromPlan(p)
	if !bytes.Equal(planspec.EncodeJSON(got), planspec.EncodeJSON(want)) {
		t.Fatalf("%s\ncomes back as\n%s\nof %q", text(want), text(got), sources(p))
	}
	if len(losses) > 0 && !slices.ContainsFunc(p.All(), func(t *plan.Task) bool { return t.Slug != t.ID }) {
		for _, l := range losses {
			if !strings.HasPrefix(l, "the file's name") && !strings.HasPrefix(l, "`id`") {
				t.Fatalf("losses %q of %q", losses, sources(p))
			}
		}
	}
}

func sorted(steps []*form.Item) {
	slices.SortFunc(steps, func(a, b *form.Item) int { return cmp.Compare(form.Last(a.Number), form.Last(b.Number)) })
	for _, s := range steps {
		sorted(s.Children)
	}
}

func text(p *form.Outline) string {
	text, err := planspec.Serialize(p)
	if err != nil {
		return err.Error()
	}
	return text
}

func sources(p *plan.Plan) []string {
	var out []string
	for _, d := range p.Documents() {
		out = append(out, d.Path+"\n"+d.Source)
	}
	return out
}

// The complete example of the format comes back byte for byte.
func TestComplete(t *testing.T) {
	data, err := os.ReadFile("testdata/complete.md")
	if err != nil {
		t.Fatal(err)
	}
	spec, found := planspec.Parse(string(data))
	if len(found) > 0 {
		t.Fatal(found)
	}
	got, losses := planspec.FromPlan(stored(t, spec, nil))
	if text(got) != string(data) || len(losses) > 0 {
		t.Errorf("%q\n%s", losses, text(got))
	}
}

func TestLimits(t *testing.T) {
	var many, deep strings.Builder
	many.WriteString("Goal: g\n## Steps\n")
	for i := range 5_000 {
		fmt.Fprintf(&many, "%d. [act] a\n", i+1)
	}
	deep.WriteString("Goal: g\n## Steps\n")
	id := ""
	for range plan.MaxDepth + 2 {
		id += "1."
		deep.WriteString(id + " [subtask] a\n")
	}
	for _, test := range []struct{ text, want string }{
		{many.String(), "102:1: step 100: at most 99 steps can be stored beside each other, numbered up to 99"},
		{"Goal: g\n## Steps\n1. [subtask] a\n  1.7. [act] a\n  1.120. [act] b\n", "5:3: step 1.120: at most 99 steps can be stored beside each other, numbered up to 99"},
		{deep.String(), "19:1: step 1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1 is deeper than the 16 levels of tasks that can be stored"},
		{"Goal: g\n## Steps\n1. [act] a\n2. [act] b\u202e\n", "4:1: step 2: the bidirectional control character U+202E"},
		{"Goal: g\a\n## Steps\n1. [act] a\n", "1:1: the control character U+0007"},
	} {
		spec, found := planspec.Parse(test.text)
		if len(found) > 0 {
			t.Fatal(found)
		}
		found = planspec.Check(spec)
		if len(found) != 1 || found[0].Pos.String()+": "+found[0].Message != test.want {
			t.Errorf("got %v, want %s", found, test.want)
		}
	}
}

// What a plan has and a PlanSpec has not is told, and stays where the plan is
// stored.
func TestLosses(t *testing.T) {
	p, found := plan.Read("p", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Demo\ntags: [x] # why\n---\n\nA story.\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: first\ntitle: One\nstatus: failed\nerror: broke\ninputs: [raw data]\n---\n\n# One\n\nText\n")},
		{Path: "tasks/02-two.md", Data: []byte("---\nid: two\ndepends_on: [first]\n---\n\n# Two\n")},
		{Path: "signals/s.md", Data: []byte("---\nlevel: info\n---\n\nNote\n")},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	spec, losses := planspec.FromPlan(p)
	want := []string{"`tags`, the text of the plan", "`id`, in 1 task", "`failed`, which is written as blocked, in 1 task", "`inputs`, in 1 task",
		"`error`, in 1 task", "that there is no `kind`, which is written as act, in 2 tasks", "`depends_on`, in 1 task",
		"the comments in 1 file", "1 open signal"}
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(losses)); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := text(spec); got != "Goal: Demo\n## Steps\n1. [!] [act] One\n  > ← raw_data\n  > # One\n  >\n  > Text\n2. [act] Two\n  > # Two\n" {
		t.Errorf("got %s", got)
	}
	if again := stored(t, spec, p); !slices.Equal(sources(again), sources(p)) {
		t.Errorf("laid over itself it changes: %q", sources(again))
	}
}

// What waited for a task that is gone waits for the one above it.
func TestHeir(t *testing.T) {
	p, _ := plan.Read("p", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Demo\n---\n\nDemo\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\ntitle: One\nkind: subtask\n---\n\nOne\n")},
		{Path: "tasks/01-one/01-a.md", Data: []byte("---\nid: a\ntitle: A\nkind: act\n---\n\nA\n")},
		{Path: "tasks/01-one/02-b.md", Data: []byte("---\nid: b\ntitle: B\nkind: act\ndepends_on: [a]\n---\n\nB\n")},
		{Path: "tasks/02-two.md", Data: []byte("---\nid: two\ntitle: Two\nkind: act\nstatus: done\nlease_until: 2026-01-01T00:00:00Z\ndepends_on: [a]\n---\n\nTwo\n")},
	})
	spec, _ := planspec.Parse("Goal: Demo\n## Steps\n1. [subtask] One\n  1.2. [act] B\n3. [>] [act] Two\n")
	_, files, losses := planspec.Files(spec, p)
	want := []string{"that `b` depends on `a`, which is gone", "that `two` depends on `a`, which is gone: it waits for `one`"}
	if !slices.Equal(losses, want) {
		t.Errorf("losses %q", losses)
	}
	last := files[len(files)-1]
	if last.Path != "tasks/03-two.md" || !strings.Contains(string(last.Data), "status: in_progress\nlease_until: 2026-01-01T00:00:00Z\ndepends_on: [one]\n") {
		t.Errorf("%s: %s", last.Path, last.Data)
	}
}

func FuzzIdentity(f *testing.F) {
	g := generator{rand.New(rand.NewPCG(2, 7))}
	for range 20 {
		f.Add(text(planspec.OutlineOf(g.plan())))
	}
	f.Add("Goal: g\n## Steps\n2. [act] Step 2\n  > Step 2\n3. [act]\n  >\n  >\n")
	f.Fuzz(func(t *testing.T, source string) {
		spec, found := planspec.Read("p", source)
		if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) || len(planspec.Check(spec)) > 0 {
			return
		}
		_, files, _ := planspec.Files(spec, nil)
		p, found := plan.Read("p", "p", files)
		if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule != plan.RuleEncoding && d.Rule != plan.RuleLimits }) {
			t.Fatalf("%v of %q", found, source)
		}
		if len(found) == 0 {
			same(t, spec, p)
		}
	})
}

// generator makes plans whose text is full of what both forms are made of.
type generator struct{ *rand.Rand }

func (g generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) fragment() string {
	return g.pick("|", " | ", "→", " → ", "\\", "[x]", "[act]", "[", "]", "Progress:", "Progress: 3/4", "←", "← a, b", ">", "# Plan:", "## Steps",
		"Goal:", "- ", "1.", "2.1. ", "a", "word", " ", "  ", ",", "中文", "\u3000", "🙂", "e\u0301", "\u00a0", "\t", "\ufeff", "\u200b", "\u2028",
		"---", ": ", " #", "'", "\"", "{", "&a", "*a", "!!str", "%", "@", "`", "~", "null", "true", "0x1", "2026-01-01", "```", "\U000e0001")
}

func (g generator) text() string { return strings.TrimSpace(g.indented()) }

func (g generator) indented() string {
	if g.IntN(6) == 0 {
		return g.pick("", "Step 1", "Step 2", "a")
	}
	var b strings.Builder
	for range g.IntN(7) {
		b.WriteString(g.fragment())
	}
	return strings.TrimRightFunc(b.String(), unicode.IsSpace)
}

func (g generator) name() string {
	return cmp.Or(strings.Join(strings.FieldsFunc(g.indented(), func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), "_"), "n"+strconv.Itoa(g.IntN(9)))
}

func (g generator) list(most int, item func() string) []string {
	var out []string
	for range g.IntN(most + 1) {
		out = append(out, item())
	}
	return out
}

func (g generator) plan() planspec.Document {
	p := planspec.Document{Title: g.text(), Goal: cmp.Or(g.text(), "g"), GoalDetail: g.list(2, g.indented), Constraints: g.list(2, g.text)}
	for len(p.Steps) == 0 {
		p.Steps = g.steps("", 3)
	}
	unique(p.Steps, map[string]bool{})
	return p
}

func unique(steps []planspec.Step, names map[string]bool) {
	for i := range steps {
		if names[steps[i].Name] {
			steps[i].Name = ""
		}
		names[steps[i].Name] = true
		unique(steps[i].Children, names)
	}
}

func (g generator) steps(parent string, deep int) []planspec.Step {
	var out []planspec.Step
	n := 0
	for range g.IntN(4) {
		n += 1 + g.IntN(5)/4*g.IntN(20)
		out = append(out, g.step(form.Below(parent, n), deep))
	}
	return out
}

func (g generator) step(id string, deep int) planspec.Step {
	s := planspec.Step{ID: id, Type: g.pick(planspec.Types()...), Description: g.text(), Status: planspec.Statuses()[g.IntN(5)].Word,
		Detail: g.list(3, g.indented), Inputs: g.list(2, g.name), Outputs: g.list(2, g.name), Result: g.text()}
	if g.IntN(4) == 0 {
		s.Name = g.name()
	}
	if g.IntN(4) == 0 {
		s.Detail = []string{s.Description}
	}
	if g.IntN(4) == 0 {
		s.DoneCount = g.IntN(5)
	}
	if g.IntN(4) == 0 {
		total := g.IntN(5)
		s.TotalCount = &total
	}
	if planspec.IsContainer(s.Type) && deep > 1 {
		s.Children = g.steps(id, deep-1)
	}
	return s
}

// edit changes some of a plan.
func (g generator) edit(p planspec.Document) planspec.Document {
	p.Steps = g.edited(p.Steps)
	if g.IntN(3) == 0 {
		p.Title, p.Constraints = g.text(), g.list(2, g.text)
	}
	unique(p.Steps, map[string]bool{})
	return p
}

func (g generator) edited(steps []planspec.Step) []planspec.Step {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		other := g.step(s.ID, 1)
		switch g.IntN(8) {
		case 0:
			s.Description = other.Description
		case 1:
			s.Detail = other.Detail
		case 2:
			s.Status, s.Result = other.Status, other.Result
		case 3:
			s.DoneCount, s.TotalCount, s.Name = other.DoneCount, other.TotalCount, other.Name
		case 4:
			s.Inputs, s.Outputs = other.Inputs, other.Outputs
		}
		s.Children = g.edited(s.Children)
	}
	return steps
}
