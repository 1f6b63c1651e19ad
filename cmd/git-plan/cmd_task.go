package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// taskVerb is one way to move a task.
type taskVerb struct {
	name, short string
	to          plan.Status
}

func taskVerbs() []taskVerb {
	return []taskVerb{
		{"start", "begin work on a task", plan.InProgress},
		{"done", "report a task done", plan.Done},
		{"fail", "report a task failed", plan.Failed},
		{"block", "report that a task cannot go on", plan.Blocked},
		{"release", "give a task back, to be started by anyone", plan.Pending},
		{"skip", "settle a task as not needed", plan.Skipped},
		{"cancel", "settle a task as not wanted", plan.Cancelled},
		{"reopen", "make a settled or failed task pending again", plan.Pending},
	}
}

type taskOptions struct {
	verb     taskVerb
	name     string
	messages []string
	result   string
	affected []string
	commit   string
	cascade  bool
}

func newTask(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "task VERB ID", Short: "report progress on a task", GroupID: groupEveryday,
		Long: `Move a task from one status to another. A task is named by its id, by
<plan>/<id>, or by its number as ` + "`git plan show`" + ` prints it.

Moves go by one table: a pending task can be started, done, failed or
blocked; one in progress can be done, failed, blocked or released; a blocked
one started, released, done or failed; a failed one started or reopened; a
settled one only reopened. Anything unsettled can be skipped or cancelled.
` + exitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"which move? " + verbNames()}
			}
			message := fmt.Sprintf("there is no move %q; there are %s", args[0], verbNames())
			if near := nearestCommand(cmd, args[0]); near != "" {
				message = fmt.Sprintf("there is no move %q (did you mean %q?)", args[0], near)
			}
			return &usageError{message}
		},
	}
	for _, v := range taskVerbs() {
		cmd.AddCommand(newTaskVerb(a, v))
	}
	return cmd
}

