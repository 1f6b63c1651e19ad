package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func newDoctor(a *app) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use: "doctor [--fix]", Short: "look for faults and name the command that fixes each", GroupID: groupSetup,
		Long: `Check the branch, every plan on it, the drafts, hooks, settings and locks, and
let 'git fsck' check the objects. Each fault is named with the command that fixes
it; for damage in the repository that is git's own.

With --fix, fix what is git plan's own: an interrupted move of a worktree; locks
of refs that are ten minutes old and temporary files that killed processes left;
a hook that was moved away and has no other in its place.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDoctor(cmd.Context(), fix) },
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "fix what is git plan's own")
	return cmd
}

// checkup is one line of the doctor's.
type checkup struct {
	Name string `json:"name"`
	// Status is ok, warning or error.
	Status  string `json:"status"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

type doctor struct {
	app  *app
	fix  bool
	rows []checkup
	// broken says that the branch cannot be read, so nothing on it can.
	broken bool
	// blind says that it cannot be read where the remote was last seen.
	blind bool
	// blocked says that something stands where git plan needs its own files.
	blocked bool
}

func (d *doctor) ok(name, format string, args ...any) {
	d.rows = append(d.rows, checkup{name, "ok", fmt.Sprintf(format, args...), ""})
}

func (d *doctor) fault(severity diag.Severity, name, fix, format string, args ...any) {
	d.rows = append(d.rows, checkup{name, severity.String(), fmt.Sprintf(format, args...), fix})
}

// doctorDocument is the answer of `doctor --json`. One that is not healthy is
// also an error like any other.
type doctorDocument struct {
	refusal
	Healthy bool      `json:"healthy"`
	Checks  []checkup `json:"checks"`
}

// tellCheckups prints what was looked at for a person.
func (a *app) tellCheckups(rows []checkup) error {
	if a.json {
		return nil
	}
	page := a.newPage()
	for _, r := range rows {
		slot := map[string]term.Slot{diag.Error.String(): term.Error, diag.Warning.String(): term.Warning}[r.Status]
		if slot == term.Plain {
			slot = term.Done
		}
		page.Behind(term.Sayf(slot, "%-9s", r.Status), term.Say(term.Plain, strings.ReplaceAll(r.Name+": "+r.Message, "\n", "; ")))
		if r.Fix != "" {
			page.Behind(term.Say(term.Hint, "         fix: "), term.Say(term.Plain, r.Fix))
		}
	}
	return page.To(a.Stdout)
}

func (a *app) runDoctor(ctx context.Context, fix bool) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	d := &doctor{app: a, fix: fix}
	for _, look := range []func(context.Context) error{d.git, d.places, d.ref, d.worktree, d.locks, d.leftovers, d.objects, d.tracking, d.rebase, d.hooks, d.store, d.drafts} {
		if err := look(ctx); err != nil {
			return err
		}
	}
	var faults []string
	for _, r := range d.rows {
		if r.Status == diag.Error.String() {
			faults = append(faults, r.Name+": "+r.Message)
		}
	}
	if err := a.tellCheckups(d.rows); err != nil {
		return err
	}
	doc := doctorDocument{refusal{Status: "success"}, len(faults) == 0, d.rows}
	if !doc.Healthy {
		doc.refusal = refuse("rejected", faults, "%s found; see the command that fixes each", count(len(faults), "fault"))
	}
	if a.json {
		if err := a.print(doc); err != nil {
			return err
		}
	}
	if !doc.Healthy {
		return errNo
	}
	return nil
}

func (d *doctor) git(ctx context.Context) error {
	v, err := d.app.repo.Git.Version(ctx)
	if err != nil && v.Text == "" {
		return err
	}
	if err == nil && !v.AtLeast(2, 34) { // what calls itself by no number is taken for new enough
		d.fault(diag.Error, "git", "update git", "version %s is older than 2.34", v.Text)
		return nil
	}
	r := d.app.repo
	shape := "with a working tree"
	if r.Bare {
		shape = "bare"
	}
	d.ok("git", "version %s; repository %s, %s, engine %s", v.Text, shape, r.ObjectFormat, r.Store.Engine())
	return nil
}

func (d *doctor) worktree(ctx context.Context) error {
	if !d.fix || d.broken {
		return nil
	}
	done, err := d.app.repo.Store.Recover(ctx)
	for _, line := range done {
		d.ok("worktree", "%s", line)
	}
	return err
}

