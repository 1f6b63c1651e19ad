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
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// exitHold is the status by which coding agents know that they must stop; by
// any other than 0 and this they only know that a hook went wrong.
const exitHold = 2

func newAgentHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "agent-hook [JSON]", Short: "stop a coding agent where its plan says so", GroupID: groupSetup,
		Long: `Read what a coding agent tells its hooks, a JSON document on standard input or
as the argument, and stop the agent where it must stop; it is told why on
standard error. The hooks of Claude Code, Codex, Gemini CLI and Cursor may call
this.

An open blocker stops the agent before it uses a tool, unless that only reads or
is a command of git plan, and at the end of its turn: one on the plan or on what
it has in progress and, while that is nothing, any. A draft that does not pass
the gate stops it once a file of the draft was written, and at the end of its
turn. A blocker, and a draft at the end of a turn, is told once a session, so
that the agent can mend it.

Exit status: 0 yes, go on, also where there is no plan or the input is not
understood; 2 the agent must stop; 129 usage.`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				a.Stdin = strings.NewReader(args[0])
			}
			return a.runAgentHook(cmd.Context())
		},
	}
}

// runAgentHook never stops an agent for a fault of its own: it says on standard
// error what went wrong, and ends with 0.
func (a *app) runAgentHook(ctx context.Context) error {
	if a.answersPrompt() {
		return nil // it works on no plan, and would answer for the draft
	}
	const longest = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	call, err := a.readCall(ctx)
	if err != nil {
		note(a.Stderr, "%v; nothing is stopped", err)
		return nil
	}
	reasons, err := a.reasonsToStop(ctx, call)
	if err != nil && !quiet(err) {
		note(a.Stderr, "%v; nothing is stopped", err)
	}
	if len(reasons) == 0 {
		return nil
	}
	if call.FollowUp {
		return a.print(map[string]string{"followup_message": strings.Join(reasons, "\n\n")})
	}
	for _, r := range reasons {
		fmt.Fprintln(a.Stderr, r)
	}
	return &statusError{status: exitHold}
}

// quiet reports whether an error only says that there are no plans here.
func quiet(err error) bool {
	kind, _ := kindOf(err)
	return kind == "not_a_repository" || kind == "unsupported"
}

// readCall reads the input, for a bounded time: an agent may hold its pipe open
// and write nothing.
func (a *app) readCall(ctx context.Context) (agenthook.Call, error) {
	if a.typed() {
		return agenthook.Call{}, agenthook.ErrNoCall // a terminal, or nothing
	}
	call, err := unlessOver(ctx, func() (agenthook.Call, error) { return agenthook.Read(a.Stdin) })
	if err != nil && ctx.Err() != nil {
		return agenthook.Call{}, errors.New("the agent wrote nothing to its hook")
	}
	return call, err
}

// reasonsToStop gives what the agent is to be told, nothing where it may go on.
func (a *app) reasonsToStop(ctx context.Context, call agenthook.Call) ([]string, error) {
	if call.Moment == agenthook.Other || call.Moment == agenthook.Before && (!call.Works() || call.AsksUs()) || call.Moment == agenthook.End && call.Again {
		return nil, nil
	}
	if info, err := os.Stat(call.Dir); err == nil && info.IsDir() && filepath.IsAbs(call.Dir) {
		a.Dir = call.Dir
	}
	s, err := a.snapshot(ctx)
	if err != nil || !s.Exists() {
		return nil, err
	}
	var reasons []string
	if call.Moment != agenthook.After {
		if reasons, err = a.blockersToTell(ctx, s, call); err != nil {
			return reasons, err
		}
	}
	if call.Moment != agenthook.Before {
		wrong, err := a.draftsToMend(ctx, s, call)
		return append(reasons, wrong...), err
	}
	return reasons, nil
}

// blockersToTell gives the open blockers that the session was not told of yet.
func (a *app) blockersToTell(ctx context.Context, s *store.Snapshot, call agenthook.Call) ([]string, error) {
	p, open, err := a.blockersHere(ctx, s)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	text, keys := map[string]string{}, []string{}
	for _, b := range open {
		key := fmt.Sprintf("%s:%s:%x", p.ID, b.ID, sha256.Sum256([]byte(b.Doc.Source)))
		text[key] = blockerText(p, b)
		keys = append(keys, key)
	}
	var reasons []string
	for _, key := range a.untold(call, keys...) {
		reasons = append(reasons, text[key])
	}
	return reasons, nil
}

