package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
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

// validateNew refuses what cannot name a new signal.
func (c *alertCommand) validateNew() error {
	if plan.IsDevice(c.id) {
		return &usageError{fmt.Sprintf("a signal cannot be called %q: Windows keeps that name for a device; choose another", c.id)}
	}
	if plan, task := taskName(c.task); plan != "" && task == "" {
		return &usageError{fmt.Sprintf("--task %q names no task: name one, or leave it out and give --plan %s for the whole plan", c.task, plan)}
	}
	return c.validate()
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
	// Signal is null once there is none.
	Signal any `json:"signal"`
}

func (c *alertCommand) begin(ctx context.Context) error {
	if err := c.validateNew(); err != nil {
		return err
	}
	report, err := c.newReport(ctx)
	if err != nil {
		return err
	}
	planID, task := taskName(c.task)
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
		return openMessage(p, report), p.OpenSignal(report)
	})
	if err != nil {
		return err
	}
	return c.tellSignal(p, p.Signal(c.id), result)
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
	if c.json {
		return c.printSignal(nil, result)
	}
	if !result.Changed() {
		c.say("%s has no open signal %s: nothing changed", p.ID, c.id)
		return nil
	}
	c.say("%s: signal %s is cleared", p.ID, c.id)
	return nil
}

// tellSignal prints an open signal.
func (c *alertCommand) tellSignal(p *plan.Plan, s *plan.Signal, result store.Result) error {
	if c.json {
		return c.printSignal(render.Alert(p, s), result)
	}
	text := fmt.Sprintf("%s: %s %s is open%s", p.ID, s.Level, s.ID, onTask(p, s))
	if !result.Changed() {
		text += ": nothing changed"
	}
	c.say("%s", diag.PrintableText(text))
	return nil
}

func (c *alertCommand) printSignal(signal any, result store.Result) error {
	return c.print(alertDocument{statusOf(result.Changed()), signal})
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
			c.say("%s", signalLine(p, s))
		}
	}
	if c.json {
		return c.print(map[string]any{"signals": list})
	}
	if len(list) == 0 {
		c.say("No signal is open.")
	}
	return nil
}

// signalLine is a signal in a list, with the first line of its text.
func signalLine(p *plan.Plan, s *plan.Signal) string {
	const longest = 200
	first, _, _ := strings.Cut(s.Message(), "\n")
	return diag.Printable(fmt.Sprintf("%s: %s %s%s (%s): %s", p.ID, s.Level, s.ID, onTask(p, s), s.Source(), diag.Head(first, longest)))
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
