package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// fsckPatience bounds git fsck, which reads every object of the repository.
const fsckPatience = 30 * time.Second

func (d *doctor) checkGit(ctx context.Context) error {
	v, err := d.repo.Git.Version(ctx)
	if err != nil && v.Text == "" {
		return err
	}
	if err == nil && !v.AtLeast(2, 34) { // what calls itself by no number is taken for new enough
		d.fault(diag.Error, "git", "update git", "version %s is older than 2.34", v.Text)
		return nil
	}
	shape := "with a working tree"
	if d.repo.Bare {
		shape = "bare"
	}
	d.ok("git", "version %s; repository %s, %s, engine %s", v.Text, shape, d.repo.ObjectFormat, d.repo.Store.Engine())
	return nil
}

// checkBranch reads the branch as far as its newest commit's files.
func (d *doctor) checkBranch(ctx context.Context) error {
	s, err := d.repo.Snapshot(ctx)
	var taken *store.ExistsError
	switch {
	case unreadable(err):
		d.broken = true
		text := fmt.Sprintf("%s cannot be read: %v", d.repo.Ref, err)
		if broken := (*gitstore.BrokenRefError)(nil); errors.As(err, &broken) {
			text = fmt.Sprintf("%s is broken: %s", broken.Ref, broken.Detail)
		}
		d.fault(diag.Error, "branch", d.wayBack(ctx), "%s", text)
		return nil
	case err != nil || !s.Exists():
		return err
	case errors.As(s.MustBeStore(ctx, ""), &taken):
		d.fault(diag.Error, "branch", fmt.Sprintf("git log %s, to see what it is", d.repo.Branch()), "%s", taken.Message)
	}
	return nil
}

// wayBack says how to set the branch to a commit again.
func (d *doctor) wayBack(ctx context.Context) string {
	r := d.repo
	end, err := r.RefEnd(ctx, r.Ref)
	if err != nil {
		end = r.Ref
	}
	set := fmt.Sprintf("git update-ref %s COMMIT", end)
	if file := d.refFile(ctx, end); file != "" { // git updates no ref whose file it cannot read
		set = "rm " + quote(file) + " && " + set
	}
	log := filepath.Join(r.CommonDir, "logs", filepath.FromSlash(end))
	return fmt.Sprintf("find its newest commit at the end of %s, or with git fsck --lost-found; then %s", quote(log), set)
}

// refFile gives the file of a ref, if git cannot read the ref from it.
func (d *doctor) refFile(ctx context.Context, ref string) string {
	file := filepath.Join(d.repo.CommonDir, filepath.FromSlash(ref))
	if _, err := d.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", ref); err == nil || !isFile(file) {
		return ""
	}
	return file
}

// checkTracking looks whether it can be read where the remote was last seen. Git
// does not fetch past a ref that is broken.
func (d *doctor) checkTracking(ctx context.Context) error {
	ref := store.Tracking(d.repo.Remote(), d.repo.Ref)
	if ref == "" {
		return nil
	}
	_, err := d.repo.Store.TipOf(ctx, ref)
	var broken *gitstore.BrokenRefError
	switch {
	case errors.Is(err, gitstore.ErrNoRef):
		return nil
	case !errors.As(err, &broken):
		return err
	}
	d.blind = true
	fix := "git update-ref --no-deref -d " + ref
	if file := d.refFile(ctx, ref); file != "" {
		fix = "rm " + quote(file)
	}
	d.fault(diag.Error, "remote", fix+" && git fetch "+d.repo.Remote(), "%s, where the remote was last seen, is broken: %s", ref, broken.Detail)
	return nil
}

// checkRebase reports one of the branch that is not finished.
func (d *doctor) checkRebase(ctx context.Context) error {
	open, err := d.repo.Store.Rebase(ctx)
	if err != nil || open == nil {
		return err
	}
	in := "git -C " + quote(open.Worktree) + " rebase "
	fix := in + "--continue; or " + in + "--abort"
	if open.Gone {
		fix = "git worktree prune"
	}
	d.fault(diag.Warning, "worktree", fix, "%s is being rebased in %s: until that ends nothing can be written", open.Ref, open.Worktree)
	return nil
}

// checkObjects lets git look for damage among the objects, and for what the
// branch's history lacks.
func (d *doctor) checkObjects(ctx context.Context) error {
	if d.broken {
		return nil
	}
	if _, err := d.repo.Store.Tip(ctx); err != nil {
		return nil // there is no branch, which is reported elsewhere
	}
	bounded, stop := context.WithTimeout(ctx, fsckPatience)
	defer stop()
	faults, err := gitstore.Fsck(bounded, d.repo.Repo, d.repo.Ref)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		d.fault(diag.Warning, "objects", "git fsck "+d.repo.Ref, "git fsck takes longer than %s here", fsckPatience)
	case err != nil:
		return err
	case len(faults) > 0:
		d.fault(diag.Error, "objects", d.refetch(), "git fsck: %s", words.Few(faults, 5))
	default:
		d.ok("objects", "git fsck finds no fault")
	}
	return nil
}

