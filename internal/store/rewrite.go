package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	policy Policy
	prefer map[string]merge.Side
	theirs string // what is published
	tip    string // of what was made so far
	notes  []string
	given  map[string]string // the ids that plans were given, by the old ones
}

// rewrite makes the commits that are reachable from tip and not from theirs anew
// on top of theirs and gives the last; of merges only what they decided. One that
// does not pass the gate by itself is made together with those after it that hold
// it, until the result passes. What comes out is what merging tip as a whole gives,
// where that can be merged: where the commits one by one do not lead there, all of
// them are made one. If nothing passes, it is a *[RejectedError]. Notes tell what
// was done that nobody asked for. Where theirs is "", all that was made since the
// store was begun is made anew.
func (r *Repo) rewrite(ctx context.Context, tip, theirs string, prefer map[string]merge.Side) (last string, told met, err error) {
	return r.anew(ctx, tip, theirs, prefer, func(w *rewriter, old []gitstore.Lineage) error {
		steps, left, err := w.all(ctx, old)
		if err != nil {
			return err
		}
		return w.settle(ctx, tip, steps, left)
	})
}

// anew makes commits anew by a way of doing so, which gets them in their order.
func (r *Repo) anew(ctx context.Context, tip, theirs string, prefer map[string]merge.Side, way func(*rewriter, []gitstore.Lineage) error) (last string, told met, err error) {
	w := &rewriter{repo: r, aside: gitstore.Open(r.Repo, rewriteRef), prefer: prefer, theirs: theirs, given: map[string]string{}}
	defer func() { _ = w.aside.Close() }()
	defer func() { _, _ = r.Git.Write(context.WithoutCancel(ctx), nil, "update-ref", "-d", rewriteRef) }()
	if theirs == "" {
		if theirs, err = w.begin(ctx, tip); err != nil {
			return "", met{}, err
		}
		w.theirs = theirs
	}
	old, err := r.Store.Between(ctx, tip, theirs)
	if err != nil {
		return "", met{}, err
	}
	if w.policy.Gates, _, err = r.GatesAt(ctx, theirs); err != nil {
		return "", met{}, err
	}
	if w.policy.Gates.Newer() && len(old) > 0 {
		return "", met{}, errNewerGates()
	}
	if err := w.reset(ctx, theirs); err != nil {
		return "", met{}, err
	}
	err = way(w, old)
	return w.tip, met{notes: w.notes, renamed: Renames{Plans: w.given}}, err
}

// begin gives the commit that every store begins with, for one that the remote does
// not have. What another has of it, as remote-tracking branches tell, stays as it is.
func (w *rewriter) begin(ctx context.Context, tip string) (root string, err error) {
	up, err := w.aside.Update(ctx, "plan: sync --rewrite", func(gitstore.Tip) ([]gitstore.Change, error) {
		return []gitstore.Change{rootChange()}, nil
	})
	if err != nil {
		return "", err
	}
	root = up.Commits[0]
	counts := [2]string{}
	for i, known := range [][]string{{root}, {root, "--remotes"}} {
		out, err := w.repo.Git.Read(ctx, append([]string{"rev-list", "--count", tip, "--not"}, known...)...)
		if err != nil {
			return "", err
		}
		counts[i] = string(out)
	}
	if counts[0] != counts[1] {
		return "", &UnsupportedError{"another remote has these plans, as `git branch -r` tells, and what others have is not made anew: sync with that one, and with this one without --rewrite"}
	}
	return root, nil
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
	commit  *gitstore.Commit
	origin  string // the state that it changed
	before  string // what was made before it
	message string
}

