package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

const (
	// maxMeta bounds a commit, maxTree a tree, in bytes: more is an attack.
	maxMeta = 16 << 20
	maxTree = 256 << 20
	// treeCacheEntries bounds the entries of trees kept decoded.
	treeCacheEntries = 1 << 16
)

// Store is the content of one ref. It is safe for concurrent use; Close it. What it
// reads is told apart: its objects, and the history that they make.
type Store struct {
	history
	ref      string
	patience patience
	leaving  sync.WaitGroup // children that have done their work
}

// patience bounds how long a write waits for others.
type patience struct {
	flock    time.Duration // for another process's turn
	refLock  time.Duration // for a lock of the ref that comes and goes
	stale    time.Duration // the age from which a lock is taken for left behind
	attempts int           // against a ref that keeps moving
	moved    time.Duration // the wait for the turn after which others will have moved the ref
}

// Open gives the store on ref, a full name such as refs/heads/plans. Nothing is
// read yet, and the ref need not exist.
func Open(r *Repo, ref string) *Store {
	return &Store{
		history:  history{objects{repo: r, batch: batch{repo: r}, trees: map[string][]Entry{}}},
		ref:      ref,
		patience: patience{flock: 30 * time.Second, refLock: 5 * time.Second, stale: 10 * time.Second, attempts: 100, moved: time.Millisecond},
	}
}

// Close lets go of open files and ends the child that reads objects. The store
// may be used again.
func (s *Store) Close() error {
	s.leaving.Wait()
	if s.repo.passwords != "" {
		s.repo.forgetPassword()
	}
	s.choosing.Lock()
	defer s.choosing.Unlock()
	if s.engine == nil {
		return nil
	}
	return s.engine.close()
}

// Tip is what the ref points at.
type Tip struct {
	// Commit is the commit's name.
	Commit string
	// Worktree is the path of a worktree that has the ref checked out, or "".
	Worktree string
}

// Tip reads the ref. It is [ErrNoRef] when the ref does not exist and a
// *[BrokenRefError] when it exists and names no commit.
func (s *Store) Tip(ctx context.Context) (Tip, error) { return s.readRef(ctx, s.ref) }

// TipOf gives the commit another full ref name points at, with the errors of
// [Store.Tip].
func (s *Store) TipOf(ctx context.Context, ref string) (string, error) {
	tip, err := s.readRef(ctx, ref)
	return tip.Commit, err
}

// readRef asks git for one ref.
func (s *Store) readRef(ctx context.Context, ref string) (Tip, error) {
	if err := CheckRef(ref); err != nil {
		return Tip{}, err
	}
	out, said, err := s.repo.Git.ReadBoth(ctx, "for-each-ref",
		"--format=%(refname) %(objecttype) %(objectname) %(symref) %(worktreepath)%00", ref)
	if err != nil {
		if git.Said(err, ref) { // "missing object … for refs/…"
			return Tip{}, &BrokenRefError{ref, err.Error()}
		}
		return Tip{}, err
	}
	// The pattern also matches the refs below a folder of that name.
	for line := range strings.SplitSeq(string(out), "\x00\n") { // a path may hold line ends
		fields := strings.SplitN(line, " ", 5)
		if len(fields) < 5 || fields[0] != ref {
			continue
		}
		if fields[1] != "commit" {
			return Tip{}, &BrokenRefError{ref, "it points at a " + fields[1]}
		}
		if end := fields[3]; end != "" && end != ref { // what is checked out, and moves, is the branch that it leads to
			return s.readRef(ctx, end)
		}
		return Tip{Commit: fields[2], Worktree: fields[4]}, nil
	}
	// Git skips a ref it cannot read, with a warning; whatever else it says,
	// when it is traced for example, is not about the ref.
	for line := range strings.Lines(said) {
		if about, ok := strings.CutPrefix(strings.TrimSpace(line), "warning: ignoring "); ok && strings.HasSuffix(about, ref) {
			return Tip{}, &BrokenRefError{ref, "git is ignoring " + about}
		}
	}
	return Tip{}, ErrNoRef
}

// CheckRef refuses what git does not take for the full name of one ref: a
// pattern would match other refs, a line end would be a command of its own.
func CheckRef(ref string) error {
	within := func(part string) bool { return strings.Contains(ref+"/", part) }
	if !strings.HasPrefix(ref, "refs/") || strings.HasSuffix(ref, ".") ||
		slices.ContainsFunc([]string{"//", "/.", "..", ".lock/", "@{"}, within) || strings.ContainsAny(ref, " ~^:?*[\\\x7f") ||
		strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("%q is no full ref name; give one such as refs/heads/plans", ref)
	}
	return nil
}