// untold gives what the agent's session was not told of yet. Without a session
// it is all of it. Where nothing can be remembered it is nothing before a tool,
// which would be stopped for ever; the end of a turn is held only once anyway.
func (a *app) untold(call agenthook.Call, keys ...string) []string {
	if call.Session == "" {
		return keys
	}
	fresh, err := agenthook.Told{File: filepath.Join(a.repo.StateDir(), "told")}.New(call.Session, keys)
	if err != nil && call.Moment == agenthook.End {
		return keys
	}
	return fresh
}

// blockerText is what an agent reads of a blocker: no more than it needs to
// begin with.
func blockerText(p *plan.Plan, b *plan.Signal) string {
	const longest = 2000
	message := diag.PrintableText(b.Message())
	if len(message) > longest {
		message = strings.ToValidUTF8(message[:longest], "") + "…"
	}
	clearing := "git plan alert clear " + b.ID + " --plan " + p.ID
	if b.Source() != plan.DefaultSource {
		clearing = fmt.Sprintf("its source, %s, clears it", diag.Printable(b.Source()))
	} else {
		clearing = "run `" + clearing + "`"
	}
	return fmt.Sprintf("git plan: stop: the blocker %s is open%s in plan %s:\n\n%s\n\nDo not go on with the plan. Mend what it tells of; then %s.", b.ID, onTask(p, b), p.ID, message, clearing)
}

// blockersHere gives the open blockers of the plan at hand that stop this agent:
// those on the plan and on what it has in progress; while that is nothing, all.
func (a *app) blockersHere(ctx context.Context, s *store.Snapshot) (*plan.Plan, []*plan.Signal, error) {
	id, err := a.planAtHand(ctx, s)
	if err != nil || id == "" {
		return nil, nil, err
	}
	stored, err := s.Load(ctx, id)
	if isNotFound(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p := stored.Plan
	if stored.Archived() || p.Doc == nil || p.Status().Finished() || len(p.Signals) == 0 {
		return p, nil, nil
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return nil, nil, err
	}
	mine := p.ClaimsOf(agent)
	return p, slices.DeleteFunc(slices.Clone(p.Signals), func(b *plan.Signal) bool {
		return b.Level != "blocker" || len(mine) > 0 && !slices.ContainsFunc(mine, func(t *plan.Task) bool { return slices.Contains(p.Blockers(t), b) })
	}), nil
}

// draftsToMend gives what is wrong with the drafts that were just written or, at
// the end of a turn, that are not committed.
func (a *app) draftsToMend(ctx context.Context, s *store.Snapshot, call agenthook.Call) ([]string, error) {
	if a.repo.WorkTree == "" {
		return nil, nil
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return nil, err
	}
	dirs, err := a.draftsOfCall(ctx, d, call)
	if err != nil || len(dirs) == 0 {
		return nil, err
	}
	gates, _, err := s.Gates(ctx)
	if err != nil {
		return nil, err
	}
	law := store.Law{Gates: gates}
	if law.Exists, err = a.repo.World(ctx, ""); err != nil {
		return nil, err
	}
	found, _, err := d.Check(ctx, s, law)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f diag.Diagnostic) bool {
		return f.Severity != diag.Error || !slices.ContainsFunc(dirs, func(dir string) bool { return isBelow(dir, a.abs(filepath.FromSlash(f.Path))) })
	})
	text := draftText(found)
	if text == "" || call.Moment == agenthook.End && len(a.untold(call, fmt.Sprintf("draft:%x", sha256.Sum256([]byte(text))))) == 0 {
		return nil, nil
	}
	return []string{text}, nil
}

// draftsOfCall gives the folders of the drafts that the call is about.
func (a *app) draftsOfCall(ctx context.Context, d *draft.Drafts, call agenthook.Call) ([]string, error) {
	var dirs []string
	if call.Moment == agenthook.End {
		edits, err := d.Edited(ctx)
		for _, e := range edits {
			dirs = append(dirs, e.Dir)
		}
		return dirs, err
	}
	state, err := d.State()
	if err != nil {
		return nil, err
	}
	for _, t := range state.Threads {
		if slices.ContainsFunc(call.Files, func(file string) bool { return isBelow(t.Dir, a.abs(file)) }) {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs, nil
}

// isBelow reports whether a path is in a folder, also where one of them leads
// there by a link.
func isBelow(dir, file string) bool {
	for _, f := range []string{file, filepath.Join(resolved(filepath.Dir(file)), filepath.Base(file))} {
		for _, d := range []string{dir, resolved(dir)} {
			if rel, err := filepath.Rel(d, f); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

func resolved(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	return p
}

// draftText is what an agent reads of a draft that does not pass, bounded.
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
