package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

// fixCommand is what mends the faults that the doctor mends itself.
const fixCommand = "git plan doctor --fix"

// letRead is what mends what may be whole and cannot be read now.
const letRead = "let git read it, then run `git plan doctor` again"

// locks looks for locks of git that a killed process left, and tells who holds
// git plan's own.
func (d *doctor) locks(ctx context.Context) error {
	store := d.app.repo.Store
	locks, err := store.Locks(ctx, d.refs()...)
	if err != nil {
		return err
	}
	upkeep, err := store.UpkeepLocks()
	if err != nil {
		return err
	}
	own := store.OwnLock()
	if len(locks)+len(upkeep) == 0 && own == "" {
		return nil
	}
	alive := store.Processes(ctx)
	if own != "" {
		who := alive.Holder(own)
		if who == "" {
			who = "a git plan that writes now"
		}
		d.fault(diag.Warning, "lock", "wait for it to end", "%s is held by %s", own, who)
	}
	for _, l := range locks {
		d.lock(l, alive, false)
	}
	for _, l := range upkeep {
		d.lock(l, alive, true)
	}
	return nil
}

// refs gives the refs that commands work with beside the branch itself, and the
// folders of such.
func (d *doctor) refs() []string {
	refs := []string{store.ProposalPrefix}
	remote := d.app.repo.Remote()
	if tracking := store.Tracking(remote, d.app.repo.Ref); tracking != "" {
		refs = append(refs, tracking, "refs/remotes/"+remote+strings.TrimPrefix(store.ProposalPrefix, "refs/heads"))
	}
	return refs
}

// lock tells of a lock and breaks it. One of git's upkeep is in nobody's way: it
// is worth a word only once it is stale, and is no error then.
func (d *doctor) lock(l gitstore.Lock, alive *gitstore.Processes, upkeep bool) {
	age := l.Age.Round(time.Second)
	stale, why := l.Stale(alive)
	switch {
	case !stale && upkeep:
	case !d.fix && upkeep:
		d.fault(diag.Warning, "upkeep", fixCommand, "%s was left behind %s ago, and git may tidy the repository no more", l.Path, age)
	case !stale:
		d.fault(diag.Warning, "lock", "wait, then run `git plan doctor` again; or, if no git is at work there: rm "+quote(l.Path),
			"%s is held since %s: %s", l.Path, age, why)
	case !d.fix:
		d.fault(diag.Error, "lock", fixCommand, "%s was left behind %s ago", l.Path, age)
	default:
		if err := l.Break(); err != nil {
			d.fault(diag.Error, "lock", "rm "+quote(l.Path), "%v", err)
			return
		}
		d.ok("lock", "removed %s, left behind %s ago", l.Path, age)
	}
}

