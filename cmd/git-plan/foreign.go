package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// foreign is a plan in another form than ours, read from a file.
type foreign struct {
	*formats.Plan
	name   string // the file's, as findings have it
	format string
}

// readForeign reads a plan from a file, or from standard input where its name
// is "-". The form is found out where none is named.
func (a *app) readForeign(file, form string) (*foreign, error) {
	name, data, err := a.readInput(file)
	if err != nil {
		return nil, err
	}
	var format formats.Format
	if form != "" {
		format, err = formats.Find(form)
	} else {
		format, err = formats.Detect(name, data)
	}
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	p, found := format.Parse(name, data)
	if p == nil {
		return nil, &planrepo.RejectedError{Findings: found}
	}
	return &foreign{p, name, format.Name}, nil
}

// readInput reads a file, or standard input, and gives the name that messages
// know it by. What is too large for any plan is cut; its form says so.
func (a *app) readInput(file string) (name string, data []byte, err error) {
	if file == "-" {
		data, err = a.readStdin("the plan", plan.MaxPlan)
		return "stdin", data, err
	}
	f, err := os.Open(a.abs(file))
	if os.IsNotExist(err) {
		return "", nil, &planrepo.NotFoundError{What: "file", Name: file}
	}
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return "", nil, &usageError{file + " is a folder: name a file"}
	}
	data, err = readAtMost(f, plan.MaxPlan)
	return filepath.ToSlash(filepath.Clean(file)), data, err
}

// files makes our files. What is lost is told once, though this may run again.
func (f *foreign) files(a *app, onto *plan.Plan, told *bool) []plan.File {
	files, losses := f.Files(onto)
	if !*told {
		a.lost("not kept: ", losses)
		*told = true
	}
	return files
}

// lost tells what a conversion dropped.
func (a *app) lost(how string, losses []string) {
	for _, l := range losses {
		a.warn("%s%s", how, l)
	}
}

// placed gives a refusal of the files that were made of the plan as one of the
// file that they were made of.
func (f *foreign) placed(err error) error {
	rejected, ok := err.(*planrepo.RejectedError)
	if !ok {
		return err
	}
	return &planrepo.RejectedError{Findings: f.place(rejected.Findings)}
}

func (f *foreign) place(found []diag.Diagnostic) []diag.Diagnostic {
	out := slices.Clone(found)
	for i := range out {
		if made, ok := strings.CutPrefix(out[i].Path, f.name+"/"); ok {
			out[i].Path, out[i].Pos = f.name, f.Place(made, out[i].Rule)
		}
	}
	diag.Sort(out)
	return out
}

// id gives the id that the plan is stored under: the one asked for, else its
// own.
func (f *foreign) id(asked string) (string, error) {
	id := f.ID
	if asked != "" {
		id = asked
	}
	if plan.IsKebab(id) && id != planrepo.Archive {
		return id, nil
	}
	if asked != "" {
		return "", &usageError{fmt.Sprintf("--id cannot be %q: ids are lower-case letters, digits and single hyphens, and `archive` is taken", asked)}
	}
	hint := "name it with --id"
	if slug := plan.Slug(id); slug != "" && slug != planrepo.Archive {
		hint += ", such as --id " + slug
	}
	return "", &planrepo.RejectedError{Findings: []diag.Diagnostic{{
		Path: f.name, Pos: f.IDPos, Severity: diag.Error, Rule: plan.RuleIDFormat, Hint: hint,
		Message: fmt.Sprintf("the id `%s` cannot name a plan", id),
	}}}
}
