package rawko

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// comeBack takes a plan through our files and back. What was lost on the way
// must have been told.
func comeBack(t *testing.T, p *Plan) {
	t.Helper()
	files, losses := p.Files(nil)
	id := p.BaseID()
	if !plan.IsKebab(id) || id == "archive" {
		id = "plan"
	}
	made, found := plan.Read(id, "", files)
	judged := validate.Run(validate.Input{Plan: made, Found: found, Stored: true}, validate.DefaultGates(), validate.Base)
	if errs, _ := diag.Count(judged); errs > 0 && !tooLarge(judged) {
		t.Fatalf("what was made is refused: %v\n%s", judged, p.YAML())
	}
	if len(found) > 0 {
		return
	}
	updated, err := plan.ParseTime(p.UpdatedAt)
	if err != nil {
		t.Fatal(err)
	}
	back, _ := FromPlan(made, updated)
	if len(losses) > 0 {
		return
	}
	want := *p
	want.UpdatedAt = plan.FormatTime(updated)
	if id != p.BaseID() {
		want.ID = back.ID
	}
	if !same(&want, back) {
		t.Fatalf("it was\n%s\nand nothing was said to be lost; it became\n%s", want.YAML(), back.YAML())
	}
}

func tooLarge(found []diag.Diagnostic) bool {
	for _, d := range found {
		if d.Rule != plan.RuleLimits && d.Severity == diag.Error {
			return false
		}
	}
	return true
}

// rewritten checks that what is written is read back as it was.
func rewritten(t *testing.T, p *Plan) {
	t.Helper()
	for name, text := range map[string][]byte{"p.yaml": p.YAML(), "p.json": p.JSON()} {
		again, found := Parse(name, text)
		if again == nil && len(text) > MaxFile {
			continue
		}
		if again == nil {
			t.Fatalf("what was written cannot be read: %v\n%s", found, text)
		}
		if !same(p, again) {
			t.Fatalf("written and read it is another:\n%s\n%s", p.JSON(), again.JSON())
		}
	}
}

// FuzzParse reads anything: what is accepted is written and read back alike,
// and survives the way through our files but for what is said to be lost.
func FuzzParse(f *testing.F) {
	f.Add("p.yaml", string(example(f)))
	p := parse(f, "p.yaml", string(example(f)))
	f.Add("p.json", string(p.JSON()))
	f.Add("", "{}")
	f.Add("p.yaml", "id: x-v2\npreviousPlanId: x\ntask: |\n  a\n  b\nstatus: failed\nversion: 2\ncurrentStepIndex: 0\ncreatedAt: 2026-01-01\nupdatedAt: 2026-01-01\ncreatedBy: me\nmetadata: {tags: []}\nsteps:\n  - index: 0\n    description: \"a b\"\n    status: failed\n    error: |2\n\n       x\n    dependsOn: []\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(text) > 1<<16 {
			return
		}
		p, found := Parse(name, []byte(text))
		if (p == nil) != (len(found) > 0) {
			t.Fatalf("a plan %v and findings %v", p != nil, found)
		}
		for _, d := range found {
			if !d.Pos.IsValid() || d.Severity != diag.Error || strings.Contains(d.Message, "\n") {
				t.Fatalf("a finding without a place or of several lines: %#v", d)
			}
		}
		if p == nil {
			return
		}
		rewritten(t, p)
		comeBack(t, p)
	})
}

// TestRoundTrips takes made-up plans of this form through our files.
func TestRoundTrips(t *testing.T) {
	for seed := range uint64(300) {
		p := madeUp(rand.New(rand.NewPCG(seed, 1)))
		rewritten(t, p)
		comeBack(t, p)
	}
}

