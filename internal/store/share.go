package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/merge"
)

// toShare begins to publish through the remote of this repository. It is nil where
// that is off, or there is no remote.
func toShare(r *Repo) (*publishing, error) {
	if r.Publish == PublishOff {
		return nil, nil
	}
	remote, err := r.Publisher().remote("")
	if err != nil {
		return nil, err
	}
	return r.Publisher().publishing(remote, SyncOptions{}), nil
}

// CanPublish refuses a repository without a remote where publishing was asked for.
func (pub Publisher) CanPublish() error {
	_, err := toShare(pub.repo)
	return err
}

// Publishes reports whether a change that is made now is to be published.
func (pub Publisher) Publishes(ctx context.Context) (bool, error) {
	p, err := toShare(pub.repo)
	if err != nil || p == nil || p.wants(Result{}) {
		return p != nil, err
	}
	s, err := pub.repo.Snapshot(ctx)
	if err != nil {
		return false, err
	}
	pub.repo.Recall(s)
	gates, _, err := s.Gates(ctx)
	return gates.Publishes(), err
}

// wants reports whether a change is to be published: the process or the clone asks
// for it, or the policy of the store that it was made on.
func (p *publishing) wants(result Result) bool {
	return p != nil && (p.repo.Publish >= PublishAll || result.publish)
}

// IsPublished reports whether the remote, as it was last seen, has what a result is
// about that was not published; it is nil without a remote.
func (pub Publisher) IsPublished(ctx context.Context, result Result) *bool {
	if pub.repo.Remote() == "" {
		return nil
	}
	has := false
	if !result.Changed() || result.Repeated {
		seen, err := pub.repo.Store.TipOf(ctx, pub.trackingRef())
		if err == nil {
			fork, err := pub.repo.Ancestry().Fork(ctx, seen, result.Commit)
			has = err == nil && fork == result.Commit
		}
	}
	return &has
}

// CommitNewest is [Repo.Commit] of what is chosen by the newest state there is, such
// as the next task or the id of a new plan: where the change is to be published, that is
// fetched first.
func (pub Publisher) CommitNewest(ctx context.Context, mutate Mutation) (Result, error) {
	switch on, err := pub.Publishes(ctx); {
	case err != nil:
		return Result{}, err
	case !on:
		return pub.repo.Commit(ctx, mutate)
	}
	var result Result
	err := pub.repo.Judging(ctx, func() error {
		p, err := toShare(pub.repo)
		if err == nil {
			err = p.giveTurn(ctx)
		}
		if err != nil {
			return err
		}
		p.bringIn(ctx)
		result, err = landAndPublish(ctx, pub.repo, p, mutate)
		return err
	})
	return result, err
}

// LookUp asks the remote where changes are published: what it has is what the next
// change goes on from. What goes wrong is said when it comes to publishing.
func (pub Publisher) LookUp(ctx context.Context) {
	if on, err := pub.Publishes(ctx); err != nil || !on {
		return
	}
	if p, err := toShare(pub.repo); err == nil {
		p.bringIn(ctx)
	}
}

// LookUpID is [Publisher.LookUp] for the id of a new plan. One that somebody else just
// published a plan under is an *[ExistsError].
func (pub Publisher) LookUpID(ctx context.Context, id string) error {
	if _, repeated, err := pub.repo.Answered(ctx); err != nil || repeated {
		return err
	}
	here, err := pub.repo.Snapshot(ctx)
	if err != nil || !here.Exists() {
		return err
	}
	if _, known, err := here.Locate(ctx, id); err != nil || known {
		return err
	}
	pub.LookUp(ctx)
	there, err := pub.repo.At(ctx, pub.repo.Seen[pub.trackingRef()])
	if err != nil {
		return err
	}
	_, taken, err := there.Locate(ctx, id)
	if err == nil && taken {
		err = &ExistsError{Message: fmt.Sprintf("plan id is taken at the remote: %s: choose another", id)}
	}
	return err
}

