package hooks

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// What a person is told at once is bounded: who has a thousand faults mends the
// first, and finds that the others are the same.
const (
	maxCommits  = 5
	maxFindings = 20
)

// teller says what is wrong. A hint is given once.
type teller struct {
	Run
	hinted map[string]bool
	shown  int
}

func newTeller(r Run) *teller { return &teller{Run: r, hinted: map[string]bool{}} }

// tell says what is wrong with an update.
func (t *teller) tell(ctx context.Context, got store.Reception) error {
	for _, reason := range got.Reasons {
		t.Say("%s: %s", diag.Printable(got.Ref), diag.Printable(reason))
	}
	left, err := t.commits(ctx, "does not pass the gate", got.Refused)
	if err != nil {
		return err
	}
	if left += got.More; left > 0 {
		t.Say("+%d more of %s do not pass", left, words.Count(got.Judged, "commit"))
	}
	left, err = t.commits(ctx, "is older than the store here and would not pass", got.Warned) // and may stay
	if left > 0 {
		t.Say("warning: +%d more", left)
	}
	return err
}

// commits says what is wrong with the first of some commits, and counts the others.
func (t *teller) commits(ctx context.Context, what string, all []store.Verdict) (left int, err error) {
	told := min(len(all), maxCommits)
	for _, v := range all[:told] {
		if err := t.commit(ctx, what, v); err != nil {
			return 0, err
		}
	}
	return len(all) - told, nil
}

// advise passes on what a judge thinks of commits that may land all the same.
func (t *teller) advise(unapproved []store.Verdict) {
	for _, v := range unapproved {
		for _, d := range v.Findings {
			if d.Rule == validate.RuleJudge {
				t.Say("warning: commit %.12s: %s", v.Commit, diag.Printable(d.Path+": "+d.Message))
			}
		}
	}
}

func (t *teller) commit(ctx context.Context, what string, v store.Verdict) error {
	subject := ""
	c, err := t.Repo.Store.Commit(ctx, v.Commit)
	var missing *gitstore.MissingObjectError
	switch {
	case err == nil:
		subject, _, _ = strings.Cut(c.Message, "\n")
	case !errors.As(err, &missing):
		return err
	}
	if v.Range {
		t.Say("the commits since %.12s, as one change, do not pass the gate:", v.Parents[0])
	} else {
		t.Say("commit %.12s (%s) %s:", v.Commit, diag.Printable(subject), what)
	}
	t.findings(v.Findings)
	return nil
}

// findings prints the errors, each with what to do about it.
func (t *teller) findings(found []diag.Diagnostic) {
	more := 0
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		if t.shown == maxFindings {
			more++
			continue
		}
		t.shown++
		t.Say("  %s", diag.Printable(d.String()))
		if d.Hint != "" && !t.hinted[d.Hint] {
			t.hinted[d.Hint] = true
			t.Say("    hint: %s", diag.Printable(d.Hint))
		}
	}
	if more > 0 {
		t.Say("  +%d more", more)
	}
}
