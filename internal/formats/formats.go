// Package formats is the table of forms, other than our own, that plans are
// read from and written in.
//
// [Find] gives a form by name, [Detect] tells which one a file is in. Each form
// has a package of its own; a new one is a row here.
package formats

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planjson"
	"github.com/git-plan/git-plan/internal/form/planloop"
	"github.com/git-plan/git-plan/internal/form/rawko"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// MaxFile bounds a file of any form, in bytes; a form may have a lower bound.
const MaxFile = planjson.MaxFile

// Format is one form.
type Format struct {
	Name string
	// Extensions are those of files that may be in this form, with their dots.
	Extensions []string
	// Detect reports whether a file looks like one of this form.
	Detect func(name string, data []byte) bool
	// Parse reads a file. Findings have places in the file; the plan is nil where
	// one is an error. It is nil for a form that is a folder.
	Parse func(name string, data []byte) (*Plan, []diag.Diagnostic)
	// ParseFolder reads the files of a folder that has that path; nil for a form
	// that is a file.
	ParseFolder func(dir string, files []plan.File) (*Plan, []diag.Diagnostic)
	// Write writes a plan, as JSON where that is asked for and the form has
	// two notations. The error says why the form cannot hold it. It is nil for a form
	// that is a folder.
	Write func(w Writing) (text []byte, losses []string, err error)
	// Folder writes a plan as the files that its own program keeps, by path;
	// nil where there are none.
	Folder func(w Writing) (files map[string][]byte, losses []string)
	// WriteSpec is Write for a PlanSpec as it is; nil for a form that is not one.
	WriteSpec func(o *form.Outline, w Writing) (text []byte, losses []string, err error)
}

// Plan is a plan that was read from a file.
type Plan struct {
	// ID is the id that it brings, which need not be one that we allow, and IDPos
	// its place; it is empty where it brings none. Whoever stores the plan sets
	// it to the id it is stored under before he makes the files.
	ID    string
	IDPos diag.Pos
	// Files makes our files of it; see [rawko.Plan.Files].
	Files func(onto *plan.Plan) (files []plan.File, losses []string)
	// Place gives where a finding about one of these files belongs in the file
	// that was read; nil where these are the files that were read.
	Place func(file, rule string) diag.Pos
	// Spec is the PlanSpec that was read; nil where it was none. It may lack a
	// goal.
	Spec *form.Outline
	// Dropped is what no PlanSpec holds of the form that it was read from.
	Dropped []string
	// Check gives what of the plan cannot be stored; nil where the files tell.
	// It comes before Files.
	Check func() []diag.Diagnostic

	// complete takes over what the form of a PlanSpec has no place for; nil for one
	// that has a place for all.
	complete func(o *form.Outline, onto *plan.Plan) *form.Outline
}

// Title gives what an id can be made of where the plan brings none, or "".
func (p *Plan) Title() string {
	switch {
	case p.Spec == nil:
		return ""
	case plan.Slug(p.Spec.Plan.Title()) != "":
		return p.Spec.Plan.Title()
	}
	return p.Spec.Plan.Get("goal")
}

// Writing is a plan that is to be written.
type Writing struct {
	Plan *plan.Plan
	// Updated is when it last changed.
	Updated time.Time
	JSON    bool
	// Fold asks for the text that shows less of what is done, or to be done.
	Fold bool
}

// All gives the forms.
func All() []Format {
	return append([]Format{
		{Name: "dir", Detect: func(string, []byte) bool { return false }, ParseFolder: parseDir, Folder: writeDir},
		{Name: "json", Extensions: []string{".json"}, Detect: planjson.Detect, Parse: parseJSON,
			Write: writeJSON},
		{Name: "planloop", Extensions: []string{".json"}, Detect: planloop.Detect, Parse: parsePlanloop,
			Write: writePlanloop},
		{Name: "rawko", Extensions: []string{".yaml", ".yml", ".json"}, Detect: rawko.Detect, Parse: parseRawko, Write: writeRawko, Folder: rawkoFolder},
	}, specForms()...)
}

