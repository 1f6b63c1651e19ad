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

// commitShared is [Repo.Commit] that publishes: the commit lands here first, then
// the store is published, and then it is looked at what became of the change. Where
// somebody else claimed the task first, the mutation runs again.
func (r *Repo) commitShared(ctx context.Context, mutate Mutation) (Result, error) {
	p, err := r.toShare(ctx)
	if err != nil {
		return Result{}, err
	}
	return p.share(ctx, mutate)
}

// CommitNewest is [Repo.Commit] of what is chosen by the newest state there is, such
// as the next task or the id of a new plan: where [Repo.Publish] is set, that is fetched first.
func (r *Repo) CommitNewest(ctx context.Context, mutate Mutation) (Result, error) {
	if !r.Publish {
		return r.Commit(ctx, mutate)
	}
	var result Result
	err := r.Judging(ctx, func() error {
		p, err := r.toShare(ctx)
		if err == nil {
			err = p.giveTurn(ctx)
		}
		if err != nil {
			return err
		}
		notes := p.bringIn(ctx)
		result, err = p.share(ctx, mutate)
		result.Notes = append(notes, result.Notes...)
		return err
	})
	return result, err
}

// LookUp brings the newest state of the remote here where [Repo.Publish] is set, for
// what is chosen by it. What goes wrong is said when it comes to publishing.
func (r *Repo) LookUp(ctx context.Context) (notes []string) {
	if !r.Publish {
		return nil
	}
	if p, err := r.toShare(ctx); err == nil {
		notes = p.bringIn(ctx)
	}
	return notes
}

// LookUpID is [Repo.LookUp] for the id of a new plan. One that somebody else just
// published a plan under is an *[ExistsError].
func (r *Repo) LookUpID(ctx context.Context, id string) error {
	if _, repeated, err := r.Answered(ctx); err != nil || repeated || !r.Publish {
		return err
	}
	var there [2]bool
	for i := range there {
		now, err := r.Snapshot(ctx)
		if err != nil || !now.Exists() {
			return err
		}
		if _, there[i], err = now.Locate(ctx, id); err != nil || there[i] && i == 0 {
			return err
		}
		if i == 0 {
			r.LookUp(ctx)
		}
	}
	if there[1] {
		return &ExistsError{Message: fmt.Sprintf("plan id is taken at the remote: %s: choose another", id)}
	}
	return nil
}

// giveTurn waits a little where the plans here moved a moment ago. A clone that has
// just pushed has nothing to fetch, and would win each time against those that have.
func (p *publishing) giveTurn(ctx context.Context) error {
	if info, err := os.Stat(filepath.Join(p.repo.CommonDir, "logs", filepath.FromSlash(p.repo.Ref))); err != nil || time.Since(info.ModTime()).Abs() > time.Second {
		return nil
	}
	return pause(ctx, 3)
}

// toShare begins to publish what lands next. Without a store here, that of the
// remote is fetched.
func (r *Repo) toShare(ctx context.Context) (*publishing, error) {
	remote, err := r.remote("")
	if err != nil {
		return nil, err
	}
	p := r.publishing(remote, SyncOptions{})
	if tip, err := r.tip(ctx); err != nil || tip != "" {
		return p, err
	}
	theirs, err := p.fetch(ctx)
	if err != nil {
		return nil, err
	}
	p.seen = &theirs
	return p, nil
}

// bringIn brings the remote's state here, as far as that works: what does not is
// told when it comes to publishing.
func (p *publishing) bringIn(ctx context.Context) (notes []string) {
	asked := time.Now()
	err := p.inTurn(ctx, func() error {
		theirs := ""
		if p.repo.lastFetch().After(asked) { // by another process that was waited for
			theirs = p.lastSeen(ctx)
		}
		if theirs == "" {
			var err error
			if theirs, err = p.fetch(ctx); err != nil {
				return err
			}
		}
		p.seen, p.stay = &theirs, true
		_, err := p.round(ctx)
		p.seen, p.stay = &theirs, false
		return err
	})
	notes, p.out = p.out.Notes, SyncResult{}
	if err != nil {
		p.seen = nil
	}
	return notes
}

