package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/agenthook"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/paths"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// exitHold is the status by which coding agents know that they must stop.
const exitHold = 2

// agentHookCommand answers one call of an agent's hook.
type agentHookCommand struct {
	*app
	call agenthook.Call
}

func newAgentHook(a *app, cmd *cobra.Command) runner {
	return (&agentHookCommand{app: a}).run
}

// run never stops an agent for a fault of its own: it reports the fault and
// ends with 0.
func (c *agentHookCommand) run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		c.Stdin = strings.NewReader(args[0])
	}
	if c.answersPrompt() {
		return nil // it works on no plan, and would answer for the draft
	}
	const longest = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var err error
	if c.call, err = c.readCall(ctx); err != nil {
		note(c.Stderr, "%v; nothing is stopped", err)
		return nil
	}
	reasons, err := c.reasonsToStop(ctx)
	if kind, _ := kindOf(err); err != nil && kind != "not_a_repository" && kind != "unsupported" { // these mean that there are no plans here
		note(c.Stderr, "%v; nothing is stopped", err)
	}
	if len(reasons) == 0 {
		return nil
	}
	if c.call.FollowUp {
		return c.print(map[string]string{"followup_message": strings.Join(reasons, "\n\n")})
	}
	for _, r := range reasons {
		fmt.Fprintln(c.Stderr, r)
	}
	return &statusError{status: exitHold}
}

// readCall reads the input for a bounded time: an agent may keep its pipe open
// and write nothing.
func (c *agentHookCommand) readCall(ctx context.Context) (agenthook.Call, error) {
	if c.typed() {
		return agenthook.Call{}, agenthook.ErrNoCall // a terminal, or nothing
	}
	call, err := unlessOver(ctx, func() (agenthook.Call, error) { return agenthook.Read(c.Stdin) })
	if err != nil && ctx.Err() != nil {
		return agenthook.Call{}, errors.New("the agent wrote nothing to its hook")
	}
	return call, err
}

// reasonsToStop gives the texts for the agent, none where it may go on.
func (c *agentHookCommand) reasonsToStop(ctx context.Context) ([]string, error) {
	if c.call.Moment == agenthook.Other || c.call.Moment == agenthook.Before && (!c.call.Works() || c.call.AsksUs()) || c.call.Moment == agenthook.End && c.call.Again {
		return nil, nil
	}
	if info, err := os.Stat(c.call.Dir); err == nil && info.IsDir() && filepath.IsAbs(c.call.Dir) {
		c.Dir = c.call.Dir
	}
	s, err := c.snapshot(ctx)
	if err != nil || !s.Exists() {
		return nil, err
	}
	var reasons []string
	if c.call.Moment != agenthook.After {
		if reasons, err = c.blockersToTell(ctx, s); err != nil {
			return reasons, err
		}
	}
	if c.call.Moment != agenthook.Before {
		wrong, err := c.draftsToMend(ctx, s)
		return append(reasons, wrong...), err
	}
	return reasons, nil
}

// blockersToTell gives the open blockers that are new to the session.
func (c *agentHookCommand) blockersToTell(ctx context.Context, s *store.Snapshot) ([]string, error) {
	p, open, err := c.blockersHere(ctx, s)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	text, keys := map[string]string{}, []string{}
	for _, b := range open {
		key := fmt.Sprintf("%s:%s:%x", p.ID, b.ID, sha256.Sum256([]byte(b.Doc.Source)))
		text[key] = blockerText(p, b)
		keys = append(keys, key)
	}
	return namesOf(c.untold(keys...), func(key string) string { return text[key] }), nil
}

// untold gives the keys that are new to the agent's session. Where nothing can be
// remembered it gives none before a tool, which would be stopped for ever.
func (c *agentHookCommand) untold(keys ...string) []string {
	if c.call.Session == "" {
		return keys
	}
	fresh, err := agenthook.Told{File: filepath.Join(c.repo.StateDir(), "told")}.New(c.call.Session, keys)
	if err != nil && c.call.Moment == agenthook.End {
		return keys
	}
	return fresh
}

