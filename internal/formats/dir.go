package formats

import (
	"path"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// dirForm is our own form: a folder of markdown files.
func dirForm() Format {
	return Format{
		Name: "dir", Detect: func(string, []byte) bool { return false },
		ParseFolder: parseDir, Folder: writeDir,
	}
}

// parseDir takes the files as they are; the gate judges them.
func parseDir(dir string, files []plan.File) (*Plan, []diag.Diagnostic) {
	if !slices.ContainsFunc(files, func(f plan.File) bool { return f.Path == "plan.md" }) {
		return nil, []diag.Diagnostic{{Path: dir, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RulePlanMissing,
			Message: "the folder holds no plan.md", Hint: "name the folder of a plan"}}
	}
	return &Plan{
		ID: path.Base(dir), IDPos: diag.Pos{Line: 1, Column: 1},
		Files: func(*plan.Plan) ([]plan.File, []string) { return files, nil },
	}, nil
}

func writeDir(w Writing) (map[string][]byte, []string) {
	var losses []string
	for _, d := range w.Plan.Aside {
		losses = append(losses, d.Path+", whose name is not that of a task")
	}
	return w.Plan.Files(), losses
}