// isNews brings the remote's state here and reports whether there was anything new:
// what is refused here may be right by now.
func (p *publishing) isNews(ctx context.Context) bool {
	before, err := p.repo.tip(ctx)
	if err != nil {
		return false
	}
	p.bringIn(ctx)
	after, err := p.repo.tip(ctx)
	return err == nil && before != after
}

// share lands a mutation here and publishes it.
func (p *publishing) share(ctx context.Context, mutate Mutation) (Result, error) {
	const most = 100 // claims in a row that others made first
	for n := 0; ; n++ {
		result, err := p.repo.land(ctx, mutate, nil)
		if err != nil && n == 0 && p.seen == nil && p.isNews(ctx) {
			result, err = p.repo.land(ctx, mutate, nil)
		}
		if err != nil {
			return result, err
		}
		result, lost, err := p.publishResult(ctx, result)
		if !lost || n == most {
			return result, err
		}
	}
}

// CanPublish refuses, where [Repo.Publish] is set, a repository without a remote.
func (r *Repo) CanPublish() error {
	if !r.Publish {
		return nil
	}
	_, err := r.remote("")
	return err
}

// PublishResult publishes a change that landed without being published, if
// [Repo.Publish] is set, and says what became of it as [Repo.Commit] does.
func (r *Repo) PublishResult(ctx context.Context, result Result) (Result, error) {
	if !r.Publish {
		return result, nil
	}
	p, err := r.toShare(ctx)
	if err != nil {
		return result, err
	}
	result, lost, err := p.publishResult(ctx, result)
	if lost && result.Changed() {
		err = &ConflictError{
			Plan: result.Plans[0].ID, Fault: "has a task that another agent claimed first", Details: p.out.Notes,
			Hint: fmt.Sprintf("see `git plan show %s`", result.Plans[0].ID),
		}
	}
	return result, err
}

// publishResult publishes what landed; lost says that it is a claim that somebody
// else made first, or that what was found to be so already may be so no more.
func (p *publishing) publishResult(ctx context.Context, result Result) (_ Result, lost bool, err error) {
	change, err := p.changeOf(ctx, result)
	if err != nil {
		return result, false, err
	}
	p.out = SyncResult{}
	delete(p.fates, "") // that of a command before that changed nothing
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
	if err == nil && p.fates[change] == LostClaim {
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
	var rewound *RewoundError
	switch {
	case errors.As(err, &rewound):
		result.Notes = append(result.Notes, fmt.Sprintf("not published: %v", err))
		return result, nil
	case err != nil:
		result.Notes = append(result.Notes, fmt.Sprintf("not published: %s; `git plan sync` publishes it", strings.Join(strings.Fields(err.Error()), " ")))
		return result, nil
	case !published:
		result.Notes = append(result.Notes, "not published: "+strings.Join(p.out.Details, "; "))
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
		var why []string
		for i, c := range p.out.Conflicts {
			if why = append(why, c.String()); i == 0 && c.Plan != "" {
				id = c.Plan
			}
		}
		return result, &ConflictError{
			Plan: id, Fault: "changed at " + p.remote.Name + " in the same place", Details: slices.Concat(why, p.out.Details),
			Hint: fmt.Sprintf("the change is parked: `git plan edit %s` opens it, `git plan sync --ours %s` or `--theirs %s` decides it", id, id, id),
		}
	}
	return result, nil
}

// tellRenamed lets the caller follow plans that got another id; that it cannot is a
// note.
func (p *publishing) tellRenamed(ctx context.Context, plans map[string]string) (notes []string) {
	if len(plans) == 0 {
		return nil
	}
	if err := p.repo.noteTaken(plans); err != nil {
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
