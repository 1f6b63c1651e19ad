package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// foreign is a plan in another form than ours, read from a file.
type foreign struct {
	*formats.Plan
	name   string // the file's, as findings have it
	format string
}

// readForeign reads a plan from a file, a folder, or standard input for "-". The
// form is detected where none is named.
func (w *workspace) readForeign(ctx context.Context, file, form string) (*foreign, error) {
	if info, err := os.Stat(w.abs(file)); file != "-" && err == nil && info.IsDir() {
		return w.readForeignFolder(file, form)
	}
	name, data, err := w.readInput(ctx, file)
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
	if format.Parse == nil {
		return nil, &usageError{format.Name + " is a folder: name one, not " + file}
	}
	p, found := format.Parse(name, data)
	if p == nil {
		return nil, &store.RejectedError{Findings: found}
	}
	w.tellFindings(found)
	return &foreign{p, name, format.Name}, nil
}

// goal gives a plan without a goal the one that was asked for.
func (f *foreign) goal(asked string) error {
	switch {
	case asked == "":
		return nil
	case f.Spec == nil:
		return &usageError{"--goal is for a plan without a goal of its own, such as a HopSpec: leave it out"}
	case f.Spec.Plan.Get("goal") != "":
		return &usageError{"the plan has a goal: leave out --goal, or change it in " + f.name}
	}
	f.Spec.Plan.Say("goal", strings.TrimSpace(asked))
	return nil
}

// goalOf gives a plan that still has no goal that of the stored one.
func (f *foreign) goalOf(stored *plan.Plan) {
	if f.Spec != nil && f.Spec.Plan.Get("goal") == "" {
		f.Spec.Plan.Say("goal", planspec.Of(stored).Plan.Get("goal"))
	}
}

// checked refuses a plan that cannot be stored.
func (f *foreign) checked() error {
	if f.Check == nil {
		return nil
	}
	if found := f.Check(); len(found) > 0 {
		return &store.RejectedError{Findings: found}
	}
	return nil
}

// goalFlag adds the flag that gives a goal to a plan without one.
func goalFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "goal", "", "the goal, as `text`, of a plan whose form has none")
}

// readForeignFolder reads a plan from a folder. Its name is the plan's id.
func (w *workspace) readForeignFolder(dir, form string) (*foreign, error) {
	if form == "" {
		form = "dir"
	}
	format, err := formats.Find(form)
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	if format.ParseFolder == nil {
		return nil, &usageError{fmt.Sprintf("%s is a folder, and %s is a file: name one", dir, form)}
	}
	files, err := w.readPlanFiles(w.abs(dir))
	if err != nil {
		return nil, err
	}
	p, found := format.ParseFolder(filepath.ToSlash(w.abs(dir)), files)
	name := filepath.ToSlash(filepath.Clean(dir))
	if p == nil {
		for i := range found {
			found[i].Path = name
		}
		return nil, &store.RejectedError{Findings: found}
	}
	return &foreign{p, name, format.Name}, nil
}

// files makes our files. It warns once of what is lost, though it may run again.
func (f *foreign) files(o *output, onto *plan.Plan, told *bool) []plan.File {
	files, losses := f.Files(onto)
	if !*told {
		o.lost("not kept: ", append(slices.Clone(f.Dropped), losses...))
		*told = true
	}
	return files
}

// placed moves the findings of a refusal from the files that were made to the file
// that was read.
func (f *foreign) placed(err error) error {
	rejected, ok := err.(*store.RejectedError)
	if !ok {
		return err
	}
	return &store.RejectedError{Findings: f.place(rejected.Findings)}
}

func (f *foreign) place(found []diag.Diagnostic) []diag.Diagnostic {
	out := slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		return f.Spec != nil && d.Rule == "container-empty" && d.Severity == diag.Warning // which reading it told
	})
	for i := range out {
		if f.Place == nil {
			break // the files that were read
		}
		if made, ok := strings.CutPrefix(out[i].Path, f.name+"/"); ok {
			out[i].Path, out[i].Pos = f.name, f.Place(made, out[i].Rule)
		}
	}
	diag.Sort(out)
	return out
}

// id gives the id that the plan is stored under: the one asked for, else its own;
// "" for one made of its title.
func (f *foreign) id(asked string) (string, error) {
	id := f.ID
	if asked != "" {
		id = asked
	}
	if id == "" && f.Title() != "" {
		return "", nil // one is made of the title
	}
	if canNamePlan(id) {
		return id, nil
	}
	if asked != "" {
		return "", checkID(asked)
	}
	hint := "name it with --id"
	if slug := plan.Slug(id); slug != "" && slug != store.Archive {
		hint += ", such as --id " + slug
	}
	message := fmt.Sprintf("the id `%s` cannot name a plan", id)
	if id == "" {
		message = f.format + " brings no id for the plan"
	}
	return "", &store.RejectedError{Findings: []diag.Diagnostic{{
		Path: f.name, Pos: f.IDPos, Severity: diag.Error, Rule: plan.RuleIDFormat, Hint: hint, Message: message,
	}}}
}
