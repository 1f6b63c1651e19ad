package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type statusCommand struct {
	*app
	all bool
}

func newStatus(a *app, cmd *cobra.Command) runner {
	c := &statusCommand{app: a}
	cmd.Flags().BoolVar(&c.all, "all", false, "show every task of the plan in full")
	return c.run
}

func (c *statusCommand) run(ctx context.Context, args []string) error {
	name := firstOr(args, "")
	stored, at, err := c.loadToShow(ctx, name)
	if err != nil {
		return err
	}
	if stored.Plan.Doc == nil {
		return unreadablePlan(stored.ID)
	}
	view, err := c.view(ctx, stored, name)
	if err != nil {
		return err
	}
	view.Commit, view.All = at.Commit, c.all
	if view.Sync, err = c.instructions(ctx); err != nil {
		return err
	}
	view.Shared = view.Decide().Reason == loop.WaitingOnTasks && c.repo.Publisher().Shared(ctx)
	parked, err := c.repo.Publisher().ParkedSeen(ctx)
	if err != nil {
		return err
	}
	remote, err := c.remoteView(ctx, at)
	if err != nil {
		return err
	}
	if c.json {
		return c.print(statusDocument{loop.Answer(view), parkedDocuments(parked), remote})
	}
	return c.tell(view, parked, remote)
}

// statusDocument is the answer of `status`.
type statusDocument struct {
	loop.Document
	// Parked is there where something is parked.
	Parked []parkedDocument `json:"parked,omitempty"`
	// Remote is there where the plans have one.
	Remote *remoteDocument `json:"remote,omitempty"`
}

// unreadablePlan is the error of a plan that came past the gate without a plan.md.
func unreadablePlan(id string) error {
	return fmt.Errorf("plan %s has no plan.md that can be read: see `git plan check %s`", id, id)
}

// tell prints the state of the plan for a person, and what comes next.
func (c *statusCommand) tell(v loop.View, parked []store.Parked, remote *remoteDocument) error {
	p, n := v.Plan, v.Plan.Progress()
	if v.Topic != "" {
		c.say("topic: %s", diag.Printable(v.Topic))
	}
	c.say("%s: %s", p.ID, diag.Printable(p.Title()))
	c.say("status: %s, version %d, %d/%d done", p.Status(), p.Version(), n.Done, n.Total)
	if remote != nil {
		c.say("%s", remote.line(c.Now()))
	}
	c.tellParked(parked)
	c.say("")
	if err := c.tellNow(v); err != nil {
		return err
	}
	if v.All {
		c.say("")
		if err := render.NewSheet(p).At(v.At).Text(c.Stdout, c.newPage()); err != nil {
			return err
		}
	}
	if v.Sync != nil {
		c.say("\n%s does not hold the current instructions for agents; `git plan status --json` gives them.", diag.Printable(v.Sync.File))
	}
	return nil
}

// tellNow prints what is to be done. The file of instructions does not come first
// for a person.
func (c *statusCommand) tellNow(v loop.View) error {
	v.Sync = nil
	d, now := v.Decide(), loop.Answer(v).Now
	switch d.Reason {
	case loop.ReadyForTask:
		c.say("%s\n", nextHeading(d.Task))
		return render.TaskCard(c.Stdout, d.Task, c.newPage())
	case loop.WaitingOnSignal:
		c.say("%s\n\n%s\n", diag.Printable(now.Message), diag.PrintableText(indent(strings.TrimSpace(d.Signal.Message()))))
		if source := d.Signal.Source(); source != plan.DefaultSource {
			c.say("Fix it; %s opened it, and clears it when its check passes.", diag.Printable(source))
		} else {
			c.say("Fix it, then run `git plan alert clear %s%s`.", diag.Printable(d.Signal.ID), v.Named)
		}
	default:
		c.say("%s", diag.PrintableText(now.Message))
		if now.Summary != "" {
			c.say("\n%s", diag.PrintableText(indent(strings.TrimSpace(now.Summary))))
		} else {
			c.say("%s", diag.PrintableText(now.Instructions))
		}
	}
	return nil
}

func nextHeading(t *plan.Task) string {
	if t.Status == plan.InProgress {
		return "In progress:"
	}
	return "Next:"
}

// indent sets text off from what is around it.
func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// instructions gives the file of instructions if it is out of date. A file that
// cannot be compared is a warning.
func (c *statusCommand) instructions(ctx context.Context) (*loop.Sync, error) {
	name, set := c.repo.Config.Get("plan.instructionsFile")
	if !set {
		name = loop.DefaultInstructions
	}
	if name == "" || c.repo.WorkTree == "" {
		return nil, nil
	}
	if why := plan.CheckPath(filepath.ToSlash(name)); why != "" {
		c.warn("plan.instructionsFile names %q, which %s: name a file of the project, or set it to nothing", name, why)
		return nil, nil
	}
	have, err := c.projectText(name, loop.MaxInstructions)
	var want string
	differs := false
	if err == nil {
		want, differs, err = loop.Instructions(have)
	}
	if err != nil {
		c.warn("%s cannot be compared with the instructions for agents: %v; mend it, or set plan.instructionsFile to another file or to nothing", name, err)
		return nil, nil
	}
	if !differs {
		return nil, nil
	}
	// Where the plans themselves are checked out there is no project.
	if inStore, err := c.repo.Project().InStore(ctx); err != nil || inStore {
		return nil, err
	}
	return &loop.Sync{File: filepath.ToSlash(name), Content: want}, nil
}

// projectText reads a text file of the project, empty where it is not there.
func (c *statusCommand) projectText(name string, limit int64) (string, error) {
	root, err := os.OpenRoot(c.repo.WorkTree)
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, _, err := setup.ReadText(root, filepath.FromSlash(name), limit)
	return text, err
}
