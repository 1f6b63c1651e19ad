package formats

import (
	"github.com/git-plan/git-plan/internal/form/planloop"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// planloopForm is the task list of planloop.
func planloopForm() Format {
	return Format{
		Name: "planloop", Extensions: []string{".json"}, Detect: planloop.Detect, Parse: parsePlanloop,
		Write: func(w Writing) ([]byte, []string) { return planloop.Write(w.Plan) },
	}
}

// parsePlanloop reads a list, which brings no id: it takes the one it is given.
func parsePlanloop(name string, data []byte) (*Plan, []diag.Diagnostic) {
	p, found := planloop.Parse(name, data)
	if p == nil {
		return nil, found
	}
	out := &Plan{IDPos: diag.Pos{Line: 1, Column: 1}, Place: p.Place}
	out.Files = func(onto *plan.Plan) ([]plan.File, []string) { return p.Files(onto, out.ID) }
	return out, nil
}