// madeUp makes a plan as rawko might have it.
func madeUp(r *rand.Rand) *Plan {
	p := &Plan{
		ID: "plan-x", Task: someText(r), Status: "in_progress", Version: 1 + r.IntN(4), CreatedAt: "2026-01-23T10:00:00.000Z",
		UpdatedAt: "2026-01-23T10:35:00Z", CreatedBy: "planner", Steps: []Step{},
	}
	if p.Version > 1 {
		before := versioned("plan-x", p.Version-1)
		p.ID, p.PreviousPlanID = versioned("plan-x", p.Version), &before
	}
	for i := range r.IntN(8) {
		s := Step{Index: i, Description: someText(r), Status: stepStatuses()[r.IntN(5)]}
		for _, to := range []**string{&s.SuggestedAgent, &s.ExecutedBy, &s.Output, &s.Error, &s.Instructions} {
			if r.IntN(2) == 0 {
				text := someText(r)
				*to = &text
			}
		}
		if i > 0 && r.IntN(2) == 0 {
			s.DependsOn = []int{r.IntN(i)}
		}
		if r.IntN(3) == 0 {
			s.AffectedFiles, s.AcceptanceCriteria = []string{}, []string{someText(r), someText(r)}
		}
		p.Steps = append(p.Steps, s)
	}
	if r.IntN(2) == 0 {
		n := 1 + r.IntN(10)
		p.Metadata = &Metadata{Complexity: &n, Tags: []string{}, Constraints: []string{someText(r)}}
	}
	files, _ := p.Files(nil) // status and place follow from the steps
	made, _ := plan.Read("plan-x", "", files)
	derived, _ := FromPlan(made, time.Time{})
	p.Status, p.CurrentStepIndex = derived.Status, derived.CurrentStepIndex
	return p
}

func someText(r *rand.Rand) string {
	all := []string{"a", "yes", "- b", "c: d", "#e", "'f'", "\"g\"", "ü", "null", "12", "[x]", "h|i", "&j", "\\k", "{l}", "%m", "@n", "--- o"}
	text := all[r.IntN(len(all))]
	for range r.IntN(3) {
		text += " " + all[r.IntN(len(all))]
	}
	return text
}

// TestOurs takes plans of ours, with all that this form cannot hold, through it
// and back onto themselves: nothing is lost then but the tree.
func TestOurs(t *testing.T) {
	for seed := range uint64(200) {
		p := ourOwn(t, rand.New(rand.NewPCG(seed, 2)))
		out, _ := FromPlan(p, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		rewritten(t, out)
		files, losses := out.Files(p)
		if len(losses) > 0 {
			t.Fatalf("seed %d: losses: %v", seed, losses)
		}
		for _, f := range files {
			if want := p.Files()[f.Path]; string(want) != string(f.Data) {
				t.Fatalf("seed %d: %s was\n%s\nand became\n%s", seed, f.Path, want, f.Data)
			}
		}
		if len(files) != len(p.Files()) {
			t.Fatalf("seed %d: %d files became %d", seed, len(p.Files()), len(files))
		}
	}
}

// ourOwn makes a flat plan of ours with fields that rawko does not know.
func ourOwn(t *testing.T, r *rand.Rand) *plan.Plan {
	files := []plan.File{{Path: "plan.md", Data: []byte("---\n# a comment\ntitle: A plan\ngoal: Reach " + fmt.Sprint(r.IntN(9)) +
		"\ngates: base\nmax_replans: 5\ncreated_at: 2026-01-01T00:00:00Z\ncreated_by: me\nx-mine: {a: 1}\n---\n\nWhy so.\n")}}
	for i := range 1 + r.IntN(9) {
		text := fmt.Sprintf("---\nid: t%d\npriority: %s # why\nstatus: %s\n", i, []string{"low", "high"}[r.IntN(2)], plan.Statuses()[r.IntN(7)])
		if i > 0 && r.IntN(2) == 0 {
			text += fmt.Sprintf("depends_on: [t%d]\n", r.IntN(i))
		}
		if r.IntN(2) == 0 {
			text += "context_hints: [look]\ntitle: 'Do it'\n"
		}
		text += fmt.Sprintf("outputs: [o%d]\n---\n\n# Step %d\n\nText.\n", i, i)
		files = append(files, plan.File{Path: fmt.Sprintf("tasks/%02d-s%d.md", i+1, i), Data: []byte(text)})
	}
	return ours(t, "a-plan", files)
}

// Text that no YAML holds as it is stands there in escapes that mean it.
func TestOddText(t *testing.T) {
	for _, text := range []string{"\x1b[31m", "a\u009bb", "\u202e\u200b\u2028\ufeff", "\U000e0001", "\x7f\b\r\x00", "two\nlines\tand \"more\" \\"} {
		written := scalar(plan.Value(text))
		if diag.Printable(written) != written {
			t.Errorf("%q is written as %q", text, written)
		}
		p, _ := plan.Read("p", "", []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: t\nx-a: " + written + "\n---\nb\n")}})
		if got := p.Doc.Text("x-a"); got != text {
			t.Errorf("%q came back as %q", text, got)
		}
	}
}
