package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/run"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

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
	if err := c.validateNew(); err != nil {
		return err
	}
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
	if check.task, err = taskOfCheck(p, task, report.By); err != nil {
		return nil, err
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

// taskOfCheck finds the task that a check is about: the one named, else the
// only one that the agent has in progress, else none.
func taskOfCheck(p *plan.Plan, name, agent string) (string, error) {
	if name != "" {
		t, err := findTask(p, name)
		if err != nil {
			return "", err
		}
		return t.ID, nil
	}
	if mine := p.ClaimsOf(agent); len(mine) == 1 {
		return mine[0].ID, nil
	}
	return "", nil
}

// record opens or clears the signal and ends with the command's status.
func (c *checkRun) record(ctx context.Context, result run.Result) error {
	p, done, err := c.alert.edit(ctx, c.on, func(p *plan.Plan, _ plan.Move) (store.Message, error) {
		if result.Status != 0 {
			return c.failed(p, result)
		}
		return c.passed(p)
	})
	switch {
	case err != nil && result.Status != 0:
		return &statusError{result.Status, fmt.Errorf("the check failed, and its signal was not opened: %w", err)}
	case err != nil:
		return fmt.Errorf("the check passed, and that was not recorded: %w", err)
	}
	if err := c.tell(p, done, result); err != nil || result.Status == 0 {
		return err
	}
	return &statusError{status: result.Status}
}

// failed opens the signal.
func (c *checkRun) failed(p *plan.Plan, result run.Result) (store.Message, error) {
	r := asOpen(p, c.about)
	r.At = c.alert.repo.Now()
	r.Message = failureMessage(r.Message, c.words, result)
	r.Code, r.Branch = c.code.Commit, c.code.Branch
	return openMessage(p, r), p.OpenSignal(r)
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
	s, stderr := p.Signal(c.about.ID), c.alert.Stderr
	if c.alert.json {
		if s == nil || result.Status == 0 {
			return c.alert.printSignal(nil, done)
		}
		return c.alert.printSignal(render.Alert(p, s), done)
	}
	switch {
	case result.Status != 0:
		note(stderr, "%s: %s %s is open%s", p.ID, s.Level, s.ID, onTask(p, s))
	case !done.Changed():
		note(stderr, "%s: %s passed; nothing changed", p.ID, c.about.ID)
	case c.task != "":
		note(stderr, "%s: %s passed, as evidence for %s", p.ID, c.about.ID, c.task)
	default:
		note(stderr, "%s: %s passed; its signal is cleared", p.ID, c.about.ID)
	}
	return nil
}

func note(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "git plan: %s\n", diag.PrintableText(fmt.Sprintf(format, args...)))
}
