package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/run"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// alertCommand opens, clears or lists signals: of which, and what it says.
type alertCommand struct {
	*app
	id       string
	task     string
	level    string
	messages []string
	source   string
	force    bool
	all      bool
}

func newAlertOpen(a *app, cmd *cobra.Command) runner {
	c := &alertCommand{app: a}
	c.flags(cmd, "the whole plan")
	return func(ctx context.Context, args []string) error {
		c.id = args[0]
		if strings.TrimSpace(strings.Join(c.messages, "")) == "" {
			return &usageError{"say what is the matter with -m TEXT"}
		}
		if err := filled(cmd, "task", "level"); err != nil {
			return err
		}
		return c.begin(ctx)
	}
}

// flags adds those that `open` and `run` share.
func (c *alertCommand) flags(cmd *cobra.Command, where string) {
	flags := cmd.Flags()
	flags.StringVar(&c.task, "task", "", "the `task` it is on (default: "+where+")")
	flags.StringVar(&c.level, "level", "", "its `level`: blocker, warning or info (default: blocker)")
	flags.StringArrayVarP(&c.messages, "message", "m", nil, "what is the matter, as `text`")
	flags.StringVar(&c.source, "source", plan.DefaultSource, "the `name` of what reports; only the same source clears it")
}

func newAlertClear(a *app, cmd *cobra.Command) runner {
	c := &alertCommand{app: a}
	cmd.Flags().StringVar(&c.source, "source", plan.DefaultSource, "the `name` of what opened it")
	cmd.Flags().BoolVar(&c.force, "force", false, "clear what another source opened")
	return c.clear
}

func newAlertList(a *app, cmd *cobra.Command) runner {
	c := &alertCommand{app: a}
	cmd.Flags().BoolVar(&c.all, "all", false, "list those of every unfinished plan")
	return c.list
}

// validate refuses what can name no signal.
func (c *alertCommand) validate() error {
	const longest = 100
	switch {
	case !plan.IsSignalID(c.id) || len(c.id) > longest:
		return &usageError{fmt.Sprintf("%q names no signal: use at most %d lower-case letters, digits, `.`, `_` and `-`, a letter or digit first", c.id, longest)}
	case c.level != "" && !slices.Contains(plan.SignalLevels(), c.level):
		return &usageError{fmt.Sprintf("--level is %s, not %q", strings.Join(plan.SignalLevels(), ", "), c.level)}
	case strings.TrimSpace(c.source) == "":
		return &usageError{"--source is empty: name what reports, or leave it out"}
	}
	if err := checkTexts(append(c.messages, c.source)...); err != nil {
		return err
	}
	if strings.ContainsAny(c.source, "\r\n") {
		return &usageError{"--source is one line"}
	}
	return nil
}

// alertDocument is the answer of `alert`, but for `alert list`.
type alertDocument struct {
	Status string `json:"status"`
	landing
	// Signal is null once there is none.
	Signal any `json:"signal"`
}

func (c *alertCommand) begin(ctx context.Context) error {
	report, err := c.newReport(ctx)
	if err != nil {
		return err
	}
	planID, task := taskName(c.task)
	var before string // what it said of level and task, where that changes
	p, result, err := c.edit(ctx, planID, func(p *plan.Plan, _ plan.Move) (store.Message, error) {
		report := report
		if task != "" {
			t, err := findTask(p, task)
			if err != nil {
				return store.Message{}, err
			}
			report.Task = t.ID
		}
		report = asOpen(p, report)
		before = ""
		if s := p.Signal(report.ID); s != nil && (s.Level != report.Level || s.Task != report.Task) {
			before = fmt.Sprintf("signal %s was %s%s before", s.ID, s.Level, onTask(p, s))
		}
		return openMessage(p, report), p.OpenSignal(report)
	})
	if err != nil {
		return err
	}
	c.afterChange(ctx, result)
	if before != "" {
		c.warn("%s", before)
	}
	s := p.Signal(c.id)
	text := isOpen(p, s)
	if !result.Changed() {
		text += ": nothing changed"
	}
	return c.reply(alertDocument{statusOf(result.Changed()), landed(result), render.Alert(p, s)}, "%s", text)
}

// asOpen fills in task and level where they were not given: those of the open
// signal, else the whole plan and a blocker.
func asOpen(p *plan.Plan, r plan.Report) plan.Report {
	if s := p.Signal(r.ID); s != nil {
		r.Task, r.Level = cmp.Or(r.Task, s.Task), cmp.Or(r.Level, s.Level)
	}
	r.Level = cmp.Or(r.Level, plan.SignalLevels()[0])
	return r
}

// openMessage is the message of a commit that opens or changes a signal.
func openMessage(p *plan.Plan, r plan.Report) store.Message {
	m := store.Message{Agent: r.By}
	if p.Signal(r.ID) != nil {
		m.Subject = "update signal " + r.ID
	}
	return m
}

