// Package planjson reads and writes plans as the JSON document that
// `git plan show --json` prints.
//
// [Write] writes one, [Parse] reads one strictly, and [Plan.Files] makes our
// files of what was read. Whatever a plan's files say goes through it and comes
// back; how they say it, comments say, does not. The package does no I/O.
package planjson

import (
	"fmt"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// MaxFile bounds a document in bytes. A plan of the largest size fits unless
// half of it has to be escaped.
const MaxFile = 2 * plan.MaxPlan

// bounds limit what a document may hold: as many keys and items as a plan of
// [plan.MaxFiles] files may have in all, and tasks within tasks as deep as our
// folders may nest, each two levels, with a field's own depth below.
func bounds() form.Bounds {
	return form.Bounds{Bounds: plan.Bounds{Bytes: MaxFile, Keys: 20 * plan.MaxFiles, Items: 20 * plan.MaxFiles}, Depth: 2*plan.MaxDepth + 18}
}

// Plan is a document that was read.
type Plan struct {
	// ID is the plan's id, and IDPos its place.
	ID    string
	IDPos diag.Pos

	docs    []*form.Item
	derived map[string]plan.Node // what the document says of what follows from its tasks
}

// Detect reports whether a file looks like such a document.
func Detect(name string, data []byte) bool {
	fields, _ := form.ReadJSON(bounds(), name, data)
	return form.HasKeys(fields, "tasks", "id") && (form.HasKeys(fields, "title") || form.HasKeys(fields, "body"))
}

// Write writes a plan. What [Plan.Files] could not make again of the document
// is told in losses, a phrase each.
func Write(p *plan.Plan) (text []byte, losses []string) {
	text = form.JSON(render.Plan(p, ""))
	comments := 0
	for _, d := range p.Documents() {
		switch {
		case !d.Readable:
			losses = append(losses, d.Path+", which cannot be read")
		case d.HasComments():
			comments++
		}
	}
	for _, d := range p.Aside {
		losses = append(losses, d.Path+", whose name is not that of a task")
	}
	if comments > 0 {
		losses = append(losses, "comments, in "+words.Count(comments, "file"))
	}
	if len(text) > MaxFile {
		losses = append(losses, fmt.Sprintf("its size: more than %d bytes are not read back", MaxFile))
	}
	return text, losses
}