func (d *doctor) store(ctx context.Context) error {
	if d.broken {
		return nil
	}
	s, err := d.app.repo.Snapshot(ctx)
	if unreadable(err) {
		d.unread("store", err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if !s.Exists() {
		d.fault(diag.Warning, "store", "git plan init", "there is no branch %s", d.app.repo.Branch())
		return nil
	}
	gates, found, err := s.Gates(ctx)
	if unreadable(err) {
		d.unread("gates.yaml", err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case gates.Newer():
		d.fault(diag.Error, "gates.yaml", "update git plan", "its format %d is newer than this program knows", gates.Format)
	case len(found) > 0:
		d.fault(diag.Error, "gates.yaml", "mend it on branch "+d.app.repo.Branch(), "%s: %s", found[0].Pos, found[0].Message)
	default:
		d.ok("gates.yaml", "gate %s", gates.Gate)
	}
	d.model(ctx, gates)
	strays, err := s.Strays(ctx)
	if err != nil {
		return err
	}
	for _, f := range strays {
		d.fault(f.Severity, "store", "git rm it in a worktree of "+d.app.repo.Branch(), "%s: %s", f.Path, f.Message)
	}
	if err := d.apart(ctx, s.Commit); err != nil {
		return err
	}
	return d.plans(ctx, s, gates)
}

// apart tells of commits that the remote does not have, or that are only there.
func (d *doctor) apart(ctx context.Context, tip string) error {
	if d.blind {
		return nil
	}
	here, there, err := d.app.repo.Apart(ctx, tip)
	if err != nil || here+there == 0 {
		return err
	}
	d.fault(diag.Warning, "remote", "git plan sync", "%s here and %s at the remote are not shared yet, as it was last seen",
		count(here, "commit"), count(there, "commit"))
	return nil
}

func (d *doctor) plans(ctx context.Context, s *store.Snapshot, gates validate.Gates) error {
	world, err := d.app.repo.Project().World(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range s.Locations() {
		p, err := s.LoadAt(ctx, l)
		if unreadable(err) {
			name := "plan " + l.ID
			d.unread(name, strings.TrimPrefix(err.Error(), name+": "))
			continue
		}
		if err != nil {
			return err
		}
		subject := store.Subject{Plan: p.Plan, Found: p.Found, Stored: true}
		if errs := store.Errors(subject, store.Policy{Gates: gates}, world); len(errs) > 0 {
			d.fault(diag.Error, "plan "+l.ID, "git plan check "+l.ID, "%s", count(len(errs), "error"))
		}
	}
	d.ok("plans", "%s looked at", count(len(s.Locations()), "plan"))
	return nil
}

// oldDraft is the age from which an edit that was not committed is worth a
// word: git clean -x and git worktree remove delete drafts without asking.
const oldDraft = 24 * time.Hour

func (d *doctor) drafts(ctx context.Context) error {
	if d.app.repo.WorkTree == "" || d.broken || d.blocked {
		return nil
	}
	drafts, err := d.app.drafts(ctx)
	if err != nil {
		return d.draftFault(ctx, err)
	}
	edited, err := drafts.Edited(ctx)
	var state *draft.StateError
	switch {
	case errors.As(err, &state):
		d.fault(diag.Error, "drafts", "rm "+quote(state.Path), "%v", err)
	case unreadable(err):
		d.fault(diag.Error, "drafts", "keep a copy of the draft, then git plan edit --force PLAN", "%v", err)
	case err != nil:
		return d.draftFault(ctx, err)
	}
	if state == nil {
		if err := d.forgotten(ctx, drafts); err != nil {
			return err
		}
	}
	for _, e := range edited {
		if age := d.app.Now().Sub(e.At); age > oldDraft {
			d.fault(diag.Warning, "draft "+e.ID, "git plan commit", "%s has edits not committed for %d hours", e.Dir, int(age.Hours()))
		}
	}
	return nil
}

// draftFault tells why the drafts cannot be looked at, such as a file in the
// place of a folder, which is no reason to report nothing at all.
func (d *doctor) draftFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fix := "move away what is in the way; `git plan edit --force PLAN` writes a stored plan there again"
	var linked *draft.LinkError
	if errors.As(err, &linked) {
		fix = "rm " + quote(linked.Path) + "; to keep the drafts behind it, move that folder to its place"
	}
	d.fault(diag.Error, "drafts", fix, "%v", err)
	return nil
}