// newReport makes the report of the options, the agent and the code as it is.
func (c *alertCommand) newReport(ctx context.Context) (plan.Report, error) {
	var none plan.Report
	if plan.IsDevice(c.id) {
		return none, &usageError{fmt.Sprintf("a signal cannot be called %q: Windows keeps that name for a device; choose another", c.id)}
	}
	if plan, task := taskName(c.task); plan != "" && task == "" {
		return none, &usageError{fmt.Sprintf("--task %q names no task: name one, or leave it out and give --plan %s for the whole plan", c.task, plan)}
	}
	if err := c.validate(); err != nil {
		return plan.Report{}, err
	}
	agent, err := c.openAs(ctx)
	if err != nil {
		return plan.Report{}, err
	}
	code, err := c.repo.Project().At(ctx)
	return plan.Report{
		ID: c.id, Level: c.level, Message: strings.Join(c.messages, "\n\n"), Source: strings.TrimSpace(c.source),
		Code: code.Commit, Branch: code.Branch, At: c.repo.Now(), By: agent,
	}, err
}

func (c *alertCommand) clear(ctx context.Context, args []string) error {
	c.id = args[0]
	if err := c.validate(); err != nil {
		return err
	}
	p, result, err := c.edit(ctx, "", func(p *plan.Plan, by plan.Move) (store.Message, error) {
		return store.Message{Agent: by.Agent}, p.ClearSignal(c.id, strings.TrimSpace(c.source), c.force)
	})
	if err != nil {
		return err
	}
	c.afterChange(ctx, result)
	text := "%s: signal %s is cleared"
	if !result.Changed() {
		text = "%s has no open signal %s: nothing changed"
	}
	return c.reply(alertDocument{statusOf(result.Changed()), landed(result), nil}, text, p.ID, c.id)
}

// isOpen is what is said of an open signal.
func isOpen(p *plan.Plan, s *plan.Signal) string {
	return diag.PrintableText(fmt.Sprintf("%s: %s %s is open%s", p.ID, s.Level, s.ID, onTask(p, s)))
}

func onTask(p *plan.Plan, s *plan.Signal) string {
	if t := p.Task(s.Task); t != nil {
		return " on " + t.Number() + " (" + t.ID + ")"
	}
	return ""
}