// byteCount gives a size for a person.
func byteCount(n int64) string {
	switch {
	case n < 1000:
		return count(int(n), "byte")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// quote gives a path as a shell takes it.
func quote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@,", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// objects looks for loose objects that are not what their names say.
func (d *doctor) objects(ctx context.Context) error {
	report, err := d.app.repo.Store.BadObjects(ctx)
	if err != nil {
		return err
	}
	for _, b := range report.Bad {
		if err := d.object(ctx, b); err != nil {
			return err
		}
	}
	switch {
	case report.Partial:
		d.fault(diag.Warning, "objects", "git gc", "there are more than %s, and the rest was not looked at", count(report.Looked, "loose object"))
	case len(report.Bad) == 0:
		d.ok("objects", "%s looked at", count(report.Looked, "loose object"))
	}
	return nil
}

func (d *doctor) object(ctx context.Context, b gitstore.BadObject) error {
	need := "nothing on " + d.app.repo.Branch() + " is known to need it"
	if b.Needed != "" {
		need = d.app.repo.Branch() + " needs it: " + b.Needed
	}
	if b.Obstacle != "" {
		d.fault(diag.Error, "object", letRead, "%s cannot be read: %s; %s; %s", b.Path, b.Detail, b.Obstacle, need)
		return nil
	}
	if !d.fix {
		d.fault(diag.Error, "object", fixCommand, "%s: %s; %s", b.Path, b.Detail, need)
		return nil
	}
	readable, kept, err := d.app.repo.Store.MendObject(ctx, b)
	if err != nil {
		d.fault(diag.Error, "object", "mv "+quote(b.Path)+" "+quote(b.Path+".bad"), "%v", err)
		return nil
	}
	where := "removed " + b.Path
	if kept != "" {
		where = "moved " + b.Path + " to " + kept
	}
	if readable {
		d.ok("object", "%s: there is another copy", where)
		return nil
	}
	from, err := d.app.repo.Store.RestoreObject(ctx, b.Name, draftFile, d.draftFiles())
	switch {
	case err != nil:
		return err
	case from != "":
		d.ok("object", "%s, and wrote it again from %s", where, from)
	case b.Needed == "":
		d.ok("object", "%s; %s", where, need)
	default:
		d.gone = append(d.gone, goneObject{b.Name, where + ", and there is no other copy", need})
	}
	return nil
}

// goneObject is an object that was needed when it was found to be bad, and of
// which there is no copy.
type goneObject struct{ name, text, need string }

// goneObjects tells of them once it is known where the branch is now: it may
// have gone back to a commit that does without.
func (d *doctor) goneObjects(ctx context.Context) error {
	for _, o := range d.gone {
		if d.mended && !d.app.repo.Store.Needs(ctx, o.name) {
			d.ok("object", "%s; %s does without it now", o.text, d.app.repo.Branch())
			continue
		}
		d.unread("object", o.text+"; "+o.need, d.restorer(ctx))
	}
	return nil
}

// packs looks whether packs are as long as git made them, and have their indexes.
// Programs that read a pack from its index may not see the first, and git reads
// nothing from such a pack.
func (d *doctor) packs(context.Context) error {
	faults, err := d.app.repo.Store.PackFaults()
	for _, f := range faults {
		if f.Index == "" {
			d.fault(diag.Error, "pack", fmt.Sprintf("move it away with its index, then %s", d.refetch()),
				"%s does not end as its index says, and git reads nothing from it: it was cut off", f.Path)
			continue
		}
		mend := "git index-pack " + quote(f.Path)
		if index := strings.TrimSuffix(f.Path, ".pack") + ".idx"; exists(index) {
			mend = "mv " + quote(index) + " " + quote(index+".bad") + " && " + mend
		}
		d.fault(diag.Error, "pack", mend, "%s is whole, but %s, and git does not find what it holds", f.Path, f.Index)
	}
	return err
}

// history looks whether the branch can be followed to its beginning.
func (d *doctor) history(ctx context.Context) error {
	r := d.app.repo
	if d.broken {
		return nil
	}
	if _, err := r.Store.Tip(ctx); err != nil {
		return nil // there is no branch, which is told elsewhere
	}
	fault, err := r.Store.HistoryFault(ctx)
	if fault != "" {
		d.unread("history", fmt.Sprintf("%s cannot be followed to its beginning: %s", r.Ref, fault), d.refetch)
	}
	return err
}

// versions looks whether older versions can be read, where the one that counts can.
func (d *doctor) versions(ctx context.Context) error {
	r := d.app.repo
	if d.broken || d.lacks {
		return nil
	}
	if _, err := r.Store.Tip(ctx); err != nil {
		return nil
	}
	missing, err := r.Store.Missing(ctx)
	if len(missing) > 0 {
		d.unread("history", fmt.Sprintf("older versions need %s: %s", count(len(missing), "missing object"), strings.Join(missing[:min(3, len(missing))], ", ")), d.refetch)
	}
	return err
}

// remembered gives the newest commit that a thread of this worktree began from and
// that can be read, "" for none: git forgets the reflog of a branch with the branch.
func (d *doctor) remembered(ctx context.Context) (commit string) {
	if d.app.repo.WorkTree == "" {
		return ""
	}
	drafts, err := d.app.drafts(ctx)
	if err != nil {
		return ""
	}
	state, err := drafts.State()
	if err != nil {
		return ""
	}
	var newest time.Time
	for _, t := range state.Drafts {
		if t.Base == "" {
			continue
		}
		c, err := d.app.repo.Store.Commit(ctx, t.Base)
		if err == nil && !c.Committer.When.Before(newest) {
			commit, newest = t.Base, c.Committer.When
		}
	}
	return commit
}

// refetch says how to bring back what only others have.
func (d *doctor) refetch() string {
	if remote := d.app.repo.Remote(); remote != "" {
		return "git fetch --refetch " + remote
	}
	return "bring the objects back from another clone"
}

// draftFile is the most bytes of a file that an object is sought in.
const draftFile = 1 << 20

// draftFiles lists the files of all drafts of this worktree, those of forgotten
// threads too: after a commit they hold what was stored.
func (d *doctor) draftFiles() []string {
	r := d.app.repo
	if r.WorkTree == "" {
		return nil
	}
	var files []string
	_ = filepath.WalkDir(filepath.Join(r.WorkTree, draft.Root(r)), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	return files
}

// unreadable reports whether an error is about what the repository should hold.
func unreadable(err error) bool {
	var missing *gitstore.MissingObjectError
	var corrupt *gitstore.CorruptObjectError
	var broken *gitstore.BrokenRefError
	return errors.As(err, &missing) || errors.As(err, &corrupt) || errors.As(err, &broken)
}

// unread tells of an object of the branch that cannot be read, and of the way to
// have it back. Where it may be whole, no commit is left out for it.
func (d *doctor) unread(name, text string, mend func() string) {
	d.lacks = true
	if why := d.app.repo.Store.OutOfReach(text); why != "" {
		d.fault(diag.Error, name, letRead, "%s; %s", text, why)
		return
	}
	d.fault(diag.Error, name, mend(), "%s", text)
}

func (d *doctor) restorer(ctx context.Context) func() string {
	return func() string { return d.restore(ctx) }
}

// restore gives the command that brings back an object that is gone: from the
// remote, or by going back to a commit that does not need it.
func (d *doctor) restore(ctx context.Context) string {
	r := d.app.repo
	if r.Remote() != "" {
		return d.refetch()
	}
	tip, err := r.Store.Tip(ctx)
	if err != nil {
		return fixCommand
	}
	good, lost, err := r.Store.NewestWhole(ctx)
	if err != nil || good == "" || len(lost) == 0 {
		return "bring the object back from another clone"
	}
	return fmt.Sprintf("bring the object back from another clone, or leave out the newest %s: git update-ref %s %s %s",
		count(len(lost), "commit"), r.Ref, good, tip.Commit)
}