// all makes the steps one by one. Left is what is wrong with the last, if it
// could not be made.
func (w *rewriter) all(ctx context.Context, lineages []gitstore.Lineage) (steps []*step, left, err error) {
	var open []*step // to be made one with a later one
	for _, l := range lineages {
		s := &step{Lineage: l, before: w.tip}
		if s.commit, err = w.repo.Store.Commit(ctx, l.Commit); err != nil {
			return nil, nil, err
		}
		var met bool
		if s.origin, met, err = w.origin(ctx, l); err != nil {
			return nil, nil, err
		}
		steps = append(steps, s)
		within, others := held(steps, open)
		from := s.origin
		if len(within) > 0 && !met {
			from = within[0].origin
		}
		s.message = joined(append(within, s))
		left = w.one(ctx, &ancestor{commit: from}, s.commit, s.message)
		switch {
		case left == nil:
			open = others
		case isRefused(left):
			open = append(open, s)
		default:
			return nil, nil, left
		}
	}
	return steps, left, nil
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

// settle holds what was made step by step against the merge of the tip as a whole.
// Steps that could not be made, or merges that decided otherwise than the steps
// before them, are then in the last commit, or if the gate refuses that as well,
// all steps are one.
func (w *rewriter) settle(ctx context.Context, tip string, steps []*step, left error) error {
	made, notes, given := w.tip, w.notes, w.given
	if len(steps) == 0 {
		return left
	}
	whole, err := w.whole(ctx, tip, steps)
	if isRefused(err) {
		w.tip, w.notes, w.given = made, notes, given
		return left
	}
	if err != nil {
		return err
	}
	last := steps[len(steps)-1]
	if left == nil {
		if same, err := w.repo.sameTree(ctx, made, whole); err != nil || same {
			w.tip, w.notes = made, notes
			return errors.Join(err, w.reset(ctx, made))
		}
		made = last.before
	}
	ofWhole := w.notes
	w.notes = notes
	err = w.commit(ctx, made, gitstore.Change{Base: whole, Message: last.message, Author: &last.commit.Author})
	if isRefused(err) {
		w.notes = append(ofWhole, fmt.Sprintf("%d commits were made one, as they do not pass the gate one by one", len(steps)))
		return w.reset(ctx, whole)
	}
	return err
}

// whole makes one commit of all steps.
func (w *rewriter) whole(ctx context.Context, tip string, steps []*step) (commit string, err error) {
	base, err := w.repo.ancestor(ctx, tip, w.theirs)
	if err != nil {
		return "", err
	}
	w.notes, w.given = nil, map[string]string{}
	if err := w.reset(ctx, w.theirs); err != nil {
		return "", err
	}
	err = w.one(ctx, base, steps[len(steps)-1].commit, joined(steps))
	return w.tip, err
}

// sameTree reports whether the store is the same at two commits.
func (r *Repo) sameTree(ctx context.Context, a, b string) (bool, error) {
	one, err := r.Store.Commit(ctx, a)
	if err != nil {
		return false, err
	}
	other, err := r.Store.Commit(ctx, b)
	if err != nil {
		return false, err
	}
	return one.Tree == other.Tree, nil
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
func (w *rewriter) one(ctx context.Context, from *ancestor, c *gitstore.Commit, message string) error {
	m, err := w.repo.join(ctx, from, c.Name, Joining{Theirs: w.tip, Prefer: w.prefer, Untangle: true}, Message{})
	if err != nil || len(m.change.Files) == 0 {
		return err
	}
	change := m.change
	change.Message, change.Author = message, &c.Author
	if err := w.commit(ctx, w.tip, change); err != nil {
		return err
	}
	w.notes = append(w.notes, m.notes...)
	maps.Copy(w.given, m.renamed.Plans)
	return nil
}

// commit makes a commit on top of one that was made before, if it passes the
// gate. One that changes nothing is not made.
func (w *rewriter) commit(ctx context.Context, before string, change gitstore.Change) error {
	if change.Base != before {
		if same, err := w.repo.sameTree(ctx, change.Base, before); err != nil || same {
			return errors.Join(err, w.reset(ctx, before))
		}
	}
	change.Parents = []string{before}
	up, err := w.aside.Update(ctx, "plan: sync --rewrite", func(gitstore.Tip) ([]gitstore.Change, error) {
		return []gitstore.Change{change}, nil
	})
	if err != nil || len(up.Commits) == 0 {
		return err
	}
	w.tip = up.Commits[0]
	found, err := w.judge(ctx, before)
	if errs, _ := diag.Count(found); err != nil || errs == 0 {
		return err
	}
	if err := w.reset(ctx, before); err != nil {
		return err
	}
	return &RejectedError{found}
}

// judge holds the last commit against what is published, against the gate of the one
// that it was made on, as the server does, and against its own: made of several, it
// may hold what was made after the gate was raised.
func (w *rewriter) judge(ctx context.Context, before string) (found []diag.Diagnostic, err error) {
	policy := w.policy
	for _, commit := range []string{before, w.tip} {
		gates, _, err := w.repo.GatesAt(ctx, commit)
		if err != nil {
			return nil, err
		}
		policy.Gates = policy.Gates.And(gates)
	}
	v, err := w.repo.Judge(ctx, Candidate{Commit: w.tip, Parents: []string{before}}, policy, w.repo.blind(ctx))
	return v.Findings, err
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