func (c *alertCommand) list(ctx context.Context, args []string) error {
	if c.all && len(args) > 0 {
		return &usageError{"--all and a plan exclude each other"}
	}
	plans, err := c.plansToList(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	list := []render.Object{}
	for _, p := range plans {
		for _, s := range p.Signals {
			o := render.Alert(p, s)
			o.Add("plan", p.ID)
			list = append(list, o)
			first, _, _ := strings.Cut(s.Message(), "\n")
			c.say("%s", diag.Printable(fmt.Sprintf("%s: %s %s%s (%s): %s", p.ID, s.Level, s.ID, onTask(p, s), s.Source(), diag.Head(first, 200))))
		}
	}
	if len(list) == 0 {
		c.say("No signal is open.")
	}
	return c.document(map[string]any{"signals": list})
}

// plansToList reads the plans whose signals are listed.
func (c *alertCommand) plansToList(ctx context.Context, name string) ([]*plan.Plan, error) {
	s, err := c.snapshot(ctx)
	if err != nil || !s.Exists() && name == "" {
		return nil, err
	}
	if c.all {
		open, err := unfinished(ctx, s)
		if err != nil {
			return nil, err
		}
		return loadAll(ctx, s, open)
	}
	stored, _, err := c.loadPlanFrom(ctx, s, name)
	var none *store.AmbiguousPlanError
	switch {
	case errors.As(err, &none) && len(none.Candidates) == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []*plan.Plan{stored.Plan}, nil
}

func newAlertRun(a *app, cmd *cobra.Command) runner {
	c := &alertCommand{app: a}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if cmd.ArgsLenAtDash() != 1 || len(args) < 2 || args[1] == "" {
			return &usageError{"write the signal, then `--`, then the command to run"}
		}
		return nil
	}
	c.flags(cmd, "the only one that you have in progress, else the whole plan")
	return func(ctx context.Context, args []string) error {
		c.id = args[0]
		if err := filled(cmd, "task", "level"); err != nil {
			return err
		}
		return c.run(ctx, args[1:])
	}
}

// checkRun is one run of a check.
type checkRun struct {
	alert *alertCommand
	about plan.Report
	on    string // the plan's id
	words []string
	code  store.Code
	// task is the task whose work the check shows; it may be empty.
	task string
}

func (c *alertCommand) run(ctx context.Context, words []string) error {
	check, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	check.words = words
	command := run.Command{Words: words, Dir: c.Dir, Env: c.Environ, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr}
	if c.json {
		command.Stdout = c.Stderr // standard output is the document's
	}
	result, err := command.Run(ctx)
	var unable *run.StartError
	if errors.As(err, &unable) {
		return &statusError{unable.Status, err}
	}
	if result.Interrupted {
		return &statusError{result.Status, errors.New("the check was interrupted; nothing was recorded")}
	}
	return check.record(ctx, result)
}

// prepare refuses what could be wrong before the check runs, which may take long.
func (c *alertCommand) prepare(ctx context.Context) (*checkRun, error) {
	report, err := c.newReport(ctx)
	if err != nil {
		return nil, err
	}
	planID, task := taskName(c.task)
	stored, _, err := c.loadPlan(ctx, planID)
	if err != nil {
		return nil, err
	}
	p := stored.Plan
	check := &checkRun{alert: c, about: report, on: p.ID}
	if task != "" {
		t, err := findTask(p, task)
		if err != nil {
			return nil, err
		}
		check.task = t.ID
	} else if mine := p.ClaimsOf(report.By); len(mine) == 1 { // the only one that the agent has in progress
		check.task = mine[0].ID
	}
	check.about.Task = check.task
	if s := p.Signal(c.id); s != nil {
		if s.Source() != report.Source {
			return nil, &plan.SourceError{Signal: s.ID, Opened: s.Source(), Asked: report.Source}
		}
		if task == "" { // it stays where it was opened, and shows what is done there
			check.about.Task, check.task = s.Task, cmp.Or(s.Task, check.task)
		}
	}
	if check.code, err = c.repo.Project().Now(ctx); err != nil {
		c.warn("the files as they are have no tree to name: %v", err)
	}
	return check, nil
}

// record opens or clears the signal and ends with the command's status.
func (c *checkRun) record(ctx context.Context, result run.Result) error {
	p, done, err := c.alert.edit(ctx, c.on, func(p *plan.Plan, _ plan.Move) (store.Message, error) {
		if result.Status == 0 {
			return c.passed(p)
		}
		r := asOpen(p, c.about)
		r.At = c.alert.repo.Now()
		r.Message = failureMessage(r.Message, c.words, result)
		r.Code, r.Branch = c.code.Commit, c.code.Branch
		return openMessage(p, r), p.OpenSignal(r)
	})
	switch {
	case err != nil && result.Status != 0:
		return &statusError{result.Status, fmt.Errorf("the check failed, and its signal was not opened: %w", err)}
	case err != nil:
		return fmt.Errorf("the check passed, and that was not recorded: %w", err)
	}
	c.alert.afterChange(ctx, done)
	if err := c.tell(p, done, result); err != nil || result.Status == 0 {
		return err
	}
	return &statusError{status: result.Status}
}

// failureMessage is what a signal says of a check that failed.
func failureMessage(said string, words []string, result run.Result) string {
	const longest = 200
	text := said
	if text == "" {
		command := diag.Head(run.Tail([]byte(strings.ReplaceAll(strings.Join(words, " "), "\n", " "))), longest)
		text = fmt.Sprintf("`%s` ended with status %d.", strings.ReplaceAll(command, "`", "'"), result.Status)
	}
	if output := run.Tail(result.Output); output != "" {
		fence := "```"
		for strings.Contains(output, fence) {
			fence += "`"
		}
		text += "\n\n" + fence + "text\n" + output + "\n" + fence
	}
	return text
}

// passed clears the signal and gives the task its evidence.
func (c *checkRun) passed(p *plan.Plan) (store.Message, error) {
	m := store.Message{Agent: c.about.By, Check: &store.Check{
		Signal: c.about.ID, Task: c.task, Code: c.code.Commit, Tree: c.code.Tree,
	}}
	if err := p.ClearSignal(c.about.ID, c.about.Source, false); err != nil {
		return m, err
	}
	t := p.Task(c.task)
	if t == nil {
		return m, nil // there is none, or it went away meanwhile
	}
	return m, p.Attest(t, plan.Evidence{Signal: c.about.ID, Code: c.code.Commit, Tree: c.code.Tree, At: c.alert.repo.Now()})
}

// tell reports what was recorded.
func (c *checkRun) tell(p *plan.Plan, done store.Result, result run.Result) error {
	s := p.Signal(c.about.ID)
	if c.alert.json {
		doc := alertDocument{Status: statusOf(done.Changed()), landing: landed(done)}
		if s != nil && result.Status != 0 {
			doc.Signal = render.Alert(p, s)
		}
		return c.alert.print(doc)
	}
	text := p.ID + ": " + c.about.ID + " passed; its signal is cleared"
	switch {
	case result.Status != 0:
		text = isOpen(p, s)
	case !done.Changed():
		text = p.ID + ": " + c.about.ID + " passed; nothing changed"
	case c.task != "":
		text = p.ID + ": " + c.about.ID + " passed, as evidence for " + c.task
	}
	note(c.alert.Stderr, "%s", text)
	return nil
}

func note(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "git plan: %s\n", diag.PrintableText(fmt.Sprintf(format, args...)))
}
