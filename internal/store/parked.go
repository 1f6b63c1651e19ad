package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan/diag"
)

// Parked is an unpublished commit that could not be replayed on what is published.
// Later commits that need it are part of it.
type Parked struct {
	// Change is the identity of the change, Changes those of all that it holds.
	Change  string
	Changes []string
	// Ref keeps the commit.
	Ref string
	// Commit has the plans as they were to become, Base as they were before, which
	// is empty for a commit without parents.
	Commit, Base string
	// Plans are the ids of the plans that it changes; one is empty if it changes the
	// store's own files.
	Plans []string
	// Agent made the change at that time, and said so in Subject.
	Agent, Subject string
	At             time.Time
	// Waits is who signed the commit, where that is another than this process acts
	// for: the commit waits for a sync of theirs.
	Waits string
	// Conflicts and Findings say why it cannot be made on the store as it is now.
	// Both are empty where it can.
	Conflicts []merge.Conflict
	Findings  []diag.Diagnostic

	signer *gitstore.Ident // its committer, if it is signed
}

// Why says in short why the commit is parked.
func (p Parked) Why() string {
	var lines []string
	if p.Waits != "" {
		return waitsFor(p.Waits)
	}
	for _, c := range p.Conflicts {
		lines = append(lines, c.String())
	}
	lines = append(lines, diag.Lines(p.Findings)...)
	return strings.Join(lines, "; ")
}

func person(id gitstore.Ident) string { return fmt.Sprintf("%s <%s>", id.Name, id.Email) }

// waitsFor says what a commit waits for that another person signed.
func waitsFor(signer string) string {
	return fmt.Sprintf("it is signed by %s, whose `git plan sync` makes it again", signer)
}

// ParkedSeen is [Publisher.Parked] as it was when the repository was opened. It costs nothing
// where nothing was parked then.
func (pub Publisher) ParkedSeen(ctx context.Context) ([]Parked, error) {
	for ref := range pub.repo.Seen {
		if strings.HasPrefix(ref, ParkedPrefix) {
			return pub.Parked(ctx)
		}
	}
	return nil, nil
}

// Parked lists the unpublished commits of this repository that could not be
// replayed, oldest first.
func (pub Publisher) Parked(ctx context.Context) ([]Parked, error) {
	all, err := parkedRefs(ctx, pub.repo)
	for i := range all {
		if err == nil {
			err = all[i].explain(ctx, pub.repo)
		}
	}
	return all, err
}

// parkedRefs is [Publisher.Parked] that does not look why.
func parkedRefs(ctx context.Context, r *Repo) ([]Parked, error) {
	out, err := r.Git.Read(ctx, "for-each-ref", "--format=%(objectname) %(refname)", ParkedPrefix)
	if err != nil {
		return nil, err
	}
	var all []Parked
	for line := range strings.Lines(string(out)) {
		commit, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		p, err := readParked(ctx, r, ref, commit)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Parked) int { return a.At.Compare(b.At) })
	return all, nil
}

func readParked(ctx context.Context, r *Repo, ref, commit string) (Parked, error) {
	p := Parked{Change: strings.TrimPrefix(ref, ParkedPrefix), Ref: ref, Commit: commit}
	s, err := readStep(ctx, r, commit)
	if err != nil {
		return p, err
	}
	rev := Revision{Commit: s.commit}
	if s.commit.Signature != "" {
		p.signer = &s.commit.Committer
	}
	p.Base, p.Changes, p.Plans, p.Agent, p.Subject, p.At = s.from.Commit, s.changes, s.plans, rev.Agent(), rev.Subject(), rev.At()
	return p, nil
}

// explain finds out why a parked commit cannot be made on the store as it is now.
func (p *Parked) explain(ctx context.Context, r *Repo) error {
	if p.signer != nil {
		own, err := r.Committer(ctx)
		if err != nil {
			return err
		}
		if own.Email != p.signer.Email {
			p.Waits = person(*p.signer)
		}
	}
	tip, err := r.Snapshot(ctx)
	if err != nil || !tip.Exists() {
		return err
	}
	s, err := readStep(ctx, r, p.Commit)
	if err != nil {
		return err
	}
	o, err := r.makeOnto(ctx, s.from, s.to, tip, ontoOptions{})
	if err != nil {
		return err
	}
	if p.Conflicts = o.Conflicts; len(o.Conflicts) > 0 || len(o.Files) == 0 {
		return nil
	}
	w := &replay{repo: r, tip: tip, judged: lastPlans{}, pending: r.Store.Pending(ctx)}
	defer w.close()
	if w.policy.Gates, _, err = tip.Gates(ctx); err != nil {
		return err
	}
	a := &attempt{onto: o}
	err = w.make(ctx, a, gitstore.Change{Message: s.commit.Message, Author: &s.commit.Author, Unsigned: true})
	p.Findings = a.found
	return err
}

// why says why the group was parked.
func (g *parkedGroup) why() (lines []string) {
	for _, c := range g.conflicts {
		lines = append(lines, c.String())
	}
	return append(lines, diag.Lines(g.found)...)
}

