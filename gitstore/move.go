package gitstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/git"
)

// The phases of moving a worktree along, in order. What a crash leaves behind
// is told apart by them.
const (
	phaseBegun  = "begun"  // the ref has not moved
	phaseLocked = "locked" // the ref tells whether the index is to move; without the copy it has
)

// journal is what a later process needs to finish or undo a move.
type journal struct {
	Phase    string `json:"phase"`
	Ref      string `json:"ref"`
	Old      string `json:"old"` // a commit, or the empty tree
	New      string `json:"new"`
	Worktree string `json:"worktree"`
}

// move brings a worktree that has the ref checked out along with it. A nil move
// has nothing to do.
type move struct {
	worktree *worktree
	path     string // of the journal
	share    func(path string)
	again    bool // an interrupted move is made once more
	journal
}

// journalPath gives the one journal there can be, under the store's lock.
func (r *Repo) journalPath() string { return filepath.Join(r.dir(), "journal") }

// newMove is the move of a worktree from one commit, or the empty tree, to another.
func (s *Store) newMove(w *worktree, from, to string) *move {
	return &move{worktree: w, path: s.repo.journalPath(), share: s.repo.Share, journal: journal{Ref: s.ref, Old: from, New: to, Worktree: w.path}}
}

// beginMove locks the index of the worktree that has the ref checked out, if
// there is one, and makes sure that nothing there is in the way.
func (s *Store) beginMove(ctx context.Context, tip Tip, commit string) (*move, error) {
	if tip.Worktree == "" {
		return nil, nil
	}
	w, err := s.openWorktree(ctx, tip.Worktree)
	if err != nil || w == nil {
		return nil, err
	}
	old := tip.Commit
	if old == "" {
		old = s.repo.EmptyTree()
	} else if _, err := os.Lstat(w.indexPath()); errors.Is(err, fs.ErrNotExist) {
		// An index of the new commit alone would delete the rest with the next commit there.
		return nil, fmt.Errorf("the worktree %s has the branch checked out, and its index is missing: run 'git -C %[1]s reset'", w.path)
	}
	m := s.newMove(w, old, commit)
	if err := m.lockIndex(ctx); err != nil {
		return nil, err
	}
	has, err := w.has(ctx, m.Ref)
	if err == nil && has {
		err = w.dryRun(ctx, m.Old, m.New)
	}
	if err != nil {
		return nil, errors.Join(err, m.undo())
	}
	if !has { // it went on to another branch meanwhile
		return nil, m.undo()
	}
	return m, nil
}

// lockIndex makes index.lock ours and then copies the index. Each step is in the
// journal before it is taken.
func (m *move) lockIndex(ctx context.Context) error {
	w := m.worktree
	if err := m.record(phaseBegun); err != nil {
		return err
	}
	err := w.takeLock()
	if err == nil {
		err = w.copyIndex(ctx)
	}
	if err == nil {
		err = m.record(phaseLocked)
	}
	if err != nil {
		return errors.Join(asReadOnly(w.gitDir, err), m.undo())
	}
	return nil
}

// undo gives the index back as it was.
func (m *move) undo() error {
	if m == nil {
		return nil
	}
	if err := m.worktree.release(); err != nil {
		return err // the journal stays, for the next attempt
	}
	return remove(m.path)
}

// finish moves index and files after the ref has moved. The commit has landed
// by then, so what goes wrong is told as warnings. If the index could not be
// moved, it stays locked and the journal stays: with the old index the next
// commit there would undo this one.
func (m *move) finish(ctx context.Context) []string {
	if m == nil {
		return nil
	}
	warnings, moved, err := m.moveFiles(ctx)
	if !moved {
		return []string{fmt.Sprintf("the worktree %s is behind: %v; the next change moves it along, or 'git plan doctor --fix'", m.Worktree, err)}
	}
	if err != nil {
		warnings = []string{fmt.Sprintf("the worktree %s is behind: %v; run 'git status' there", m.Worktree, err)}
	}
	if err := m.worktree.flush(ctx, m.Old, m.New); err != nil {
		warnings = append(warnings, fmt.Sprintf("files of the worktree %s may not outlast a loss of power: %v", m.Worktree, err))
	}
	if err := m.replaceIndex(); err != nil {
		warnings = append(warnings, fmt.Sprintf("the index of the worktree %s is behind: %v; the next change moves it along, or 'git plan doctor --fix'", m.Worktree, err))
	}
	return warnings
}