// Names gives the names of the forms.
func Names() []string {
	var out []string
	for _, f := range All() {
		out = append(out, f.Name)
	}
	return out
}

// Find gives a form by name.
func Find(name string) (Format, error) {
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
	}
	message := fmt.Sprintf("there is no format %q", name)
	if near := plan.Nearest(name, Names()); near != "" {
		message += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return Format{}, fmt.Errorf("%s; there are %s", message, strings.Join(Names(), ", "))
}

// Detect tells which form a file is in, by what it holds, else by its name
// where only one form has such names.
func Detect(name string, data []byte) (Format, error) {
	var likely []Format
	for _, f := range All() {
		if f.Detect(name, data) {
			return f, nil
		}
		if slices.Contains(f.Extensions, path.Ext(name)) {
			likely = append(likely, f)
		}
	}
	if len(likely) == 1 {
		return likely[0], nil
	}
	return Format{}, fmt.Errorf("it cannot be told what form %s is in: name it with -f, which is one of %s", name, strings.Join(Names(), ", "))
}

// top is the place of what has none of its own.
func top() diag.Pos { return diag.Pos{Line: 1, Column: 1} }

// parseDir takes the files as they are; the gate judges them.
func parseDir(dir string, files []plan.File) (*Plan, []diag.Diagnostic) {
	if !slices.ContainsFunc(files, func(f plan.File) bool { return f.Path == "plan.md" }) {
		return nil, []diag.Diagnostic{{Path: dir, Pos: top(), Severity: diag.Error, Rule: plan.RulePlanMissing,
			Message: "the folder holds no plan.md", Hint: "name the folder of a plan"}}
	}
	return &Plan{ID: path.Base(dir), IDPos: top(), Files: func(*plan.Plan) ([]plan.File, []string) { return files, nil }}, nil
}

func writeDir(w Writing) (map[string][]byte, []string) {
	var losses []string
	for _, d := range w.Plan.Aside {
		losses = append(losses, d.Path+", whose name is not that of a task")
	}
	return w.Plan.Files(), losses
}

func parseJSON(name string, data []byte) (*Plan, []diag.Diagnostic) {
	p, found := planjson.Parse(name, data)
	if p == nil {
		return nil, found
	}
	return &Plan{ID: p.ID, IDPos: p.IDPos, Files: p.Files, Place: p.Place}, nil
}

func writeJSON(w Writing) ([]byte, []string, error) {
	text, losses := planjson.Write(w.Plan)
	return text, losses, nil
}

// parsePlanloop reads a list, which brings no id: it takes the one it is given.
func parsePlanloop(name string, data []byte) (*Plan, []diag.Diagnostic) {
	p, found := planloop.Parse(name, data)
	if p == nil {
		return nil, found
	}
	out := &Plan{IDPos: top(), Place: p.Place}
	out.Files = func(onto *plan.Plan) ([]plan.File, []string) { return p.Files(onto, out.ID) }
	return out, nil
}

func writePlanloop(w Writing) ([]byte, []string, error) {
	text, losses := planloop.Write(w.Plan)
	return text, losses, nil
}

func parseRawko(name string, data []byte) (*Plan, []diag.Diagnostic) {
	p, found := rawko.Parse(name, data)
	if p == nil {
		return nil, found
	}
	return &Plan{ID: p.BaseID(), IDPos: p.Place("", plan.RuleIDFormat), Files: p.Files, Place: p.Place}, nil
}

func writeRawko(w Writing) ([]byte, []string, error) {
	p, losses := rawko.FromPlan(w.Plan, w.Updated)
	if w.JSON {
		return p.JSON(), losses, nil
	}
	return p.YAML(), losses, nil
}

func rawkoFolder(w Writing) (map[string][]byte, []string) {
	p, losses := rawko.FromPlan(w.Plan, w.Updated)
	return map[string][]byte{"plans/" + p.ID + ".yaml": p.YAML(), "current-task.yaml": p.CurrentTask().YAML()}, losses
}