// blockerText is what an agent reads of a blocker.
func blockerText(p *plan.Plan, b *plan.Signal) string {
	const longest = 2000
	message := diag.PrintableText(b.Message())
	if len(message) > longest {
		message = strings.ToValidUTF8(message[:longest], "") + "…"
	}
	clearing := fmt.Sprintf("run `git plan alert clear %s --plan %s`", b.ID, p.ID)
	if b.Source() != plan.DefaultSource {
		clearing = fmt.Sprintf("its source, %s, clears it", diag.Printable(b.Source()))
	}
	return fmt.Sprintf("git plan: stop: the blocker %s is open%s in plan %s:\n\n%s\n\nDo not go on with the plan. Mend what it tells of; then %s.", b.ID, onTask(p, b), p.ID, message, clearing)
}

// blockersHere gives the open blockers that stop this agent: those on the plan and
// on its tasks in progress; while it has none, all.
func (c *agentHookCommand) blockersHere(ctx context.Context, s *store.Snapshot) (*plan.Plan, []*plan.Signal, error) {
	id, err := c.planAtHand(ctx, s)
	if err != nil || id == "" {
		return nil, nil, err
	}
	stored, err := s.Load(ctx, id)
	switch {
	case isNotFound(err):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	p := stored.Plan
	if stored.Archived() || p.Doc == nil || p.Status().Finished() || len(p.Signals) == 0 {
		return p, nil, nil
	}
	agent, err := c.repo.Agent(ctx)
	if err != nil {
		return nil, nil, err
	}
	mine := p.ClaimsOf(agent)
	return p, slices.DeleteFunc(slices.Clone(p.Signals), func(b *plan.Signal) bool {
		return b.Level != "blocker" || len(mine) > 0 && !slices.ContainsFunc(mine, func(t *plan.Task) bool { return slices.Contains(p.Blockers(t), b) })
	}), nil
}

// draftsToMend gives the faults of the drafts that were just written or, at the
// end of a turn, are not committed.
func (c *agentHookCommand) draftsToMend(ctx context.Context, s *store.Snapshot) ([]string, error) {
	if c.repo.WorkTree == "" {
		return nil, nil
	}
	d, err := c.drafts(ctx)
	if err != nil {
		return nil, err
	}
	dirs, err := c.draftsOfCall(ctx, d)
	if err != nil || len(dirs) == 0 {
		return nil, err
	}
	gates, _, err := s.Gates(ctx)
	if err != nil {
		return nil, err
	}
	world, err := c.repo.Project().World(ctx, "")
	if err != nil {
		return nil, err
	}
	found, _, err := d.Check(ctx, s, store.Policy{Gates: gates}, world)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f diag.Diagnostic) bool {
		return f.Severity != diag.Error || !slices.ContainsFunc(dirs, func(dir string) bool { return isBelow(dir, c.abs(filepath.FromSlash(f.Path))) })
	})
	text := draftText(found)
	if text == "" || c.call.Moment == agenthook.End && len(c.untold(fmt.Sprintf("draft:%x", sha256.Sum256([]byte(text))))) == 0 {
		return nil, nil
	}
	return []string{text}, nil
}

// draftsOfCall gives the folders of the drafts that the call is about.
func (c *agentHookCommand) draftsOfCall(ctx context.Context, d *draft.Drafts) ([]string, error) {
	var dirs []string
	if c.call.Moment == agenthook.End {
		edits, err := d.Edited(ctx)
		return namesOf(edits, func(e draft.Edit) string { return e.Dir }), err
	}
	state, err := d.State()
	if err != nil {
		return nil, err
	}
	for _, t := range state.Drafts {
		if slices.ContainsFunc(c.call.Files, func(file string) bool { return isBelow(t.Dir, c.abs(file)) }) {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs, nil
}

// isBelow reports whether a path is in a folder, links followed.
func isBelow(dir, file string) bool {
	real := filepath.Join(paths.Real(filepath.Dir(file)), filepath.Base(file))
	return paths.IsIn(dir, file) || paths.IsIn(paths.Real(dir), real)
}

// draftText is what an agent reads of a draft that does not pass.
func draftText(found []diag.Diagnostic) string {
	const most = 20
	if len(found) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "git plan: the draft does not pass the gate, with %s: mend the files.\n\n", count(len(found), "error"))
	_ = diag.WriteText(&b, found[:min(len(found), most)]) // into memory
	if more := len(found) - most; more > 0 {
		fmt.Fprintf(&b, "… and %d more: `git plan check` lists them all\n", more)
	}
	return strings.TrimRight(b.String(), "\n")
}
