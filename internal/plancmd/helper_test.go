package plancmd

import (
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func by() plan.Move { return plan.Move{At: now(), Agent: "me", Lease: time.Hour} }

// build makes a plan of task paths and frontmatters in turn; each title is the
// task's id.
func build(t testing.TB, pairs ...string) *plan.Plan {
	t.Helper()
	files := []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: P\n---\nWhy.\n")}}
	for i := 0; i < len(pairs); i += 2 {
		name, front := pairs[i], pairs[i+1]
		id, _, _ := strings.Cut(strings.TrimPrefix(front, "id: "), "\n")
		files = append(files, plan.File{Path: "tasks/" + name + ".md", Data: []byte("---\n" + front + "\ntitle: " + id + "\n---\n\n" + id + "\n")})
	}
	p, found := plan.Read("p", "", files)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

// again reads a plan's files anew.
func again(p *plan.Plan) (*plan.Plan, []diag.Diagnostic) {
	return plan.Read(p.ID, p.Prefix, p.FileList())
}

// gate gives the errors of the gate, as "file: rule".
func gate(before, after *plan.Plan) string {
	q, found := again(after)
	in := validate.Input{Plan: q, Found: found, Parent: before, Stored: true}
	var out []string
	for _, d := range validate.Run(in, validate.DefaultGates(), validate.Base) {
		if d.Severity == diag.Error {
			out = append(out, d.Path+": "+d.Rule)
		}
	}
	return strings.Join(out, ", ")
}

// tree writes a plan's tasks, a line each: number, id, status, kind, title and
// what they take and give.
func tree(p *plan.Plan) string {
	var b strings.Builder
	for _, t := range p.All() {
		parts := []string{t.Number(), t.ID, string(t.Status), t.Kind}
		if t.Title() != t.ID {
			parts = append(parts, "'"+t.Title()+"'")
		}
		for _, list := range []string{"depends_on", "inputs", "outputs"} {
			if items := t.Doc.List(list); len(items) > 0 {
				parts = append(parts, list+"="+strings.Join(items, ","))
			}
		}
		if r := t.Doc.Text("result"); r != "" {
			parts = append(parts, "| "+r)
		}
		b.WriteString(strings.Join(parts, " ") + "\n")
	}
	return b.String()
}

// told writes outcomes, a line each.
func told(all []Outcome) string {
	var b strings.Builder
	for _, o := range all {
		b.WriteString(o.Command.Op + " " + o.Command.StepID + ": " + string(o.Result))
		if o.Err != nil {
			b.WriteString(": " + o.Err.Error())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func apply(t testing.TB, p *plan.Plan, text string) *Applied {
	t.Helper()
	cmds, found := planspec.ParseCommands(text)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return Apply(p, cmds, by(), false)
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}