// refetch says how to bring back objects that only others have.
func (d *doctor) refetch() string {
	if remote := d.repo.Remote(); remote != "" {
		return "git fetch --refetch " + remote
	}
	return "copy the objects from another clone: see 'git help fsck'"
}

// unreadable reports whether an error is about what the repository should hold.
func unreadable(err error) bool {
	return isA[*gitstore.MissingObjectError](err) || isA[*gitstore.CorruptObjectError](err) || isA[*gitstore.BrokenRefError](err)
}

// read passes on an error unless it is about an object of the branch, which it
// reports under a name.
func (d *doctor) read(name string, err error) error {
	if !unreadable(err) {
		return err
	}
	d.fault(diag.Error, name, d.refetch(), "%s", strings.TrimPrefix(err.Error(), name+": "))
	return nil
}

func (d *doctor) checkStore(ctx context.Context) error {
	if d.broken {
		return nil
	}
	s, err := d.repo.Snapshot(ctx)
	if err != nil {
		return d.read("store", err)
	}
	if !s.Exists() {
		d.fault(diag.Warning, "store", "git plan init", "there is no branch %s", d.repo.Branch())
		return nil
	}
	gates, found, err := s.Gates(ctx)
	if err != nil {
		return d.read("gates.yaml", err)
	}
	switch {
	case gates.Newer():
		d.fault(diag.Error, "gates.yaml", "update git plan", "its format %d is newer than this program knows", gates.Format)
	case len(found) > 0:
		d.fault(diag.Error, "gates.yaml", "mend it on branch "+d.repo.Branch(), "%s: %s", found[0].Pos, found[0].Message)
	default:
		d.ok("gates.yaml", "gate %s", gates.Gate)
	}
	d.checkModel(ctx, gates)
	strays, err := s.Strays(ctx)
	if err != nil {
		return err
	}
	for _, f := range strays {
		d.fault(f.Severity, "store", "git rm it in a worktree of "+d.repo.Branch(), "%s: %s", f.Path, f.Message)
	}
	if !d.blind {
		v, err := d.repo.Publisher().RemoteView(ctx, s)
		if err != nil {
			return err
		}
		if v != nil && !v.Seen.IsZero() && v.Unpublished+v.News > 0 {
			d.fault(diag.Warning, "remote", "git plan sync", "%s here and %s at the remote are not shared yet, as it was last seen",
				count(v.Unpublished, "commit"), count(v.News, "commit"))
		}
	}
	return d.checkPlans(ctx, s, gates)
}

