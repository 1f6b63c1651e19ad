package plancmd

import (
	"testing"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// FuzzApply carries out the commands in anything that a model might answer. One
// that fails says why, and a plan to which none did reads as a plan again.
func FuzzApply(f *testing.F) {
	for _, s := range []string{
		"PLAN_CMD: DONE 1 | fine", "PLAN_CMD: ADD 1 [act] more\n> ← in\n> → out\n> text", "PLAN_CMD: REVISE 2 [decide] other", "PLAN_CMD: REPLAN 2", "PLAN_CMD: REPLAN ALL | why",
		"PLAN_CMD: SKIP 9.9 | x", "PLAN_CMD: ADD 1 [act] \x1b[31m\n---\nid: x\n---", "DONE 1\nFAIL 2 | \\|",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := sample(t)
		cmds, _ := planspec.ParseCommands(text)
		a := Apply(p, cmds, plan.Move{At: now(), Agent: "a"}, false)
		if len(a.Outcomes) != len(cmds) {
			t.Fatalf("%d outcomes of %d commands", len(a.Outcomes), len(cmds))
		}
		for _, o := range a.Outcomes {
			if o.Result == Failed && o.Err == nil || o.Result == Done && o.Err != nil || o.Err != nil && o.Err.Error() == "" {
				t.Fatalf("%+v", o)
			}
		}
		if a.Failed() {
			return
		}
		again, _ := plan.Read(p.ID, "", p.FileList())
		if len(again.All()) != len(p.All()) {
			t.Fatalf("%d tasks read as %d", len(p.All()), len(again.All()))
		}
	})
}
