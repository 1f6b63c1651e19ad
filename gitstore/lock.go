package gitstore

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/git-plan/git-plan/internal/filelock"
)

// dir is the folder for what is not kept in git, shared by all worktrees.
func (r *Repo) dir() string { return filepath.Join(r.CommonDir, "git-plan") }

// makeDir makes that folder as open to others as the git directory is.
func (r *Repo) makeDir() error {
	err := os.Mkdir(r.dir(), 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return asReadOnly(r.dir(), err)
	}
	r.Share(r.dir())
	return nil
}

// Share opens a file or folder that this process made in the git directory to
// those whom core.sharedRepository lets in, whatever the umask is. Git gave the
// git directory the mode that tells who they are.
func (r *Repo) Share(path string) {
	common, err := os.Stat(r.CommonDir)
	if err != nil || common.Mode()&0o022 == 0 {
		return
	}
	made, err := os.Stat(path)
	if err != nil {
		return
	}
	mode := common.Mode()
	if !made.IsDir() {
		mode = made.Mode() | mode&0o066
	}
	if mode != made.Mode() {
		_ = os.Chmod(path, mode) // who is not its owner need not: the owner did
	}
}

// lock waits for the turn of this process, and removes what a killed one left. The
// first to wait holds the place at the door, so that a busy writer cannot take one
// turn after the other.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := s.repo.makeDir(); err != nil {
		return nil, err
	}
	end := time.Now().Add(s.patience.flock)
	leave, err := s.repo.waitFor(ctx, filepath.Join(s.repo.dir(), door), end)
	if err != nil {
		return nil, err
	}
	defer leave()
	free, err := s.repo.waitFor(ctx, s.repo.lockPath(), end)
	if err != nil {
		return nil, err
	}
	if err := s.clear(ctx, s.repo.readTurn()); err != nil {
		free()
		return nil, err
	}
	s.repo.writeTurn(turn{holder: thisProcess()})
	return func() {
		s.repo.writeTurn(turn{})
		free()
	}, nil
}

// Alone waits until no other process of the repository, whatever its worktree, has the
// lock of that name, for patience at most: then it is a *[LockedError]. The lock ends
// with the process.
func (s *Store) Alone(ctx context.Context, name string, patience time.Duration) (unlock func(), err error) {
	if err := s.repo.makeDir(); err != nil {
		return nil, err
	}
	unlock, err = s.repo.waitFor(ctx, filepath.Join(s.repo.dir(), name), time.Now().Add(patience))
	if held := new(LockedError); errors.As(err, &held) {
		held.Holder = "" // that is known of the store's own lock alone
	}
	return unlock, err
}

// door is the file in our folder that the writer next in turn locks.
const door = "door"

// lockPath gives the file that writers lock. It stays, as the door does.
func (r *Repo) lockPath() string { return filepath.Join(r.dir(), "lock") }

// waitFor takes the lock on one file of ours, until end at most.
func (r *Repo) waitFor(ctx context.Context, path string, end time.Time) (unlock func(), err error) {
	unlock, err = filelock.Wait(ctx, path, time.Until(end))
	switch {
	case err == nil:
		r.Share(path)
		return unlock, nil
	case errors.Is(err, filelock.ErrHeld):
		return nil, r.held(path)
	case ctx.Err() != nil:
		return nil, err
	}
	return nil, asReadOnly(path, fmt.Errorf("lock %s: %w", path, err))
}

// held is the error where another process has the lock on a file of ours.
func (r *Repo) held(path string) error {
	held := &LockedError{Path: path}
	if holder := r.readTurn().holder; holder.id != 0 {
		held.Holder = holder.String()
	}
	return held
}

// reftableLock gives the lock of the refs in a git directory where they are in a
// reftable. A linked worktree has one for itself, with its HEAD, whose log tells of
// the ref too if the ref is checked out there.
func reftableLock(gitDir string) string {
	return filepath.Join(gitDir, "reftable", "tables.list.lock")
}

// Checksum tells a file that git plan keeps for itself from one that was cut
// short or damaged. It is no safeguard against whoever means to deceive.
func Checksum(text string) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 16)
}