// moveFiles does the move on the copy of the index, and reports whether that may
// become the index. The dry run said that it works; if it does not, a crash or
// an edit came in between. After an interruption the index may be further than
// the files, which only mending looks at.
func (m *move) moveFiles(ctx context.Context) (warnings []string, moved bool, err error) {
	w := m.worktree
	if !m.again {
		if err := w.readTree(ctx, m.Old, m.New, "-u"); err == nil {
			return nil, true, nil
		}
	}
	if err := w.readTree(ctx, m.Old, m.New, "-i"); err != nil {
		return nil, false, err
	}
	left, err := w.mend(ctx, m.Old, m.New)
	if len(left) > 0 {
		warnings = []string{fmt.Sprintf("the worktree %s was moved along except for %q, which have other changes; run 'git diff' there", m.Worktree, left)}
	}
	return warnings, !wasKilled(err), err
}

// wasKilled reports whether err is that of a git that a signal ended.
func wasKilled(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && e.Status < 0
}

// replaceIndex puts the copy in place of the index and ends the move. Where the
// lock is not ours any more, the index may be newer than the copy.
func (m *move) replaceIndex() error {
	w := m.worktree
	if w.repo.isFlushedByUs(context.Background()) {
		if err := flushFile(w.copyPath()); err != nil {
			return err
		}
	}
	if !w.ownsLock() {
		return fmt.Errorf("somebody removed %s", w.lockPath())
	}
	if err := os.Rename(w.copyPath(), w.indexPath()); err != nil {
		return asReadOnly(w.indexPath(), err)
	}
	return m.undo()
}

// record writes the journal, whole and durable.
func (m *move) record(phase string) error {
	m.Phase = phase
	data, err := json.Marshal(m.journal)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(m.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return asReadOnly(m.path, err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return asReadOnly(m.path, err)
	}
	m.share(m.path + ".new")
	return asReadOnly(m.path, os.Rename(m.path+".new", m.path))
}

// Recover finishes or undoes what a crash left half done: a worktree that was
// to be moved along with the ref. It tells what it did, a line each. Each
// [Store.Update] begins with it.
func (s *Store) Recover(ctx context.Context) (done []string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.recover(ctx)
}

// recover is Recover under the lock.
func (s *Store) recover(ctx context.Context) ([]string, error) {
	data, err := os.ReadFile(s.repo.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.repo.journalPath(), err)
	}
	m := &move{path: s.repo.journalPath(), share: s.repo.Share}
	if err := json.Unmarshal(data, &m.journal); err != nil {
		return []string{"dropped an unreadable journal of an interrupted change"}, remove(m.path)
	}
	m.worktree, err = s.openWorktree(ctx, m.Worktree)
	if err != nil {
		return nil, err
	}
	if m.worktree == nil {
		return []string{fmt.Sprintf("dropped an interrupted change of the worktree %s, which is gone", m.Worktree)}, remove(m.path)
	}
	switch has, err := m.worktree.has(ctx, m.Ref); {
	case err != nil:
		return nil, err
	case !has: // somebody removed the lock, and went on elsewhere
		return []string{fmt.Sprintf("dropped an interrupted change of the worktree %s, which has something else checked out by now", m.Worktree)}, m.undo()
	}
	if m.Phase == phaseLocked {
		return s.recoverLocked(ctx, m)
	}
	return []string{fmt.Sprintf("undid an interrupted change of the worktree %s", m.Worktree)}, m.undo()
}

// recoverLocked asks the ref whether the commit landed, and moves the worktree
// along or gives its index back.
func (s *Store) recoverLocked(ctx context.Context, m *move) ([]string, error) {
	w := m.worktree
	if err := w.outlive(ctx); err != nil {
		return nil, err
	}
	tip, err := s.readRef(ctx, m.Ref)
	if err != nil && !errors.Is(err, ErrNoRef) {
		return nil, err
	}
	landed, err := s.IsAncestor(ctx, m.New, tip.Commit)
	if err != nil {
		return nil, err
	}
	switch {
	case !landed:
		return []string{fmt.Sprintf("undid an interrupted change of the worktree %s", m.Worktree)}, m.undo()
	case isGone(w.copyPath()): // it is the index by now
		return []string{fmt.Sprintf("finished moving the worktree %s along", m.Worktree)}, m.undo()
	}
	if !w.ownsLock() { // someone removed it
		err = w.takeLock()
	}
	if err == nil {
		err = w.copyIndex(ctx)
	}
	if err != nil {
		return nil, asReadOnly(w.gitDir, err)
	}
	m.New, m.again = tip.Commit, true // others may have gone on from there
	warnings := m.finish(ctx)
	if _, err := os.Stat(m.path); err == nil { // stopped again
		return warnings, nil
	}
	return append(warnings, fmt.Sprintf("moved the worktree %s along after an interruption", m.Worktree)), nil
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