func verbNames() string {
	var names []string
	for _, v := range taskVerbs() {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

func newTaskVerb(a *app, v taskVerb) *cobra.Command {
	opts := taskOptions{verb: v}
	cmd := &cobra.Command{
		Use: v.name + " ID [-m TEXT]…", Short: v.short,
		Long: strings.ToUpper(v.short[:1]) + v.short[1:] + ".\n" + exitHelp,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = args[0]
			if err := filled(cmd, "commit"); err != nil {
				return err
			}
			return a.runTask(cmd.Context(), opts)
		},
	}
	flags, note := cmd.Flags(), "add this `text` to the task's notes"
	switch v.name {
	case "fail":
		note = "what went wrong, as `text`"
	case "done":
		flags.StringVar(&opts.result, "result", "", "what came out, as `text`")
		flags.StringArrayVar(&opts.affected, "affected", nil, "a `path` that the work changed; may be given more than once")
		flags.StringVar(&opts.commit, "commit", "", "the `revision` of the code that shows the work")
	case "skip":
		flags.BoolVar(&opts.cascade, "cascade", false, "skip what depends on it too")
	}
	flags.StringArrayVarP(&opts.messages, "message", "m", nil, note)
	return cmd
}

func (a *app) runTask(ctx context.Context, opts taskOptions) error {
	for _, text := range append([]string{opts.result}, opts.messages...) {
		if err := plan.CheckText(text); err != nil {
			return &usageError{err.Error()}
		}
	}
	if _, err := a.open(ctx); err != nil {
		return err
	}
	move, err := a.move(ctx, opts)
	if err != nil {
		return err
	}
	change := taskChange{app: a, opts: opts, move: move}
	result, err := a.repo.Commit(ctx, change.mutate)
	if err != nil {
		return err
	}
	a.afterChange(ctx, result)
	a.tellFindings(result.Warnings)
	if change.from.Agent != "" {
		a.warn("%s", takenOver(change.from))
	}
	return a.tellTask(change.after, change.after.Task(change.id), result, opts.verb)
}

// taskChange moves a task in the store. It is made again where the store moved
// meanwhile; what it tells is of the last time.
type taskChange struct {
	app  *app
	opts taskOptions
	move plan.Move

	after *plan.Plan
	id    string
	from  plan.Claim // whose lapsed claim it was
}

func (c *taskChange) mutate(ctx context.Context, s *store.Snapshot) (store.Proposal, error) {
	planID, name := taskName(c.opts.name)
	var err error
	if planID == "" {
		if planID, err = c.app.onePlan(ctx, s); err != nil {
			return store.Proposal{}, err
		}
	}
	if c.move.Lease, err = s.Lease(ctx); err != nil {
		return store.Proposal{}, err
	}
	return store.Edit(planID, func(p *plan.Plan) (store.Message, error) { return c.edit(p, name) }, name)(ctx, s)
}

func (c *taskChange) edit(p *plan.Plan, name string) (store.Message, error) {
	t, err := findTask(p, name)
	if err != nil {
		return store.Message{}, err
	}
	c.after, c.id, c.from = p, t.ID, endedBy(t, c.move)
	m := store.Message{Agent: c.move.Agent, Body: reasons(c.opts)}
	if t.Status == c.move.To {
		m.Subject = "report on " + t.ID // only what is told of it is new
	}
	return m, apply(p, t, c.move, c.opts.cascade)
}

// endedBy gives the claim of somebody else that a start ends, if it does.
func endedBy(t *plan.Task, m plan.Move) plan.Claim {
	if had, ok := t.Claim(); ok && m.To == plan.InProgress && had.Agent != m.Agent {
		return had
	}
	return plan.Claim{}
}

// takenOver tells whose task it was until now.
func takenOver(from plan.Claim) string {
	return fmt.Sprintf("taken over from %s, whose lease has run out: look for work of it that is left", from.Agent)
}

// move is the transition that the options ask for.
func (a *app) move(ctx context.Context, opts taskOptions) (plan.Move, error) {
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return plan.Move{}, err
	}
	m := plan.Move{
		To: opts.verb.to, Reopen: opts.verb.name == "reopen", Result: opts.result, Affected: opts.affected,
		At: a.repo.Now(), Agent: agent,
	}
	if opts.verb.to == plan.Failed {
		m.Error = strings.Join(opts.messages, "\n")
	} else {
		m.Notes = opts.messages
	}
	for _, p := range opts.affected {
		if why := plan.CheckPath(p); why != "" {
			return m, &usageError{fmt.Sprintf("--affected %q %s", p, why)}
		}
	}
	if opts.commit != "" {
		evidence, err := a.repo.CommitEvidence(ctx, opts.commit)
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

func reasons(opts taskOptions) []string {
	out := append([]string{}, opts.messages...)
	if opts.result != "" {
		out = append(out, opts.result)
	}
	return out
}

func (a *app) tellTask(p *plan.Plan, t *plan.Task, result store.Result, v taskVerb) error {
	if waits := p.WaitsFor(t); (v.to == plan.InProgress || v.to == plan.Done) && result.Changed() && len(waits) > 0 {
		a.warn("%s waits for %s, which is not settled", t.ID, waits[0].ID)
	}
	if v.to == plan.Failed && t.Doc.Text("error") == "" {
		a.warn("nobody will know why %s failed: say it with `git plan task fail %s/%s -m TEXT`", t.ID, p.ID, t.ID)
	}
	if a.json {
		doc := taskDocument{"success", p.ID, p.Status(), render.Task(t), result.Commit}
		if !result.Changed() {
			doc.Status = "unchanged"
		}
		return a.print(doc)
	}
	c := p.Progress()
	state := fmt.Sprintf("%s/%s is %s (plan %s, %d/%d done)", p.ID, t.ID, t.Status, p.Status(), c.Done, c.Total)
	if !result.Changed() {
		state += ": nothing changed"
	}
	a.say("%s", state)
	return nil
}
