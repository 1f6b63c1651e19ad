package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/plancmd"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type applyCommand struct {
	*app
	name, file, children string
	strict               bool
}

func newApply(a *app, cmd *cobra.Command) runner {
	c := &applyCommand{app: a, file: "-"}
	cmd.Flags().BoolVar(&c.strict, "strict", false, "refuse all where a step is called done or blocked while steps below it are open")
	cmd.Flags().StringVar(&c.children, "children", "", "replace what is below this `task`, named by number or id, by the steps of a PlanSpec")
	return func(ctx context.Context, args []string) error {
		if c.name = args[0]; len(args) == 2 {
			c.file = args[1]
		}
		if err := filled(cmd, "children"); err != nil {
			return err
		}
		return c.run(ctx)
	}
}

// applyDocument is the answer of `apply`.
type applyDocument struct {
	refusal
	Commands []appliedCommand `json:"commands"`
	landing
	Findings []diag.Finding `json:"findings,omitempty"`
}

// appliedCommand is a command and what became of it.
type appliedCommand struct {
	Line   int            `json:"line"`
	Op     string         `json:"op"`
	StepID string         `json:"step_id"`
	Result plancmd.Result `json:"result"`
	Error  string         `json:"error"`
}

// errCommands ends a mutation of which a command failed.
var errCommands = errors.New("a command failed")

func (c *applyCommand) run(ctx context.Context) error {
	if err := asItIs(c.name); err != nil {
		return err
	}
	if !plan.IsKebab(c.name) {
		return &store.NotFoundError{What: "plan", Name: c.name, Hint: "plan ids are kebab-case; see `git plan list`"}
	}
	if _, err := c.open(ctx); err != nil {
		return err
	}
	name, data, err := c.readInput(ctx, c.file)
	if err != nil {
		return err
	}
	if c.children != "" {
		return c.putChildren(ctx, name, data)
	}
	cmds, found := planspec.ParseCommands(string(data))
	for i := range found {
		found[i].Path = name
	}
	if len(found) > 0 {
		return c.refuse(&store.RejectedError{Findings: found}, nil)
	}
	var applied *plancmd.Applied
	_, result, err := c.edit(ctx, c.name, func(p *plan.Plan, by plan.Move) (store.Message, error) {
		applied = plancmd.Apply(p, cmds, by, c.strict)
		if applied.Failed() {
			return store.Message{}, errCommands
		}
		return commandMessage(applied, by.Agent), nil
	})
	if err != nil {
		return c.refuse(err, applied)
	}
	c.afterChange(ctx, result)
	return c.tellApply(applied, result)
}

func commandMessage(applied *plancmd.Applied, agent string) store.Message {
	m := store.Message{Agent: agent, Body: applied.Reasons}
	n := 0
	for _, o := range applied.Outcomes {
		if o.Result != plancmd.Done || o.Command.Op == planspec.OpExpand || o.Command.Op == planspec.OpCollapse {
			continue
		}
		n++
		if o.Command.Op != planspec.OpReplan && o.Command.Result != "" {
			m.Body = append(m.Body, o.Command.Result)
		}
	}
	if n > 1 {
		m.Subject = "apply " + words.Count(n, "command")
	}
	return m
}

func (c *applyCommand) tellApply(applied *plancmd.Applied, result store.Result) error {
	doc := applyDocument{refusal{Status: statusOf(result.Changed())}, appliedCommands(applied), landed(result), nil}
	if err := c.tellFindings(result.Warnings); err != nil {
		return err
	}
	if len(doc.Commands) == 0 {
		c.warn("there is no line that begins with PLAN_CMD: in it")
	}
	if c.json {
		return c.print(doc)
	}
	c.sayCommands(doc.Commands)
	c.sayLanded(result, c.name, "")
	return nil
}

// sayLanded prints the commit in which something changed, if it did.
func (c *applyCommand) sayLanded(result store.Result, name, how string) {
	if !result.Changed() {
		c.say("%s: nothing changed", name)
		return
	}
	c.say("[%s %.10s] %s%s", c.repo.Branch(), result.Commit, name, how)
}

// appliedCommands are the commands and what became of them; applied may be nil.
func appliedCommands(applied *plancmd.Applied) []appliedCommand {
	out := []appliedCommand{}
	if applied == nil {
		return out
	}
	for _, o := range applied.Outcomes {
		c := appliedCommand{Line: o.Command.Pos.Line, Op: o.Command.Op, StepID: o.Command.StepID, Result: o.Result}
		switch {
		case o.Err != nil:
			c.Error = o.Err.Error()
		case o.Result == plancmd.Passed:
			c.Error = o.Command.Skipped
		}
		out = append(out, c)
	}
	return out
}

func (c *applyCommand) sayCommands(commands []appliedCommand) {
	for _, done := range commands {
		line := fmt.Sprintf("line %d: %s", done.Line, done.Op)
		if done.StepID != "" {
			line += " " + done.StepID
		}
		line += ": " + string(done.Result)
		if done.Error != "" {
			line += ": " + done.Error
		}
		c.say("%s", diag.Printable(line))
	}
}

// refuse prints a refusal. Findings of the gate are given to the commands that
// they are about; the others are marked as not carried out.
func (c *applyCommand) refuse(err error, applied *plancmd.Applied) error {
	f := classify(err)
	if errors.Is(err, errCommands) {
		f.Type, f.exit = firstKind(applied), exitNo
	}
	if f.exit != exitNo {
		return err
	}
	commands := appliedCommands(applied)
	var rejected *store.RejectedError
	if errors.As(err, &rejected) {
		blame(commands, applied, rejected.Findings)
	}
	failed := 0
	for i := range commands {
		switch done := &commands[i]; done.Result {
		case plancmd.Done:
			done.Result, done.Error = plancmd.Passed, "not carried out, as nothing was written"
		case plancmd.Failed:
			if failed++; rejected == nil {
				f.Details = append(f.Details, fmt.Sprintf("line %d: %s", done.Line, done.Error))
			}
		}
	}
	if errors.Is(err, errCommands) {
		f.Message = "nothing was written: " + words.Count(failed, "command") + " failed"
	}
	doc := applyDocument{refuse(f.Type, f.Details, "%s", f.Message), commands, landing{}, f.Findings}
	return c.answer(doc.refusal, doc, func() error {
		c.sayCommands(commands)
		if rejected != nil {
			if err := c.tellFindings(rejected.Findings); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(c.Stderr, "error: %s\n", diag.PrintableText(f.Message))
		return err
	})
}

// blame marks the commands that the errors of the gate are about as failed.
func blame(commands []appliedCommand, applied *plancmd.Applied, found []diag.Diagnostic) {
	for _, d := range found {
		if d.Severity != diag.Error || applied == nil {
			continue
		}
		i := applied.Blame(d)
		if i < 0 {
			continue
		}
		c := &commands[i]
		if c.Result == plancmd.Failed {
			c.Error += "; "
		}
		c.Result = plancmd.Failed
		c.Error += d.Message + " [" + d.Rule + "]"
	}
}

// firstKind is the type of the first command's error.
func firstKind(applied *plancmd.Applied) string {
	for _, o := range applied.Outcomes {
		if o.Err == nil {
			continue
		}
		if kind, exit := kindOf(o.Err); exit == exitNo {
			return kind
		}
		break
	}
	return "invalid_payload"
}
