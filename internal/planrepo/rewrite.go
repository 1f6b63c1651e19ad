package planrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
// on top of theirs and gives the last; of merges only what they decided. One that
// does not pass the gate by itself is made together with those after it that hold
// it, until the result passes, and the last ones with those before them; if
// nothing does, it is a *[RejectedError]. Notes tell what was done that nobody
// asked for.
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

// step is a commit to be made anew.
type step struct {
	gitstore.Lineage
	commit *gitstore.Commit
	origin string // the state that it changed
	before string // what was made before it
	notes  int    // and how many notes there were
}

func (w *rewriter) all(ctx context.Context, lineages []gitstore.Lineage) error {
	left := error(nil)
	var steps, open []*step // open are to be made one with a later one
	for _, l := range lineages {
		c, err := w.repo.Store.Commit(ctx, l.Commit)
		if err != nil {
			return err
		}
		s := &step{Lineage: l, commit: c, before: w.tip, notes: len(w.notes)}
		var met bool
		if s.origin, met, err = w.origin(ctx, l); err != nil {
			return err
		}
		steps = append(steps, s)
		within, others := held(steps, open)
		from := s.origin
		if len(within) > 0 && !met {
			from = within[0].origin
		}
		within = append(within, s)
		if left = w.one(ctx, from, c, joined(within)); left == nil {
			open = others
			continue
		}
		if !isRefused(left) {
			return left
		}
		open = append(open, s)
	}
	if left == nil || len(steps) < 2 {
		return left
	}
	return w.together(ctx, steps, left)
}

// held parts open steps into those that the last step holds, and others, which
// are of another line of history.
func held(steps, open []*step) (within, others []*step) {
	if len(open) == 0 {
		return nil, nil
	}
	holds := map[string]bool{steps[len(steps)-1].Commit: true}
	for _, s := range slices.Backward(steps) { // parents come first
		if holds[s.Commit] {
			for _, p := range s.Parents {
				holds[p] = true
			}
		}
	}
	for _, o := range open {
		if holds[o.Commit] {
			within = append(within, o)
		} else {
			others = append(others, o)
		}
	}
	return within, others
}

// together makes ever more of the last steps one: what takes back a step that
// passed may not pass on top of that. Where even all of them do not, left is the
// error.
func (w *rewriter) together(ctx context.Context, steps []*step, left error) error {
	last := steps[len(steps)-1]
	for n := 1; n < len(steps); {
		n = min(2*n, len(steps))
		part := steps[len(steps)-n:]
		if err := w.reset(ctx, part[0].before); err != nil {
			return err
		}
		w.notes = w.notes[:part[0].notes]
		err := w.one(ctx, part[0].origin, last.commit, joined(part))
		if err == nil {
			w.notes = append(w.notes, fmt.Sprintf("the last %d commits were made one, as they do not pass the gate one by one", n))
			return nil
		}
		if !isRefused(err) {
			return err
		}
	}
	return left
}

// isRefused reports whether an error says that a commit cannot be made by itself.
func isRefused(err error) bool {
	var refused *RejectedError
	var conflict *MergeError
	return errors.As(err, &refused) || errors.As(err, &conflict)
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
func joined(commits []*step) string {
	last := commits[len(commits)-1].commit
	if len(commits) == 1 {
		return last.Message
	}
	subject, rest, _ := strings.Cut(last.Message, "\n")
	var b strings.Builder
	b.WriteString(subject + "\n\nTogether with\n")
	for _, s := range commits[:len(commits)-1] {
		c := s.commit
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
