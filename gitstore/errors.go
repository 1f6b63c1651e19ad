package gitstore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/objectdb"
)

// ErrNoRef says that the store's ref does not exist. A ref that exists and
// cannot be read is a [BrokenRefError] instead.
var ErrNoRef = errors.New("the ref does not exist")

// NotRepositoryError says that git found no repository.
type NotRepositoryError struct {
	// Words are git's own.
	Words string
}

// Error gives git's own words.
func (e *NotRepositoryError) Error() string { return e.Words }

// BrokenRefError says that a ref exists and names no commit.
type BrokenRefError struct {
	// Ref is the full name.
	Ref string
	// Detail says what is wrong with it.
	Detail string
}

// Error names the ref and what is wrong.
func (e *BrokenRefError) Error() string {
	return fmt.Sprintf("%s is broken: %s; run 'git plan doctor', which says what to do", e.Ref, e.Detail)
}

// NotFoundError says that a revision names no commit.
type NotFoundError struct {
	// Rev is what was asked for.
	Rev string
}

// Error names the revision.
func (e *NotFoundError) Error() string { return fmt.Sprintf("no such revision: %q", e.Rev) }

// TooLargeError says that an object is larger than the caller wanted to read.
type TooLargeError = objectdb.TooLargeError

// MissingObjectError says that an object that should be in the repository is
// not there. It never means that a file is absent.
type MissingObjectError struct {
	// Name is the object's name.
	Name string
	// Detail is what git said about it, if anything.
	Detail string
}

// Error names the object and the ways out.
func (e *MissingObjectError) Error() string {
	text := fmt.Sprintf("object %s is missing from the repository", e.Name)
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	return text + "; fetch it, or look with 'git fsck'"
}

// CorruptObjectError says that an object is there and is not what it should be.
type CorruptObjectError struct {
	// Name is the object's name.
	Name string
	// Detail says what is wrong with it.
	Detail string
}

// Error names the object and what is wrong.
func (e *CorruptObjectError) Error() string {
	return fmt.Sprintf("object %s is unusable: %s; look with 'git fsck'", e.Name, e.Detail)
}

// ReadOnlyError says that the repository cannot be written.
type ReadOnlyError struct {
	// Path is what could not be written.
	Path string
	// Err is the cause.
	Err error
}

// Error names the path, the cause and the ways out.
func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("cannot write %s: %v; reading goes on as it is: allow writing to the git directory, "+
		"for a coding agent's sandbox with `git plan setup`, or run this where it may be written", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *ReadOnlyError) Unwrap() error { return e.Err }

// LockedError says that a lock is held by someone else, or was left behind.
type LockedError struct {
	// Path is the lock file.
	Path string
	// Age is how long ago it was written; 0 for the lock of git plan itself,
	// which ends with its process.
	Age time.Duration
	// Holder names the process that has it, "" where that is not known.
	Holder string
}

// Error names the lock and the way out.
func (e *LockedError) Error() string {
	if e.Age == 0 || e.Holder != "" {
		return fmt.Sprintf("locked by %s: %s; wait for it to end and try again", cmp.Or(e.Holder, "another process"), e.Path)
	}
	return fmt.Sprintf("locked by %s (%s old); wait for the other git process, or remove the file if none runs, as 'git plan doctor --fix' does",
		e.Path, e.Age.Round(time.Second))
}

// BusyError says that the ref moved each time a change was about to land.
type BusyError struct {
	// Ref is the full name.
	Ref string
	// Attempts is how often the change was tried.
	Attempts int
}

// Error names the ref.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s moved during each of %d attempts; try again", e.Ref, e.Attempts)
}

// WorktreeError says that a worktree has the ref checked out and holds changes
// that moving it along would overwrite. Nothing was changed.
type WorktreeError struct {
	// Worktree is its path.
	Worktree string
	// Lines are what git said about it.
	Lines []string
}

// Error names the worktree and gives git's lines.
func (e *WorktreeError) Error() string {
	return fmt.Sprintf("the worktree %s has the branch checked out with changes that are in the way: %s; commit or discard them there",
		e.Worktree, strings.Join(e.Lines, "; "))
}

// ChangeError says that a [Change] cannot be applied.
type ChangeError struct {
	// Path is the file or folder; "" if the change as a whole is meant.
	Path string
	// Reason says why.
	Reason string
}

// Error gives path and reason.
func (e *ChangeError) Error() string {
	if e.Path == "" {
		return "cannot make the commit: " + e.Reason
	}
	return fmt.Sprintf("cannot change %q: %s", e.Path, e.Reason)
}

// retryError marks a failure after which the whole attempt may be made again.
type retryError struct {
	err error // what to report once patience is over
}

func (e *retryError) Error() string { return e.err.Error() }
func (e *retryError) Unwrap() error { return e.err }

// asSwept marks a failure for another attempt where git could not put an object
// into its folder: a gc beside us takes folders away once they are empty, and
// git may just have been about to fill one. With --prune=now it takes away
// unfinished packs and objects of a moment ago, too, also between git's two looks
// at one that it need not write again.
func asSwept(err error) error {
	gone := git.Said(err, "No such file")
	switch {
	case git.Said(err, "unable to create temporary file: No such file"),
		gone && git.Said(err, "unable to write file"),
		gone && git.Said(err, "unable to rename temporary"),
		git.Said(err, "cannot read existing object"),
		git.Said(err, "is not a valid object"):
		return &retryError{err}
	}
	return err
}

// asReadOnly turns a failure to write path into a *[ReadOnlyError] where it was
// one of permission.
func asReadOnly(path string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &ReadOnlyError{Path: path, Err: err}
	}
	for _, phrase := range []string{"Permission denied", "Read-only file system", "insufficient permission"} {
		if git.Said(err, phrase) {
			return &ReadOnlyError{Path: path, Err: err}
		}
	}
	return err
}

// TooManyError is returned for a commit that changes more entries than are
// looked at.
type TooManyError struct {
	Commit string
	Limit  int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("commit %.12s changes more than %d files and folders; make it of smaller ones", e.Commit, e.Limit)
}
