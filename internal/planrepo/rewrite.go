package planrepo

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan/diag"
)

// rewriteRef holds the commits that are being made anew until they are done.
const rewriteRef = "refs/git-plan/rewrite"

// rewriter makes commits anew on top of others, each of which passes the gate.
type rewriter struct {
	repo   *Repo
	aside  *gitstore.Store
	law    Law
	prefer map[string]merge.Side
	tip    string // of what was made so far
}

// rewrite makes the commits that are reachable from tip and not from theirs anew
// on top of theirs and gives the last. One that does not pass the gate by itself
// is made together with those after it, until the result passes; if the last
// does not, it is a *[RejectedError].
func (r *Repo) rewrite(ctx context.Context, tip, theirs string, prefer map[string]merge.Side) (string, error) {
	old, err := r.Store.History(ctx, tip, 0)
	if err != nil {
		return "", err
	}
	w := &rewriter{repo: r, aside: gitstore.Open(r.Repo, rewriteRef), prefer: prefer}
	defer func() { _ = w.aside.Close() }()
	if w.law.Gates, _, err = r.GatesAt(ctx, theirs); err != nil {
		return "", err
	}
	if err := w.reset(ctx, theirs); err != nil {
		return "", err
	}
	defer func() { _, _ = r.Git.Write(context.WithoutCancel(ctx), nil, "update-ref", "-d", rewriteRef) }()
	err = w.all(ctx, unpublished(ctx, r, old, theirs))
	return w.tip, err
}

// unpublished gives the steps that are not in theirs, oldest first.
func unpublished(ctx context.Context, r *Repo, steps []gitstore.Step, theirs string) []gitstore.Step {
	var out []gitstore.Step
	for _, s := range steps {
		if there, err := r.Store.IsAncestor(ctx, s.Commit, theirs); err == nil && there {
			break
		}
		out = append([]gitstore.Step{s}, out...)
	}
	return out
}

// reset puts the commits made so far back to one of them.
func (w *rewriter) reset(ctx context.Context, commit string) error {
	_, err := w.aside.Update(ctx, "plan: sync --rewrite", func(gitstore.Tip) ([]gitstore.Change, error) {
		return []gitstore.Change{{Existing: commit}}, nil
	})
	w.tip = commit
	return err
}

func (w *rewriter) all(ctx context.Context, steps []gitstore.Step) error {
	from, left := "", error(nil)
	var messages []string
	for _, s := range steps {
		c, err := w.repo.Store.Commit(ctx, s.Commit)
		if err != nil {
			return err
		}
		if from == "" {
			from = s.Parent
		}
		messages = append(messages, c.Message)
		left = w.one(ctx, from, c, messages)
		var refused *RejectedError
		var open *MergeError
		switch {
		case left == nil:
			from, messages = "", nil
		case !errors.As(left, &refused) && !errors.As(left, &open):
			return left
		}
	}
	return left
}

// one makes the change between two old states on top of what was made so far.
func (w *rewriter) one(ctx context.Context, from string, c *gitstore.Commit, messages []string) error {
	before := w.tip
	change, _, _, err := w.repo.join(ctx, from, c.Name, Joining{Theirs: before, Prefer: w.prefer}, Message{})
	if err != nil {
		return err
	}
	if len(change.Files) == 0 {
		return nil
	}
	change.Parents, change.Message, change.Author = []string{before}, joined(messages), &c.Author
	up, err := w.aside.Update(ctx, "plan: sync --rewrite", func(gitstore.Tip) ([]gitstore.Change, error) {
		return []gitstore.Change{change}, nil
	})
	if err != nil || len(up.Commits) == 0 {
		return err
	}
	w.tip = up.Commits[0]
	var found []diag.Diagnostic
	err = w.repo.Judge(ctx, w.law, []Candidate{{Commit: w.tip, Parents: []string{before}}}, func(v Verdict) error {
		found = v.Findings
		return nil
	})
	if err != nil {
		return err
	}
	if errs, _ := diag.Count(found); errs == 0 {
		return nil
	}
	if err := w.reset(ctx, before); err != nil {
		return err
	}
	return &RejectedError{found}
}

// joined is the message of several commits that were made one: that of the last,
// with the subjects of the others.
func joined(messages []string) string {
	last := messages[len(messages)-1]
	if len(messages) == 1 {
		return last
	}
	subject, rest, _ := strings.Cut(last, "\n")
	var others []string
	for _, m := range messages[:len(messages)-1] {
		first, _, _ := strings.Cut(m, "\n")
		others = append(others, "* "+first)
	}
	return subject + "\n\nTogether with\n" + strings.Join(others, "\n") + "\n\n" + strings.TrimLeft(rest, "\n")
}
