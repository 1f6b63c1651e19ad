package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// refTx moves the ref from one value to another by "git update-ref --stdin".
// Between prepare and commit, while git holds the ref's lock, a process that
// has read no refs before looks again: git's own check can be misled when
// packed-refs was rewritten within one second.
type refTx struct {
	store    *Store
	old, new string            // old is "" for a ref that must not exist
	objects  map[string]string // what must be in the repository, with types
	secure   func() error      // see packWriter

	started chan struct{} // closed once the children are there, or failed
	failed  error
	child   *git.Process
	checker *git.Process // a "git cat-file --batch-check"
}

// start starts the children. They read nothing before [refTx.run], so starting
// them early only shortens the time in which the ref may move away. To start a
// process takes as long as to read a plan, so it goes on beside other work.
func (tx *refTx) start(ctx context.Context, reason string) {
	if reason == "" {
		reason = "git plan"
	}
	// They outlive a cancelled ctx: a transaction ends by commit or abort, not
	// in its middle.
	ctx = context.WithoutCancel(ctx)
	tx.started = make(chan struct{})
	go func() {
		defer close(tx.started)
		tx.child, tx.failed = tx.store.repo.Git.Start(ctx, tx.store.repo.durable(ctx, "update-ref", "-m", reason, "--create-reflog", "--stdin")...)
		if tx.failed == nil {
			tx.checker, tx.failed = tx.store.repo.Git.Start(ctx, "cat-file", "--batch-check")
		}
	}()
}

// close ends the children; without a commit before, nothing has happened.
func (tx *refTx) close() {
	<-tx.started
	if tx.checker != nil {
		_ = tx.checker.Close()
	}
	if tx.child != nil {
		_ = tx.child.Close()
	}
}

// run makes the transaction. A *retryError means that another attempt may
// succeed; after any error the ref is as it was.
func (tx *refTx) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := turn{thisProcess(), processOf(tx.child.ID()), tx.new}
	tx.store.repo.writeTurn(now)
	defer func() {
		if tx.child != nil && wasKilled(tx.child.Close()) {
			_ = tx.store.clear(context.WithoutCancel(ctx), now) // else the next holder does
		}
	}()
	if err := tx.prepare(); err != nil {
		return tx.explain(context.WithoutCancel(ctx), err)
	}
	err := tx.check(context.WithoutCancel(ctx))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = tx.say("abort")
		return errors.Join(err, tx.child.Close())
	}
	return tx.commit(context.WithoutCancel(ctx))
}

// prepare locks the ref with the value it must have.
func (tx *refTx) prepare() error {
	old := tx.old
	if old == "" {
		old = tx.store.repo.zeros()
	}
	update := fmt.Sprintf("start\nupdate %s %s %s\nprepare", tx.store.ref, tx.new, old)
	if err := tx.say(update); err != nil {
		return err
	}
	if err := tx.hear("start"); err != nil {
		return err
	}
	return tx.hear("prepare")
}

// commit lets the ref move. If git's answer is lost, the ref itself tells.
func (tx *refTx) commit(ctx context.Context) error {
	failed := tx.say("commit")
	if failed == nil {
		failed = tx.hear("commit")
	}
	if failed == nil {
		done := tx.child // it has done its work, and only has to end
		tx.store.leaving.Go(func() { _ = done.Close() })
		tx.child = nil
		return nil
	}
	_ = tx.child.Close()
	if tx.landed(ctx) {
		return nil
	}
	return asReadOnly(tx.store.ref, failed)
}

// landed reports whether the ref moved. Others may have gone on from there.
func (tx *refTx) landed(ctx context.Context) bool {
	tip, err := tx.store.Tip(ctx)
	if err != nil {
		return false
	}
	landed, err := tx.store.IsAncestor(ctx, tx.new, tip.Commit)
	return err == nil && landed
}

// say sends commands to git.
func (tx *refTx) say(text string) error {
	if _, err := io.WriteString(tx.child.Stdin, text+"\n"); err != nil {
		return tx.ended(err)
	}
	return nil
}

// hear waits for "<command>: ok".
func (tx *refTx) hear(command string) error {
	line, err := tx.child.Stdout.ReadString('\n')
	if err != nil {
		return tx.ended(err)
	}
	if strings.TrimSpace(line) != command+": ok" {
		return fmt.Errorf("git update-ref answered %q to %s", strings.TrimSpace(line), command)
	}
	return nil
}

// ended gives the reason why git stopped talking.
func (tx *refTx) ended(err error) error {
	if closed := tx.child.Close(); closed != nil {
		return closed
	}
	return fmt.Errorf("git update-ref ended early: %w", err)
}

// check reads the ref again and looks for every object, in the fresh process.
func (tx *refTx) check(ctx context.Context) error {
	if err := tx.secure(); err != nil {
		return err
	}
	if tx.store.repo.isFlushedByUs(ctx) { // before what git wrote into the lock becomes the ref
		if err := flushFile(tx.store.repo.refPath(tx.store.ref) + ".lock"); err != nil {
			return err
		}
	}
	// One may have begun meanwhile, which git refuses, too. If nothing stops it, it is
	// over in a moment.
	if open, err := tx.store.Rebase(ctx); open != nil || err != nil {
		return cmp.Or[error](err, &retryError{open})
	}
	names := slices.Sorted(maps.Keys(tx.objects))
	answers, err := askObjects(tx.checker, append([]string{tx.store.ref}, names...))
	if err != nil {
		return err
	}
	if answers[0].name != tx.old && !tx.isShort(ctx) {
		return tx.moved()
	}
	err = expectObjects(names, answers[1:], tx.objects)
	// It was there, or written, a moment ago. Another attempt writes it anew, or
	// finds out at its beginning that it is gone.
	var missing *MissingObjectError
	if errors.As(err, &missing) {
		return &retryError{err}
	}
	if err != nil {
		return err
	}
	return tx.secure() // a gc may have begun meanwhile
}

