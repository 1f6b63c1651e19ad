package formats

import (
	"github.com/git-plan/git-plan/internal/form/planjson"
	"github.com/git-plan/git-plan/plan/diag"
)

// jsonForm is the document of `git plan show --json`.
func jsonForm() Format {
	return Format{
		Name: "json", Extensions: []string{".json"}, Detect: planjson.Detect, Parse: parseJSON,
		Write: func(w Writing) ([]byte, []string) { return planjson.Write(w.Plan) },
	}
}

func parseJSON(name string, data []byte) (*Plan, []diag.Diagnostic) {
	p, found := planjson.Parse(name, data)
	if p == nil {
		return nil, found
	}
	return &Plan{ID: p.ID, IDPos: p.IDPos, Files: p.Files, Place: p.Place}, nil
}
