package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type showCommand struct {
	*app
	format           string
	expand, collapse []string
	all, fold        bool
}

func newShow(a *app, cmd *cobra.Command) runner {
	c := &showCommand{app: a}
	a.formats(cmd, &c.format, "text", "markdown", "json", "planspec", "html")
	flags := cmd.Flags()
	flags.StringArrayVar(&c.expand, "expand", nil, "show all of this `task`, named by id or number; may be given more than once")
	flags.StringArrayVar(&c.collapse, "collapse", nil, "show nothing but the row of this `task`; may be given more than once")
	flags.BoolVar(&c.all, "all", false, "show all of every task")
	flags.BoolVar(&c.fold, "fold", false, "fold a PlanSpec as the tree is folded")
	return c.run
}

// shown is what an argument names: a plan, a task in it, or a PlanSpec.
type shown struct {
	plan   *plan.Plan
	task   *plan.Task
	commit string
	spec   *form.Outline
	name   string // of the file that the PlanSpec is in
}

func (c *showCommand) run(ctx context.Context, args []string) error {
	if c.fold && c.format != "planspec" {
		return &usageError{"--fold is for --format planspec"}
	}
	what, err := c.find(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	if what.task != nil {
		return c.showTask(what.task)
	}
	if c.json && len(c.expand)+len(c.collapse) == 0 { // no sheet is needed, not even to look for names
		return c.showJSON(what)
	}
	s, err := c.sheet(what)
	switch {
	case err != nil:
		return err
	case c.json:
		return c.showJSON(what)
	case c.format == "planspec":
		return c.showSpec(what, s, c.fold)
	case c.format == "markdown":
		return s.Markdown(c.Stdout)
	case c.format == "html":
		return s.HTML(c.Stdout)
	}
	return s.Text(c.Stdout, c.newPage())
}

// find reads what an argument of `show` names.
func (c *showCommand) find(ctx context.Context, name string) (shown, error) {
	spec, file, err := c.readSpec(ctx, name)
	if spec != nil || err != nil {
		return shown{spec: spec, name: file}, err
	}
	if looksLikePath(name) {
		p, err := c.readFolder(ctx, name)
		return shown{plan: p}, err
	}
	planName, task := name, ""
	if _, isPlan := store.ParseAddress(name); !isPlan {
		if p, t := taskName(name); p != "" {
			planName, task = p, t
		}
	}
	stored, at, err := c.loadToShow(ctx, planName)
	if err != nil {
		return shown{}, c.orTask(ctx, name, err)
	}
	what := shown{plan: stored.Plan, commit: at.Commit}
	if task != "" {
		what.task, err = findTask(stored.Plan, task)
	}
	return what, err
}

// readSpec reads a PlanSpec from the file that a name leads to, and gives that
// file's name. It is nil where there is none, or it is part of a plan of ours.
func (c *showCommand) readSpec(ctx context.Context, name string) (p *form.Outline, file string, err error) {
	if name != "-" && (!looksLikePath(name) || !isFile(c.abs(name))) {
		return nil, "", nil
	}
	file, data, err := c.readInput(ctx, name)
	if err != nil {
		return nil, "", err
	}
	p, found := planspec.Read(file, string(data))
	errs, _ := diag.Count(found)
	if errs > 0 && name != "-" && isPlanFile(c.abs(name), data) {
		return nil, "", nil
	}
	if errs > 0 {
		return nil, "", &store.RejectedError{Findings: found}
	}
	return p, file, c.tellFindings(found)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// isPlanFile reports whether a file looks like one of a plan's folder.
func isPlanFile(file string, data []byte) bool {
	doc, _ := plan.Read("plan", "", []plan.File{{Path: "plan.md", Data: data}})
	return doc.Doc != nil && doc.Doc.Readable || filepath.Base(file) == "plan.md" || exists(filepath.Join(planFolder(file), "plan.md"))
}

func (c *showCommand) showTask(t *plan.Task) error {
	switch {
	case c.all || len(c.expand)+len(c.collapse) > 0:
		return &usageError{"--all, --expand and --collapse are for a plan: one task is shown in full"}
	case c.json:
		return c.print(render.Tree(t))
	case c.format != "text":
		return &usageError{fmt.Sprintf("one task is shown as text or json, not as %s: name its plan", c.format)}
	}
	return render.TaskCard(c.Stdout, t, c.newPage())
}

// sheet gives what is shown, folded as asked for.
func (c *showCommand) sheet(w shown) (*render.Sheet, error) {
	var s *render.Sheet
	if w.spec != nil {
		s = render.NewSpecSheet(w.spec)
	} else {
		s = render.NewSheet(w.plan).At(c.Now())
	}
	if c.all {
		s.ExpandAll()
	}
	for i, name := range slices.Concat(c.expand, c.collapse) {
		how := planspec.Expanded
		if i >= len(c.expand) {
			how = planspec.Collapsed
		}
		if !s.Fold(name, how) {
			what, hint := "step", "use the number of a step"
			if w.plan != nil {
				what, hint = "task in plan "+w.plan.ID, "use an id or a number that `git plan show "+w.plan.ID+"` prints"
			}
			return nil, notFound(what, name, plan.Meant(name, s.Names()), hint)
		}
	}
	return s, nil
}

// showJSON prints the document of a plan; a PlanSpec as the plan it would become.
func (c *showCommand) showJSON(w shown) error {
	if w.spec == nil {
		return c.print(render.Plan(w.plan, w.commit))
	}
	if found := planspec.Check(w.spec); len(found) > 0 {
		for i := range found {
			found[i].Path = w.name
		}
		return &store.RejectedError{Findings: found}
	}
	_, files, _ := planspec.Files(w.spec, nil)
	id := plan.NewID(strings.TrimSuffix(path.Base(w.name), ".md"), "plan", func(string) bool { return false })
	p, _ := plan.Read(id, "", files)
	return c.print(render.Plan(p, ""))
}

// orTask hints at a task where a plan was named that does not exist.
func (c *showCommand) orTask(ctx context.Context, name string, err error) error {
	var none *store.NotFoundError
	if !errors.As(err, &none) || none.What != "plan" || strings.Contains(name, "/") {
		return err
	}
	if stored, _, failed := c.loadPlan(ctx, ""); failed == nil {
		if t := stored.Plan.Find(name); t != nil {
			none.Hint = fmt.Sprintf("the task is shown by `git plan show %s/%s`", stored.ID, t.ID)
		}
	}
	return err
}

// showSpec writes a plan as a PlanSpec, in full or folded as the sheet is.
func (c *showCommand) showSpec(w shown, s *render.Sheet, fold bool) error {
	spec := w.spec
	if spec == nil {
		spec = planspec.Of(w.plan)
	}
	text, err := planspec.Serialize(spec)
	if fold {
		text, err = planspec.SerializeFolded(spec, s.Folds)
	}
	if err == nil {
		_, err = io.WriteString(c.Stdout, diag.PrintableText(text))
	}
	return err
}
