package formats

import (
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// FuzzForms gives anything to the reader of every form. What is taken becomes
// files of ours that every writer can write; what is not has a finding with a
// place in the file.
func FuzzForms(f *testing.F) {
	for _, name := range []string{"p.yaml", "p.json", "p.md", "p.txt", "x"} {
		for _, text := range []string{
			`{"id":"auth","title":"T","tasks":[{"id":"one","title":"A","status":"done"}]}`, `{"tasks":[{"id":1,"title":"A","status":"TODO"}]}`,
			"id: plan-x\ntask: T\nstatus: pending\nversion: 1\ncurrentStepIndex: 0\nsteps:\n  - index: 0\n    description: a\n    status: pending\n",
			"GOAL: Build\n\n1 [ ] [act] Do it → out\n  > detail\n2 [x] [decide] Choose ← out\n", `[{"step_name":"step_1","step_type":"act","task":"x"},{"step_name":"exit","step_type":"flow","description":"EXIT_OK"}]`,
			"\x1b[31m\u202e", "",
		} {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		_, _ = Detect(name, []byte(text))
		for _, form := range All() {
			if form.Parse == nil {
				continue
			}
			p, found := form.Parse(name, []byte(text))
			errors, _ := diag.Count(found)
			if p == nil && errors == 0 {
				t.Fatalf("%s takes %q for nothing, without a word", form.Name, text)
			}
			for _, d := range found {
				if d.Pos.Line < 1 || d.Pos.Column < 1 {
					t.Fatalf("%s: %+v", form.Name, d)
				}
			}
			if p != nil && (p.Check == nil || len(p.Check()) == 0) && p.Files != nil {
				p.ID = "auth"
				files, _ := p.Files(nil)
				made, _ := plan.Read("auth", "", files)
				writeAll(made)
			}
		}
	})
}

// writeAll writes a plan in every form that can hold it.
func writeAll(p *plan.Plan) {
	for _, form := range All() {
		for _, json := range []bool{false, true} {
			if form.Write != nil {
				_, _, _ = form.Write(Writing{Plan: p, JSON: json})
			}
		}
	}
}