// isShort reports whether a ref that must not exist does not, though its name
// means something: it is also short for that of a branch named like it.
func (tx *refTx) isShort(ctx context.Context) bool {
	if tx.old != "" {
		return false
	}
	_, err := tx.store.Tip(ctx)
	return errors.Is(err, ErrNoRef)
}

// moved is the failure after which the change is made again on the new tip.
func (tx *refTx) moved() error {
	return &retryError{&BusyError{Ref: tx.store.ref}}
}

// explain tells why git did not prepare: the ref moved, it is locked, or
// something else, in git's words.
func (tx *refTx) explain(ctx context.Context, err error) error {
	for _, phrase := range []string{"but expected", "reference already exists", "unable to resolve reference"} {
		if git.Said(err, phrase) {
			if _, broken := tx.store.Tip(ctx); broken != nil && !errors.Is(broken, ErrNoRef) {
				return broken
			}
			return tx.moved()
		}
	}
	// So says git of a commit that it does not find. Where it was lost on its way
	// into the repository, see [asSwept], another attempt writes it anew.
	if git.Said(err, "nonexistent object") {
		return &retryError{err}
	}
	if path := tx.lockIn(err); path != "" {
		return &retryError{&LockedError{Path: path, Age: age(path)}}
	}
	if other := inTheWay(err); other != "" {
		return fmt.Errorf("there can be no %s beside %s: rename or delete that one, or take another name", tx.store.ref, other)
	}
	return asReadOnly(tx.store.ref, err)
}

// inTheWay gives the ref, above or below the one that was to be made, of which git
// says that both cannot be, or "".
func inTheWay(err error) string {
	var refused *git.Error
	if !errors.As(err, &refused) {
		return ""
	}
	before, _, ok := strings.Cut(refused.Stderr, "' exists; cannot create '")
	if !ok {
		return ""
	}
	return before[strings.LastIndexByte(before, '\'')+1:]
}

// lockIn gives the lock file that git says exists, or "".
func (tx *refTx) lockIn(err error) string {
	var refused *git.Error
	if !errors.As(err, &refused) {
		return ""
	}
	if _, rest, ok := strings.Cut(refused.Stderr, "Unable to create '"); ok {
		path, after, _ := strings.Cut(rest, "': ")
		if strings.HasPrefix(after, "File exists") {
			return tx.store.repo.abs(path)
		}
	}
	// Of a lock on a reftable git says no more than one of these.
	for _, phrase := range []string{"cannot lock references", "data is locked", "lock for I/O"} {
		if strings.Contains(refused.Stderr, phrase) {
			if own := reftableLock(tx.store.repo.GitDir); !isGone(own) {
				return own
			}
			return reftableLock(tx.store.repo.CommonDir)
		}
	}
	return ""
}

// abs gives a path of git's messages as an absolute one.
func (r *Repo) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if r.WorkTree != "" {
		return filepath.Join(r.WorkTree, path)
	}
	return filepath.Join(r.GitDir, path)
}

// age gives the time since a file was last written, at least 1; 0 if it is gone.
func age(path string) time.Duration {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return max(1, time.Since(info.ModTime()))
}

// answer is the name and type of an object, zero where there is none.
type answer struct{ name, kind string }

// askObjects asks a "git cat-file --batch-check" child what names mean, once.
func askObjects(child *git.Process, names []string) ([]answer, error) {
	go func() { // git answers while it still reads
		_, _ = io.WriteString(child.Stdin, strings.Join(names, "\n")+"\n")
		_ = child.Stdin.Close()
	}()
	answers := make([]answer, len(names))
	for i := range answers {
		line, err := child.Stdout.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("check what is in the repository: %w", cmp.Or(child.Close(), err))
		}
		if fields := strings.Fields(line); len(fields) == 3 {
			answers[i] = answer{fields[0], fields[1]}
		}
	}
	return answers, nil
}

// expectObjects holds answers for names against the types wanted.
func expectObjects(names []string, answers []answer, types map[string]string) error {
	for i, name := range names {
		switch kind := answers[i].kind; {
		case kind == "":
			return &MissingObjectError{Name: name}
		case kind != types[name]:
			return &CorruptObjectError{name, "it is a " + kind + ", not a " + types[name]}
		}
	}
	return nil
}

// checkObjects makes sure that objects are in the repository with these types.
func (r *Repo) checkObjects(ctx context.Context, types map[string]string) error {
	if len(types) == 0 {
		return nil
	}
	child, err := r.Git.Start(ctx, "cat-file", "--batch-check")
	if err != nil {
		return err
	}
	defer func() { _ = child.Close() }()
	names := slices.Sorted(maps.Keys(types))
	answers, err := askObjects(child, names)
	if err != nil {
		return err
	}
	return expectObjects(names, answers, types)
}
