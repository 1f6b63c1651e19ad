package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan/diag"
)

func newDoctor(a *app, cmd *cobra.Command) runner {
	d := &doctor{app: a}
	cmd.Flags().BoolVar(&d.fix, "fix", false, "fix what is git plan's own")
	return d.run
}

// doctor checks one thing after the other.
type doctor struct {
	*app
	fix  bool
	rows []checkup
	// broken says that the branch cannot be read, so nothing on it can.
	broken bool
	// blind says that it cannot be read where the remote was last seen.
	blind bool
}

// checkup is one line of the doctor's.
type checkup struct {
	Name string `json:"name"`
	// Status is ok, warning or error.
	Status  string `json:"status"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// doctorDocument is the answer of `doctor --json`. One that is not healthy is
// also an error like any other.
type doctorDocument struct {
	refusal
	Healthy bool      `json:"healthy"`
	Checks  []checkup `json:"checks"`
}

// fixCommand fixes what the doctor fixes itself.
const fixCommand = "git plan doctor --fix"

func (d *doctor) ok(name, format string, args ...any) {
	d.rows = append(d.rows, checkup{name, "ok", fmt.Sprintf(format, args...), ""})
}

func (d *doctor) fault(severity diag.Severity, name, fix, format string, args ...any) {
	d.rows = append(d.rows, checkup{name, severity.String(), fmt.Sprintf(format, args...), fix})
}

func (d *doctor) run(ctx context.Context, _ []string) error {
	if _, err := d.open(ctx); err != nil {
		return err
	}
	checks := []func(context.Context) error{
		d.checkGit, d.checkBranch, d.checkWorktree, d.checkLocks,
		d.checkObjects, d.checkTracking, d.checkRebase, d.checkHooks, d.checkStore, d.checkDrafts,
	}
	for _, check := range checks {
		if err := check(ctx); err != nil {
			return err
		}
	}
	var faults []string
	for _, r := range d.rows {
		if r.Status == diag.Error.String() {
			faults = append(faults, r.Name+": "+r.Message)
		}
	}
	doc := doctorDocument{refusal{Status: "success"}, len(faults) == 0, d.rows}
	if !doc.Healthy {
		doc.refusal = refuse("rejected", faults, "%s found; see the command that fixes each", count(len(faults), "fault"))
	}
	return d.answer(doc.refusal, doc, d.tell)
}

// tell prints what was looked at for a person.
func (d *doctor) tell() error {
	page := d.newPage()
	slots := map[string]term.Slot{"ok": term.Done, "warning": term.Warning, "error": term.Error}
	for _, r := range d.rows {
		page.Behind(term.Sayf(slots[r.Status], "%-9s", r.Status), term.Say(term.Plain, strings.ReplaceAll(r.Name+": "+r.Message, "\n", "; ")))
		if r.Fix != "" {
			page.Behind(term.Say(term.Hint, "         fix: "), term.Say(term.Plain, r.Fix))
		}
	}
	return page.To(d.Stdout)
}

// quote gives a path as a shell takes it.
func quote(path string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@,"
	if strings.Trim(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
