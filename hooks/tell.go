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
	for i, v := range got.Refused {
		if i == maxCommits {
			got.More += len(got.Refused) - i
			break
		}
		if err := t.commit(ctx, "does not pass the gate", v); err != nil {
			return err
		}
	}
	if got.More > 0 {
		t.Say("+%d more of %s do not pass", got.More, words.Count(got.Judged, "commit"))
	}
	return t.warn(ctx, got.Warned)
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

// warn tells of commits that came before the store here and may stay.
func (t *teller) warn(ctx context.Context, old []store.Verdict) error {
	for i, v := range old {
		if i == maxCommits {
			t.Say("warning: +%d more", len(old)-i)
			break
		}
		if err := t.commit(ctx, "is older than the store here and would not pass", v); err != nil {
			return err
		}
	}
	return nil
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
