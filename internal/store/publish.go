package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan/diag"
)

// The ways a sync ends.
const (
	SyncUpToDate = "up-to-date"
	SyncPushed   = "pushed"
	SyncPulled   = "pulled"
	SyncConflict = "conflict"
	SyncRejected = "rejected"
)

// SyncOptions say how to publish.
type SyncOptions struct {
	// Remote is a remote or an address; "" is [Repo.Remote].
	Remote string
	// Prefer decides the conflicts of single plans.
	Prefer map[string]merge.Side
	// AcceptRewind takes the remote's history as it is, without the commits that it
	// had and dropped.
	AcceptRewind bool
	// Auto sets `publish: auto` in gates.yaml where the branch is made at the remote,
	// unless the file says something about it.
	Auto bool
}

// SyncResult is how a sync ended.
type SyncResult struct {
	Status string
	// Commit is the store's tip afterwards.
	Commit string
	// Conflicts say why commits were parked in this run.
	Conflicts []merge.Conflict
	// Details are the server's lines, or why commits cannot be pushed.
	Details []string
	// Notes are what was done that nobody asked for.
	Notes []string
	// Parked are all parked commits of this repository.
	Parked []Parked
}

// Publisher brings commits of the store to its remote, and says what is there and what
// is not.
type Publisher struct{ repo *Repo }

// Publisher is that of the repository.
func (r *Repo) Publisher() Publisher { return Publisher{r} }

// Sync publishes the store: it fetches, goes forward, replays the unpublished
// commits on the remote's, and pushes, again when the remote moved meanwhile.
func (pub Publisher) Sync(ctx context.Context, opts SyncOptions) (SyncResult, error) {
	remote, err := pub.remote(opts.Remote)
	if err != nil {
		return SyncResult{}, err
	}
	p := pub.publishing(remote, opts)
	if pub.repo.Git.AtTerminal() { // a person sees that it takes long, and may end it
		p.remote.Limit = 0
	}
	if err := p.inTurn(ctx, func() error { return p.run(ctx) }); err != nil {
		return p.out, err
	}
	list := pub.ParkedSeen
	if p.parks {
		list = pub.Parked
	}
	p.out.Parked, err = list(ctx)
	return p.out, err
}

// remote finds where the store is shared.
func (pub Publisher) remote(name string) (gitstore.Remote, error) {
	if name == "" {
		name = pub.repo.Remote()
	}
	if name == "" {
		return gitstore.Remote{}, &UnsupportedError{"there is no remote to share the plans through: add one with `git remote add`, or set plan.remote"}
	}
	tracking := "refs/git-plan/fetched"
	if _, configured := pub.repo.Config.Get("remote." + name + ".url"); configured {
		tracking = cmp.Or(Tracking(name, pub.repo.Ref), tracking)
	}
	limit, err := publishTimeout(pub.repo)
	return gitstore.Remote{Name: name, Ref: pub.repo.Ref, Tracking: tracking, Limit: limit}, err
}

// publishTimeout is how long a remote that keeps moving is followed, and how long each
// command of git waits for it.
func publishTimeout(r *Repo) (time.Duration, error) {
	const usual = time.Minute
	text, ok := r.Config.Get("plan.publishTimeout")
	if !ok || text == "" {
		return usual, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("bad value %q of plan.publishTimeout; set it to a duration such as 60s", text)
	}
	return d, nil
}

// publishing is the way of the local commits to one remote.
type publishing struct {
	repo    *Repo
	remote  gitstore.Remote
	timeout time.Duration // how long a remote that keeps moving is followed
	silent  error         // the remote does not answer
	opts    SyncOptions
	out     SyncResult
	fates   map[string]Fate   // by change
	renamed map[string]string // plans that were given another id, by the old one
	commits map[string]string // the newest commit of each change that was replayed
	locked  lockedRemote
	seen    *string  // what a fetch a moment ago gave
	plan    string   // that the change is about which is published, if it is known
	parks   bool     // changes were parked
	why     []string // why they were
}

