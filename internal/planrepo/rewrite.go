package planrepo

import (
	"context"
	"errors"
	"fmt"
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
	theirs string // what is published
	tip    string // of what was made so far
	notes  []string
}

// rewrite makes the commits that are reachable from tip and not from theirs anew
// on top of theirs and gives the last; of merges only what they decided. One that does not pass the gate by itself
// is made together with those after it, until the result passes; if the last
// does not, it is a *[RejectedError]. Notes tell what was done that nobody asked
// for.
func (r *Repo) rewrite(ctx context.Context, tip, theirs string, prefer map[string]merge.Side) (last string, notes []string, err error) {
	old, err := r.Store.Between(ctx, tip, theirs)
	if err != nil {
		return "", nil, err
	}
	w := &rewriter{repo: r, aside: gitstore.Open(r.Repo, rewriteRef), prefer: prefer, theirs: theirs}
	defer func() { _ = w.aside.Close() }()
	if w.law.Gates, _, err = r.GatesAt(ctx, theirs); err != nil {
		return "", nil, err
	}
	if err := w.reset(ctx, theirs); err != nil {
		return "", nil, err
	}
	defer func() { _, _ = r.Git.Write(context.WithoutCancel(ctx), nil, "update-ref", "-d", rewriteRef) }()
	err = w.all(ctx, old)
	return w.tip, w.notes, err
}

// reset puts the commits made so far back to one of them.
func (w *rewriter) reset(ctx context.Context, commit string) error {
	_, err := w.aside.Update(ctx, "plan: sync --rewrite", func(gitstore.Tip) ([]gitstore.Change, error) {
		return []gitstore.Change{{Existing: commit}}, nil
	})
	w.tip = commit
	return err
}

func (w *rewriter) all(ctx context.Context, steps []gitstore.Lineage) error {
	from, left := "", error(nil)
	var open []*gitstore.Commit // to be made one with the next
	for _, s := range steps {
		c, err := w.repo.Store.Commit(ctx, s.Commit)
		if err != nil {
			return err
		}
		origin, met, err := w.origin(ctx, s)
		if err != nil {
			return err
		}
		if len(open) == 0 || met {
			from = origin
		}
		open = append(open, c)
		left = w.one(ctx, from, c, joined(open))
		var refused *RejectedError
		var conflict *MergeError
		switch {
		case left == nil:
			open = nil
		case !errors.As(left, &refused) && !errors.As(left, &conflict):
			return left
		}
	}
	return left
}

// origin gives the state that a commit changed. Of a merge with what is
// published it is that side, which met says: the merge holds all of the other.
func (w *rewriter) origin(ctx context.Context, s gitstore.Lineage) (origin string, met bool, err error) {
	if len(s.Parents) == 0 {
		return "", false, nil
	}
	if len(s.Parents) == 1 {
		return s.Parents[0], false, nil
	}
	for _, p := range s.Parents {
		if met, err = w.repo.Store.IsAncestor(ctx, p, w.theirs); met || err != nil {
			return p, met, err
		}
	}
	return s.Parents[0], false, nil
}

// one makes the change between two old states on top of what was made so far.
func (w *rewriter) one(ctx context.Context, from string, c *gitstore.Commit, message string) error {
	before := w.tip
	change, _, notes, err := w.repo.join(ctx, &ancestor{commit: from}, c.Name, Joining{Theirs: before, Prefer: w.prefer, Untangle: true}, Message{})
	if err != nil {
		return err
	}
	if len(change.Files) == 0 {
		return nil
	}
	change.Parents, change.Message, change.Author = []string{before}, message, &c.Author
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
		w.notes = append(w.notes, notes...)
		return nil
	}
	if err := w.reset(ctx, before); err != nil {
		return err
	}
	return &RejectedError{found}
}

// joined is the message of several commits that were made one: that of the last,
// with what the others said and who said it.
func joined(commits []*gitstore.Commit) string {
	last := commits[len(commits)-1]
	if len(commits) == 1 {
		return last.Message
	}
	subject, rest, _ := strings.Cut(last.Message, "\n")
	var b strings.Builder
	b.WriteString(subject + "\n\nTogether with\n")
	for _, c := range commits[:len(commits)-1] {
		first, more, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
		b.WriteString("* " + first)
		if c.Author.Email != last.Author.Email {
			fmt.Fprintf(&b, " (by %s <%s>)", c.Author.Name, c.Author.Email)
		}
		b.WriteString("\n")
		for line := range strings.Lines(more) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString("  " + line + "\n")
			}
		}
	}
	return b.String() + "\n" + strings.TrimLeft(rest, "\n")
}
