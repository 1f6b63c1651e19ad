package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// taskVerb is one way to move a task.
type taskVerb struct {
	name string
	to   plan.Status
}

// taskVerbs gives the commands that move a task.
func taskVerbs() []entry {
	var out []entry
	for _, v := range allTaskVerbs() {
		out = append(out, entry{name: v.name, make: func(a *app, cmd *cobra.Command) runner { return newTaskVerb(a, cmd, v) }})
	}
	return out
}

func allTaskVerbs() []taskVerb {
	return []taskVerb{
		{"start", plan.InProgress}, {"done", plan.Done}, {"fail", plan.Failed}, {"block", plan.Blocked},
		{"release", plan.Pending}, {"skip", plan.Skipped}, {"cancel", plan.Cancelled}, {"reopen", plan.Pending},
	}
}

type taskCommand struct {
	*app
	verb     taskVerb
	name     string
	messages []string
	result   string
	affected []string
	commit   string
	cascade  bool
}

func newTaskVerb(a *app, cmd *cobra.Command, v taskVerb) runner {
	c := &taskCommand{app: a, verb: v}
	flags, note := cmd.Flags(), "add this `text` to the task's notes"
	switch v.name {
	case "fail":
		note = "what went wrong, as `text`"
	case "done":
		flags.StringVar(&c.result, "result", "", "what came out, as `text`")
		flags.StringArrayVar(&c.affected, "affected", nil, "a `path` that the work changed; may be given more than once")
		flags.StringVar(&c.commit, "commit", "", "the `revision` of the code that shows the work")
	case "skip":
		flags.BoolVar(&c.cascade, "cascade", false, "skip what depends on it too")
	}
	flags.StringArrayVarP(&c.messages, "message", "m", nil, note)
	return func(ctx context.Context, args []string) error {
		c.name = args[0]
		if err := filled(cmd, "commit"); err != nil {
			return err
		}
		return c.run(ctx)
	}
}

func (c *taskCommand) run(ctx context.Context) error {
	if err := checkTexts(append(c.messages, c.result)...); err != nil {
		return err
	}
	if _, err := c.open(ctx); err != nil {
		return err
	}
	move, err := c.move(ctx)
	if err != nil {
		return err
	}
	planID, name := taskName(c.name)
	reasons := slices.Clone(c.messages)
	if c.result != "" {
		reasons = append(reasons, c.result)
	}
	var id string
	var from plan.Claim // of another agent, which a start ends
	after, result, err := c.edit(ctx, planID, func(p *plan.Plan, by plan.Move) (store.Message, error) {
		move.At, move.Agent, move.Lease = by.At, by.Agent, by.Lease
		t, err := findTask(p, name)
		if err != nil {
			return store.Message{}, err
		}
		id, from = t.ID, plan.Claim{}
		if had, ok := t.Claim(); ok && move.To == plan.InProgress && had.Agent != by.Agent {
			from = had
		}
		m := store.Message{Agent: by.Agent, Body: reasons}
		if t.Status == move.To {
			m.Subject = "report on " + id // only what is told of it is new
		}
		return m, apply(p, t, move, c.cascade)
	})
	if err != nil {
		return err
	}
	var claims []string
	if c.verb.to == plan.InProgress {
		claims = []string{after.ID + "/" + id}
	}
	c.afterChange(ctx, result, claims...)
	c.tellFindings(result.Warnings)
	if from.Agent != "" {
		c.warn("taken over from %s, whose lease has run out: look for work of it that is left", from.Agent)
	}
	return c.tell(after, after.Task(id), result)
}

// move is the transition that the options ask for.
func (c *taskCommand) move(ctx context.Context) (plan.Move, error) {
	m := plan.Move{To: c.verb.to, Reopen: c.verb.name == "reopen", Result: c.result, Affected: c.affected}
	if c.verb.to == plan.Failed {
		m.Error = strings.Join(c.messages, "\n")
	} else {
		m.Notes = c.messages
	}
	for _, p := range c.affected {
		if why := plan.CheckPath(p); why != "" {
			return m, &usageError{fmt.Sprintf("--affected %q %s", p, why)}
		}
	}
	if c.commit != "" {
		evidence, err := c.repo.Project().Evidence(ctx, c.commit)
		if err != nil {
			return m, err
		}
		m.Evidence = []string{evidence.String()}
	}
	return m, nil
}

func apply(p *plan.Plan, t *plan.Task, m plan.Move, cascade bool) error {
	var behind []*plan.Task
	if cascade {
		behind = p.Cascade(t)
	}
	if _, err := p.Transition(t, m); err != nil {
		return err
	}
	for _, u := range behind {
		if u.Status.Settled() {
			continue // skipped along with its container
		}
		if _, err := p.Transition(u, plan.Move{To: m.To, At: m.At, Agent: m.Agent}); err != nil {
			return err
		}
	}
	return nil
}

func (c *taskCommand) tell(p *plan.Plan, t *plan.Task, result store.Result) error {
	v := c.verb
	if waits := p.WaitsFor(t); (v.to == plan.InProgress || v.to == plan.Done) && result.Changed() && len(waits) > 0 {
		c.warn("%s waits for %s, which is not settled", t.ID, waits[0].ID)
	}
	if v.to == plan.Failed && t.Doc.Text("error") == "" {
		c.warn("nobody will know why %s failed: say it with `git plan task fail %s/%s -m TEXT`", t.ID, p.ID, t.ID)
	}
	n := p.Progress()
	state := fmt.Sprintf("%s/%s is %s (plan %s, %d/%d done)", p.ID, t.ID, t.Status, p.Status(), n.Done, n.Total)
	if !result.Changed() {
		state += ": nothing changed"
	}
	return c.reply(taskDocument{statusOf(result.Changed()), p.ID, p.Status(), render.Task(t), landed(result)}, "%s", state)
}