func (pub Publisher) publishing(remote gitstore.Remote, opts SyncOptions) *publishing {
	return &publishing{repo: pub.repo, remote: remote, timeout: remote.Limit, opts: opts, fates: map[string]Fate{}, renamed: map[string]string{}, commits: map[string]string{}}
}

// run makes rounds until one needs no other.
func (p *publishing) run(ctx context.Context) error {
	const fewest = 3 // rounds, however slow the machine is
	begun := time.Now()
	for n := 1; ; n++ {
		if again, err := p.round(ctx); err != nil || !again {
			return err
		}
		if n >= fewest && time.Since(begun) >= p.timeout {
			return &gitstore.BusyError{Ref: p.remote.Ref + " at " + p.remote.Name, Attempts: n}
		}
		if err := pause(ctx, n); err != nil {
			return err
		}
	}
}

// pause waits before the next round: longer after each, at random.
func pause(ctx context.Context, round int) error {
	const first, longest = 20 * time.Millisecond, 500 * time.Millisecond
	timer := time.NewTimer(rand.N(min(first<<min(round, 10), longest)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// round fetches, replays and pushes once; again says that the remote, or the store
// here, moved meanwhile.
func (p *publishing) round(ctx context.Context) (again bool, err error) {
	theirs, err := p.fetch(ctx)
	if err != nil {
		return false, err
	}
	tip, err := p.repo.tip(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case theirs == "" && tip == "":
		return false, p.repo.ErrNoStore()
	case theirs == "":
		return p.first(ctx, tip)
	}
	if err := p.mustKnow(ctx, tip, theirs); err != nil {
		return false, err
	}
	p.out.Commit = tip
	base := ""
	if tip != "" {
		if base, err = p.repo.Ancestry().Fork(ctx, tip, theirs); err != nil {
			return false, err
		}
	}
	if base == "" {
		there, err := p.repo.At(ctx, theirs)
		if err != nil {
			return false, err
		}
		if err := there.MustBeStore(ctx, p.remote.Name); err != nil {
			return false, err
		}
	}
	parked, err := p.decided(ctx)
	if err != nil {
		return false, err
	}
	if (tip == "" || base == tip) && len(parked) == 0 {
		return p.pull(ctx, tip, theirs)
	}
	return p.publish(ctx, base, tip, theirs, parked)
}

// tip gives the commit of the store here, "" for none.
func (r *Repo) tip(ctx context.Context) (string, error) {
	tip, err := r.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) {
		return "", nil
	}
	return tip.Commit, err
}

// fetch asks where the remote is.
func (p *publishing) fetch(ctx context.Context) (theirs string, err error) {
	if p.seen != nil {
		theirs, p.seen = *p.seen, nil
		return theirs, nil
	}
	if p.silent != nil {
		return "", p.silent
	}
	theirs, err = p.repo.Publisher().fetch(ctx, p.remote)
	if err != nil {
		err = fmt.Errorf("fetch the plans of %s: %w", p.remote.Name, err)
		if errors.As(err, new(*gitstore.SilentError)) {
			p.silent = err
		}
		return "", err
	}
	p.locked.seen = theirs
	return theirs, nil
}

// first publishes the store to a remote that has none. One that had it is another
// matter: somebody deleted it there.
func (p *publishing) first(ctx context.Context, tip string) (again bool, err error) {
	if strings.HasPrefix(p.remote.Tracking, "refs/remotes/") {
		had, err := p.repo.Store.TipOf(ctx, p.remote.Tracking)
		if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
			return false, err
		}
		if had = cmp.Or(had, p.agreed()); had != "" {
			return false, &RewoundError{Remote: p.remote.Name, Branch: p.repo.Branch(), Had: had}
		}
	}
	if err := p.afterCode(ctx); err != nil {
		return false, err
	}
	if tip, err = p.setAuto(ctx, tip); err != nil {
		return false, err
	}
	p.out.Commit = tip
	got, err := p.receive(ctx, "", tip)
	if err != nil {
		return false, err
	}
	if !got.OK() {
		p.reject(got.lines()...)
		p.out.Details = append(p.out.Details, fmt.Sprintf("the plans that are new at %s have to pass the gate together: fix that in a worktree of %s, and commit", p.remote.Name, p.repo.Branch()))
		return false, nil
	}
	return p.push(ctx, tip)
}

// afterCode refuses a remote without any branch: a forge takes the first that is
// pushed for the default one. Where no code is here either there is nothing to push
// before the plans.
func (p *publishing) afterCode(ctx context.Context) error {
	if !strings.HasPrefix(p.remote.Ref, "refs/heads/") {
		return nil
	}
	if _, err := p.repo.Store.Resolve(ctx, "HEAD"); err != nil {
		return nil
	}
	if inStore, err := p.repo.Project().InStore(ctx); err != nil || inStore {
		return err
	}
	empty, err := p.repo.Store.IsEmpty(ctx, p.remote)
	if err == nil && empty {
		code, _ := p.repo.HeadBranch(ctx)
		err = &NoBranchError{Remote: p.remote.Name, Code: cmp.Or(strings.TrimPrefix(code, "refs/heads/"), "BRANCH"), Plans: p.repo.Branch()}
	}
	return err
}

// pull goes forward to what is published.
func (p *publishing) pull(ctx context.Context, tip, theirs string) (again bool, err error) {
	if tip == theirs {
		p.agree(theirs)
		p.end(SyncUpToDate)
		return false, nil
	}
	moved, warnings, err := p.moveTo(ctx, tip, theirs)
	if err != nil || !moved {
		return err == nil, err
	}
	p.out.Commit, p.out.Notes = theirs, append(p.out.Notes, warnings...)
	p.agree(theirs)
	p.end(SyncPulled)
	return false, nil
}

// end sets how the sync ended, unless a round before said it.
func (p *publishing) end(status string) { p.out.Status = cmp.Or(p.out.Status, status) }

func (p *publishing) reject(lines ...string) {
	p.out.Status, p.out.Details = SyncRejected, append(p.out.Details, lines...)
}

// errMoved is returned where the store is not where it was read.
var errMoved = errors.New("the store moved")

// moveTo moves the store from one commit to another.
func (p *publishing) moveTo(ctx context.Context, from, to string) (moved bool, warnings []string, err error) {
	if from == to {
		return true, nil, nil
	}
	up, err := p.repo.Store.Update(ctx, "plan: publish", func(now gitstore.Tip) ([]gitstore.Change, error) {
		if now.Commit != from {
			return nil, errMoved
		}
		return []gitstore.Change{{Existing: to}}, nil
	})
	if errors.Is(err, errMoved) {
		return false, nil, nil
	}
	return err == nil, up.Warnings, err
}

// publish replays what is not published, if that is needed, and pushes it.
func (p *publishing) publish(ctx context.Context, base, tip, theirs string, parked []Parked) (again bool, err error) {
	unpublished, dropped, err := p.unpublished(ctx, tip, theirs)
	if err != nil {
		return false, err
	}
	if len(dropped) > 0 && !p.opts.AcceptRewind {
		return false, &RewoundError{Remote: p.remote.Name, Branch: p.repo.Branch(), Had: dropped[len(dropped)-1], Has: theirs}
	}
	gates, found, err := p.repo.GatesAt(ctx, theirs)
	switch {
	case err != nil:
		return false, err
	case gates.Newer():
		return false, errNewerGates()
	}
	why := diag.Lines(found)
	if base == theirs && len(dropped) == 0 && len(parked) == 0 {
		if passed(ctx, p.repo, unpublished) {
			return p.push(ctx, tip)
		}
		got, err := p.receive(ctx, theirs, tip)
		if err != nil {
			return false, err
		}
		if got.OK() {
			return p.push(ctx, tip)
		}
		why = got.lines()
	}
	if errs, _ := diag.Count(found); errs > 0 {
		p.reject(why...)
		p.out.Details = append(p.out.Details, fixGates(p.repo.Branch(), theirs))
		return false, nil
	}
	if len(dropped) > 0 && len(unpublished) > 0 {
		if base, err = p.repo.Ancestry().parent(ctx, unpublished[0].Commit); err != nil {
			return false, err
		}
	}
	defer p.repo.Store.KeepBlobs()()
	rest, merges := unpublished, []string(nil)
	if len(dropped) == 0 { // which a merge would bring back
		if rest, merges, err = p.elsewhere(ctx, tip, theirs, unpublished); err != nil {
			return false, err
		}
	}
	w, err := p.repo.newReplay(ctx, base, tip, theirs, rest, parked, p.opts.Prefer)
	if err == nil {
		err = w.mergeFirst(ctx, merges)
	}
	if err != nil {
		return false, err
	}
	defer w.close()
	if err := w.run(ctx); err != nil {
		return false, err
	}
	return p.land(ctx, w, tip, theirs)
}

// land moves the store to what was replayed, and pushes that.
func (p *publishing) land(ctx context.Context, w *replay, tip, theirs string) (again bool, err error) {
	if w.cut != "" { // what comes after is judged by the lower gate once that is published
		if err := w.pending.Write(); err != nil {
			return false, err
		}
		again, err := p.push(ctx, w.cut)
		if p.out.Status == SyncPushed {
			p.out.Status, again = "", true
		}
		return again, err
	}
	if err := w.keepParked(ctx); err != nil {
		return false, err
	}
	moved, warnings, err := p.moveTo(ctx, tip, w.tip.Commit)
	if err != nil {
		return false, w.because(err)
	}
	if !moved {
		return true, nil
	}
	all, err := parkedRefs(ctx, p.repo)
	if err == nil {
		err = w.dropParked(ctx, all)
	}
	if err != nil {
		return false, err
	}
	p.note(w)
	p.parks = p.parks || len(w.groups) > 0
	p.out.Commit = w.tip.Commit
	p.out.Notes = slices.Concat(p.out.Notes, w.notes, warnings, p.tellRenamed(ctx, w.ids))
	for _, g := range w.groups {
		if g.waits {
			continue // there is nothing to decide
		}
		p.out.Status = SyncConflict
		p.out.Conflicts = append(p.out.Conflicts, g.conflicts...)
		p.out.Details = append(p.out.Details, diag.Lines(g.found)...)
		p.why = append(p.why, g.why()...)
	}
	if w.tip.Commit == theirs {
		p.agree(theirs)
		p.end(SyncPulled)
		p.seen = &theirs // good for a change that is made right after
		return false, nil
	}
	return p.push(ctx, w.tip.Commit)
}

// because adds to an error what was about to be parked, and why.
func (w *replay) because(err error) error {
	var why []string
	for _, g := range w.groups {
		why = append(why, g.why()...)
	}
	if len(why) == 0 {
		return err
	}
	return fmt.Errorf("%w; commits here cannot be published: %s", err, strings.Join(why, "; "))
}

// note keeps what became of each change.
func (p *publishing) note(w *replay) {
	for id, fate := range w.fates {
		lost := p.fates[id] == Noted || p.fates[id] == LostClaim
		if !lost || fate == IsParked { // what is left of a lost claim may land in a later round
			p.fates[id] = fate
		}
	}
	maps.Copy(p.renamed, w.ids)
	for _, s := range w.steps {
		if commit := w.made[s.commit.Name]; commit != "" {
			for _, id := range s.changes {
				p.commits[id] = commit
			}
		}
	}
}

// push sends the store; again says that the remote has moved.
func (p *publishing) push(ctx context.Context, commit string) (again bool, err error) {
	err = p.repo.Store.Push(ctx, p.remote, commit)
	var refused *gitstore.PushRefusedError
	switch {
	case err == nil:
		p.agree(commit)
		p.end(SyncPushed)
		return false, nil
	case errors.As(err, &refused) && p.locked.moved(refused):
		return true, nil
	case errors.As(err, &refused) && refused.Moved:
		p.reject(append(told(refused), p.whyHeld(ctx, refused))...)
		return false, nil
	case errors.As(err, &refused):
		p.reject(append(told(refused), fmt.Sprintf("hint: git plan propose %s --push", cmp.Or(p.plan, "PLAN")))...)
		return false, nil
	}
	return false, fmt.Errorf("push the plans to %s: %w", p.remote.Name, err)
}

// told gives a refusal and what the server said about it.
func told(refused *gitstore.PushRefusedError) []string {
	lines := []string{strings.TrimSpace(refused.Error())}
	for _, line := range refused.Lines {
		lines = append(lines, "remote: "+line)
	}
	return lines
}

// setAuto has the store publish each change from now on. It gives the tip after that.
func (p *publishing) setAuto(ctx context.Context, tip string) (string, error) {
	if !p.opts.Auto || p.remote.Name != p.repo.Remote() {
		return tip, nil
	}
	set := false
	result, err := p.repo.land(ctx, func(ctx context.Context, s *Snapshot) (c Candidate, err error) {
		c, set, err = s.publishAll(ctx)
		return c, err
	}, nil)
	if err != nil {
		return "", err
	}
	if set {
		p.out.Notes = append(p.out.Notes, fmt.Sprintf("%s says `publish: auto` now: every clone publishes each change as it is made; `git config plan.push off` turns that off in one clone; git plan 0.1 only reads these plans", GatesFile))
	}
	return result.Commit, nil
}

// receive judges an update as a server would that allows what only it can know.
func (p *publishing) receive(ctx context.Context, theirs, commit string) (Reception, error) {
	return p.repo.Receive(ctx, RefUpdate{Ref: p.repo.Ref, Old: theirs, New: commit}, Server{AllowGateLowering: true})
}

// decided gives the parked commits whose plans are to be decided now, and those that
// waited for this process to sign them again.
func (p *publishing) decided(ctx context.Context) (out []Parked, err error) {
	signs, err := p.repo.Config.Bool("commit.gpgSign", false)
	if err != nil || len(p.opts.Prefer) == 0 && !signs {
		return nil, err
	}
	all, err := parkedRefs(ctx, p.repo)
	if err != nil {
		return nil, err
	}
	for _, parked := range all {
		now := slices.ContainsFunc(parked.Plans, func(id string) bool { return p.opts.Prefer[id] != merge.Neither })
		if !now && signs && parked.signer != nil {
			if err := parked.explain(ctx, p.repo); err != nil {
				return nil, err
			}
			now = parked.Why() == ""
		}
		if now {
			out = append(out, parked)
		}
	}
	return out, nil
}

// mustKnow makes sure that each plan whose conflicts are to be decided is here or
// there: a misspelt name would decide nothing.
func (p *publishing) mustKnow(ctx context.Context, tip, theirs string) error {
	if len(p.opts.Prefer) == 0 {
		return nil
	}
	parked, err := parkedRefs(ctx, p.repo)
	if err != nil {
		return err
	}
	var states []*Snapshot
	for _, commit := range []string{tip, theirs} {
		s, err := p.repo.At(ctx, commit)
		if err != nil {
			return err
		}
		states = append(states, s)
	}
	for _, id := range slices.Sorted(maps.Keys(p.opts.Prefer)) {
		known := slices.ContainsFunc(parked, func(parked Parked) bool { return slices.Contains(parked.Plans, id) })
		for _, s := range states {
			_, ok, err := s.Locate(ctx, id)
			if err != nil {
				return err
			}
			known = known || ok
		}
		if !known {
			return states[1].unknownPlan(ctx, id)
		}
	}
	return nil
}