// giveTurn waits a little where the plans here moved a moment ago. A clone that has
// just pushed has nothing to fetch, and would win each time against those that have.
func (p *publishing) giveTurn(ctx context.Context) error {
	if info, err := os.Stat(filepath.Join(p.repo.CommonDir, "logs", filepath.FromSlash(p.repo.Ref))); err != nil || time.Since(info.ModTime()).Abs() > time.Second {
		return nil
	}
	return pause(ctx, 3)
}

// bringIn asks where the remote is, as far as that works: what does not is told when it
// comes to publishing.
func (p *publishing) bringIn(ctx context.Context) {
	asked := time.Now()
	_ = p.inTurn(ctx, func() error {
		theirs := ""
		if lastFetch(p.repo).After(asked) { // by another process that was waited for
			theirs = p.lastSeen(ctx)
		}
		if theirs == "" {
			var err error
			if theirs, err = p.fetch(ctx); err != nil {
				return err
			}
		}
		p.seen, p.repo.Seen[p.repo.Publisher().trackingRef()] = &theirs, theirs
		return nil
	})
}

// isNews publishes what is here and reports whether there was anything new: what is
// refused here may be right by now.
func (p *publishing) isNews(ctx context.Context) bool {
	before, err := p.repo.lookNow(ctx)
	if err != nil {
		return false
	}
	if p.inTurn(ctx, func() error { return p.run(ctx) }) == nil {
		p.repo.Seen[p.repo.Publisher().trackingRef()] = p.lastSeen(ctx)
	}
	after, err := p.repo.lookNow(ctx)
	return err == nil && before.commit != after.commit
}

// landAndPublish lands a mutation here first, then publishes it, if that is wanted, and looks
// what became of it. Where another agent claimed the task first, the mutation runs
// again.
func landAndPublish(ctx context.Context, r *Repo, p *publishing, mutate Mutation) (Result, error) {
	const most = 100 // claims in a row that others made first
	for n := 0; ; n++ {
		result, err := r.land(ctx, mutate, nil)
		if err != nil && n == 0 && p.wants(result) && p.seen == nil && p.isNews(ctx) {
			result, err = r.land(ctx, mutate, nil)
		}
		if err != nil {
			return result, err
		}
		result, lost, err := p.publishResult(ctx, r, result)
		if !lost || n == most {
			return result, err
		}
	}
}

// PublishResult ends a change that landed: it is published, if that is wanted, and the
// result says what became of it as that of [Repo.Commit] does.
func (pub Publisher) PublishResult(ctx context.Context, result Result) (Result, error) {
	p, err := toShare(pub.repo)
	if err != nil {
		return result, err
	}
	result, lost, err := p.publishResult(ctx, pub.repo, result)
	if lost && result.Changed() {
		err = &ConflictError{
			Plan: result.Plans[0].ID, Fault: "has a task that another agent claimed first", Details: p.out.Notes,
			Hint: fmt.Sprintf("see `git plan show %s`", result.Plans[0].ID),
		}
	}
	return result, err
}

// publishResult publishes what landed, if that is wanted; lost says that it is a claim
// that another agent made first, or that what was found to be so already may be so no
// more.
func (p *publishing) publishResult(ctx context.Context, r *Repo, result Result) (_ Result, lost bool, err error) {
	if !p.wants(result) {
		result.Published = r.Publisher().IsPublished(ctx, result)
		return result, false, nil
	}
	change, err := p.changeOf(ctx, result)
	if err != nil {
		return result, false, err
	}
	p.out, p.why = SyncResult{}, nil
	delete(p.fates, "") // that of a command before that changed nothing
	if result.Changed() {
		p.plan = result.Plans[0].ID
	}
	err = p.inTurn(ctx, func() error {
		if done, err := p.wentAlong(ctx, result, change); err != nil || done {
			return err
		}
		return p.run(ctx)
	})
	result.Notes = append(result.Notes, p.out.Notes...)
	if ctx.Err() != nil {
		return result, false, ctx.Err()
	}
	if err == nil && p.fates[change] <= Contained {
		if err := p.lookUp(ctx, change, result); err != nil {
			return result, false, err
		}
	}
	if p.fates[change] == LostClaim {
		return result, true, nil
	}
	result, err = p.shared(result, change, err)
	return result, false, err
}