func (d *doctor) checkPlans(ctx context.Context, s *store.Snapshot, gates validate.Gates) error {
	world, err := d.repo.Project().World(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range s.Locations() {
		p, err := s.LoadAt(ctx, l)
		if err != nil {
			if err := d.read("plan "+l.ID, err); err != nil {
				return err
			}
			continue
		}
		subject := store.Subject{Plan: p.Plan, Found: p.Found, Stored: true}
		if errs := store.Errors(subject, store.Policy{Gates: gates}, world); len(errs) > 0 {
			d.fault(diag.Error, "plan "+l.ID, "git plan check "+l.ID, "%s", count(len(errs), "error"))
		}
	}
	d.ok("plans", "%s looked at", count(len(s.Locations()), "plan"))
	return nil
}

// oldDraft is the age from which an edit that was not committed is worth a
// word: git clean -x and git worktree remove delete drafts without asking.
const oldDraft = 24 * time.Hour

// checkWorktree finishes the interrupted move of a worktree.
func (d *doctor) checkWorktree(ctx context.Context) error {
	if !d.fix || d.broken {
		return nil
	}
	done, err := d.repo.Store.Recover(ctx)
	for _, line := range done {
		d.ok("worktree", "%s", line)
	}
	return err
}

// checkLocks looks for locks of git that a killed process left, and names the
// process that has git plan's own.
func (d *doctor) checkLocks(ctx context.Context) error {
	if held := d.repo.Store.OwnLock(); held != nil {
		d.fault(diag.Warning, "lock", "wait for it to end", "%v", held)
	}
	refs := []string{store.ProposalPrefix}
	remote := d.repo.Remote()
	if tracking := store.Tracking(remote, d.repo.Ref); tracking != "" {
		refs = append(refs, tracking, "refs/remotes/"+remote+strings.TrimPrefix(store.ProposalPrefix, "refs/heads"))
	}
	locks, err := d.repo.Store.Locks(ctx, refs...)
	for _, l := range locks {
		d.lock(l)
	}
	return err
}

// lock reports a lock, and removes one that was left behind.
func (d *doctor) lock(l gitstore.Lock) {
	age := l.Age.Round(time.Second)
	switch {
	case !l.IsStale():
		d.fault(diag.Warning, "lock", "wait, then run `git plan doctor` again; or, if no git is at work there: rm "+quote(l.Path), "%s is held since %s", l.Path, age)
	case !d.fix:
		d.fault(diag.Error, "lock", fixCommand, "%s was left behind %s ago", l.Path, age)
	default:
		if err := l.Remove(); err != nil {
			d.fault(diag.Error, "lock", "rm "+quote(l.Path), "%v", err)
			return
		}
		d.ok("lock", "removed %s, left behind %s ago", l.Path, age)
	}
}

// checkHooks looks for hooks that were installed and no longer work; whether there
// are to be any is not for it to say.
func (d *doctor) checkHooks(ctx context.Context) error {
	in, err := d.installer(ctx)
	if err != nil {
		return nil // `git plan hooks status` tells why
	}
	report, err := in.Status(ctx)
	if err != nil {
		d.fault(diag.Warning, "hook", "git plan hooks status", "%v", err)
		return ctx.Err()
	}
	for _, h := range report.Hooks {
		if !h.Broken() {
			continue
		}
		severity, fix := diag.Warning, "git plan hooks status"
		if h.Event == hooks.PreReceive { // the one that cannot be passed by
			severity = diag.Error
		}
		message, again := strings.CutSuffix(h.Message, ": run `git plan hooks install`")
		if again {
			fix = "git plan hooks install"
		}
		d.fault(severity, "hook", fix, "%s: %s", h.Event, message)
	}
	return nil
}

// checkModel looks at how models are asked, and whether one is missing where the
// store wants verdicts. No model is asked. Nobody writes plans in a bare
// repository, mostly, so none is missed there.
func (d *doctor) checkModel(ctx context.Context, gates validate.Gates) {
	m, ok, err := d.model(ctx)
	switch {
	case err != nil:
		d.fault(diag.Error, "model", "git config plan.llm.timeout 120", "%v", err)
	case ok:
		d.ok("model", "asked by %q, within %s", m.Command, m.Timeout)
	case gates.Judge == validate.Required && !d.repo.Bare:
		d.fault(diag.Warning, "model", "git config "+modelCommand+" <command>", "the store wants plans to be judged, and no model is set up here to do so")
	}
}

func (d *doctor) checkDrafts(ctx context.Context) error {
	if d.repo.WorkTree == "" || d.broken {
		return nil
	}
	drafts, err := d.drafts(ctx)
	if err != nil {
		return d.draftFault(ctx, err)
	}
	edited, err := drafts.Edited(ctx)
	lost := isA[*draft.StateError](err)
	if err != nil {
		err = d.draftFault(ctx, err)
	}
	if err == nil && !lost {
		err = d.checkForgotten(ctx, drafts)
	}
	if err != nil {
		return err
	}
	for _, e := range edited {
		if age := d.Now().Sub(e.At); age > oldDraft {
			d.fault(diag.Warning, "draft "+e.ID, "git plan commit", "%s has edits not committed for %d hours", e.Dir, int(age.Hours()))
		}
	}
	return nil
}

// draftFault reports why the drafts cannot be looked at, which is no reason to
// report nothing at all.
func (d *doctor) draftFault(ctx context.Context, err error) error {
	var state *draft.StateError
	var linked *draft.LinkError
	fix := "move away what is in the way; `git plan edit --force PLAN` writes a stored plan there again"
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &state):
		fix = "rm " + quote(state.Path)
	case errors.As(err, &linked):
		fix = "rm " + quote(linked.Path) + "; to keep the drafts behind it, move that folder to its place"
	case unreadable(err):
		fix = "keep a copy of the draft, then git plan edit --force PLAN"
	}
	d.fault(diag.Error, "drafts", fix, "%v", err)
	return nil
}

// checkForgotten reports plans in the folder of drafts that are in no draft.
func (d *doctor) checkForgotten(ctx context.Context, drafts *draft.Drafts) error {
	dirs, err := drafts.Forgotten()
	if err != nil || len(dirs) == 0 {
		return err
	}
	s, err := d.repo.Snapshot(ctx)
	for _, dir := range dirs {
		if err == nil {
			err = d.forgotten(ctx, s, dir)
		}
	}
	if unreadable(err) {
		return nil // which was reported
	}
	return err
}

// forgotten reports one of them: whether it is a stored plan, by its title, and has
// anything that the store does not.
func (d *doctor) forgotten(ctx context.Context, s *store.Snapshot, dir string) error {
	files, err := d.readPlanFiles(dir)
	if err != nil {
		return err
	}
	p, _ := plan.Read("draft", "", files)
	id := plan.NewID(p.Title(), "plan", func(string) bool { return false })
	stored, err := s.Find(ctx, id)
	if err != nil {
		return err
	}
	what := "a plan that is perhaps an edit of " + id
	fix := fmt.Sprintf("git plan checkout %s; copy into that folder what is wanted of this one, and remove this one", id)
	switch {
	case stored == nil:
		what, fix = "a plan", fmt.Sprintf("git plan import -f dir %s --id %s && rm -r %[1]s", quote(dir), id)
	case maps.EqualFunc(stored.Plan.Files(), p.Files(), bytes.Equal):
		what, fix = "plan "+id+" as it is stored", "rm -r "+quote(dir)
	}
	d.fault(diag.Warning, "draft", fix, "%s holds %s, and is no thread's", dir, what)
	return nil
}