// commitOf gives the commit of a group: the step itself, or of several one that does
// what they do to their plans.
func (w *replay) commitOf(ctx context.Context, g *parkedGroup) (string, error) {
	first, last := g.steps[0], g.steps[len(g.steps)-1]
	other := func(id string) bool { return !g.plans[id] }
	if g.waits || len(g.steps) == 1 && !first.merge && !slices.ContainsFunc(first.plans, other) {
		return first.commit.Name, nil
	}
	o, err := w.repo.makeOnto(ctx, first.from, last.to, first.from, ontoOptions{Skip: other})
	if err != nil {
		return "", err
	}
	change := gitstore.Change{Base: first.from.Commit, Files: o.Files, Message: joinedMessage(g.steps, nil, identitiesOf(g.steps)), Author: &last.commit.Author}
	if change.Root = change.Base == ""; !change.Root {
		change.Parents = []string{change.Base}
	}
	return w.pending.Make(change)
}

// keepParked writes the commits that were made, and sets the refs of what is parked,
// before the store moves on without it.
func (w *replay) keepParked(ctx context.Context) error {
	var in strings.Builder
	for _, g := range w.groups {
		commit, err := w.commitOf(ctx, g)
		if err != nil {
			return err
		}
		fmt.Fprintf(&in, "update %s%s %s\n", ParkedPrefix, g.steps[0].changes[0], commit)
	}
	if err := w.pending.Write(); err != nil || in.Len() == 0 {
		return err
	}
	_, err := w.repo.Git.Write(ctx, strings.NewReader(in.String()), "update-ref", "-m", "plan: park", "--stdin")
	return err
}

// dropParked removes the refs of what has landed, or was decided.
func (w *replay) dropParked(ctx context.Context, parked []Parked) error {
	for _, p := range parked {
		fate := w.fates[p.Change]
		if fate == Unknown || fate == IsParked || !w.covers(p) {
			continue
		}
		if err := dropParked(ctx, w.repo, p); err != nil {
			return err
		}
	}
	return nil
}

// covers reports whether a step makes all of a parked change, and not what it does to
// some plans.
func (w *replay) covers(p Parked) bool {
	return slices.ContainsFunc(w.steps, func(s *replayStep) bool {
		missing := func(id string) bool { return !slices.Contains(s.plans, id) }
		return s.parked == p.Ref || slices.Contains(s.changes, p.Change) && !slices.ContainsFunc(p.Plans, missing)
	})
}

// dropParked removes the ref of a parked change, if that is where it was.
func dropParked(ctx context.Context, r *Repo, p Parked) error {
	_, err := r.Git.Write(ctx, nil, "update-ref", "-d", p.Ref, p.Commit)
	return err
}

// Said gives the message of a change that was parked when the repository was opened,
// without its trailers.
func (pub Publisher) Said(ctx context.Context, change string) (string, error) {
	c, err := pub.repo.Store.Commit(ctx, pub.repo.Seen[ParkedPrefix+change])
	if err != nil {
		return "", err
	}
	subject, more, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
	return strings.TrimSpace("* " + subject + "\n" + bodyOf(more)), nil
}

// Raises reports whether a change that was parked when the repository was opened raises
// the version of a plan.
func (pub Publisher) Raises(ctx context.Context, change, id string) (bool, error) {
	ref := ParkedPrefix + change
	p, err := readParked(ctx, pub.repo, ref, pub.repo.Seen[ref])
	if err != nil || p.Base == "" {
		return false, err
	}
	before, err := pub.repo.storedAt(ctx, p.Base, id)
	if err != nil || before == nil {
		return false, err
	}
	after, err := pub.repo.storedAt(ctx, p.Commit, id)
	return err == nil && after != nil && after.Plan.Version() > before.Plan.Version(), err
}

// Unpark says that a change which was parked when the repository was opened is decided for
// some plans. What it does to others stays parked, as the change that rest names: the
// identity of the whole is that of the commit which decided.
func (pub Publisher) Unpark(ctx context.Context, change, rest string, plans ...string) error {
	ref := ParkedPrefix + change
	if _, seen := pub.repo.Seen[ref]; !seen {
		return nil
	}
	commit, err := pub.repo.Store.TipOf(ctx, ref)
	if err != nil {
		return nil // nothing is parked
	}
	p, err := readParked(ctx, pub.repo, ref, commit)
	if err != nil {
		return err
	}
	decided := map[string]bool{}
	for _, id := range plans {
		decided[id] = true
	}
	if !slices.ContainsFunc(p.Plans, func(id string) bool { return !decided[id] }) {
		return dropParked(ctx, pub.repo, p)
	}
	s, err := readStep(ctx, pub.repo, commit)
	if err != nil {
		return err
	}
	o, err := pub.repo.makeOnto(ctx, s.from, s.to, s.from, ontoOptions{Skip: func(id string) bool { return decided[id] }})
	if err != nil {
		return err
	}
	message := joinedMessage([]*replayStep{s}, nil, []string{rest})
	left := gitstore.Change{Base: p.Base, Files: o.Files, Message: message, Author: &s.commit.Author}
	if left.Root = p.Base == ""; !left.Root {
		left.Parents = []string{p.Base}
	}
	pending := pub.repo.Store.Pending(ctx)
	defer pending.Close()
	made, err := pending.Make(left)
	if err == nil {
		err = pending.Write()
	}
	if err == nil {
		in := fmt.Sprintf("create %s%s %s\ndelete %s %s\n", ParkedPrefix, rest, made, ref, commit)
		_, err = pub.repo.Git.Write(ctx, strings.NewReader(in), "update-ref", "-m", "plan: park", "--stdin")
	}
	return err
}