// changeOf gives the identity of the change that landed, "" for none.
func (p *publishing) changeOf(ctx context.Context, result Result) (string, error) {
	if !result.Changed() {
		return "", nil
	}
	c, err := p.repo.Store.Commit(ctx, result.Commit)
	if err != nil {
		return "", err
	}
	return changesOf(c.Name, c.Message)[0], nil
}

// shared says what became of a change that was published, or could not be.
func (p *publishing) shared(result Result, change string, err error) (Result, error) {
	published := err == nil && p.out.Status != SyncRejected
	result.Published = &published
	if commit := p.commits[change]; commit != "" {
		result.Commit = commit
	} else if !result.Changed() && p.out.Commit != "" {
		result.Commit = p.out.Commit
	}
	for i, o := range result.Plans {
		if now := p.renamed[o.ID]; now != "" {
			result.Plans[i].ID = now
		}
	}
	if !published {
		result.Unpublished = p.unpublishedFor(err)
	}
	if !result.Changed() {
		return result, nil
	}
	id := result.Plans[0].ID
	switch p.fates[change] {
	case Noted:
		return result, &ConflictError{
			Plan: id, Fault: "has a report on this task that was published first", Details: p.out.Notes,
			Hint: fmt.Sprintf("yours is a note on the task: `git plan show %s`", id),
		}
	case IsParked:
		published = false
		if c := p.out.Conflicts; len(c) > 0 && c[0].Plan != "" {
			id = c[0].Plan
		}
		return result, &ConflictError{
			Plan: id, Fault: "changed at " + p.remote.Name + " in the same place", Details: p.why,
			Hint: fmt.Sprintf("the change is parked: `git plan edit %s` opens it, `git plan sync --ours %s` or `--theirs %s` decides it", id, id, id),
		}
	}
	if len(p.why) > 0 {
		result.Notes = append(result.Notes, p.tellParked())
	}
	return result, nil
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// tellParked says that changes were parked, and why.
func (p *publishing) tellParked() string {
	return fmt.Sprintf("earlier changes are parked, as they do not fit what is published: %s; see `git plan status`", strings.Join(p.why, "; "))
}

// unpublishedFor says why nothing was published: the reason, then the server's lines
// and a hint.
func (p *publishing) unpublishedFor(err error) []string {
	var rewound *RewoundError
	switch {
	case errors.As(err, &rewound):
		return []string{err.Error()}
	case err != nil:
		return append(slices.DeleteFunc(strings.Split(err.Error(), "\n"), isBlank), "hint: git plan sync")
	}
	return p.out.Details
}

// tellRenamed lets the caller follow plans that got another id; that it cannot is a
// note.
func (p *publishing) tellRenamed(ctx context.Context, plans map[string]string) (notes []string) {
	if len(plans) == 0 {
		return nil
	}
	if err := noteTaken(p.repo, plans); err != nil {
		notes = append(notes, fmt.Sprintf("%v: commands that name a plan by its old id mean the other one", err))
	}
	if p.repo.Renamed == nil {
		return notes
	}
	if err := p.repo.Renamed(ctx, plans); err != nil {
		notes = append(notes, fmt.Sprintf("drafts were not brought to the new id: %v; choose the plan with `git plan use PLAN`", err))
	}
	return notes
}

// MergeError is returned when two states of a plan do not fit together.
type MergeError struct {
	// Conflicts are what is to be decided.
	Conflicts []merge.Conflict
	// Hint says what to do, where that is known.
	Hint string
}

func (e *MergeError) Error() string {
	var lines []string
	for _, c := range e.Conflicts {
		lines = append(lines, c.String())
	}
	text := "the plans here and there do not fit together: " + strings.Join(lines, "; ")
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}
