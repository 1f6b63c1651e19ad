package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/filelock"
)

// maintainPause is how long after one start the next may come.
const maintainPause = 10 * time.Minute

// Maintain lets git tidy the repository if that is due. It returns at once; the
// work goes on in the background, its output discarded.
func (s *Store) Maintain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.repo.Git.Detach(s.repo.durable(ctx, "maintenance", "run", "--auto", "--quiet")...)
}

// MaintainNowAndThen is for after each write, as git's plumbing never tidies by
// itself: it is [Store.Maintain] every ten minutes at most, by one of many writers,
// and costs one look at a file otherwise. Where gc.auto or maintenance.auto turn
// that off it does nothing. It reports whether git was started. A failure is no
// reason to worry: what was written has landed.
func (s *Store) MaintainNowAndThen(ctx context.Context) (started bool, err error) {
	path := filepath.Join(s.repo.dir(), "maintained")
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) { // the first write: there is nothing to tidy yet
		return false, s.repo.noteMaintained(path)
	}
	if err != nil || wasRecent(info) || !s.mayMaintain(ctx) {
		return false, err
	}
	unlock, err := filelock.Try(s.repo.lockPath())
	if err != nil || unlock == nil { // if another writes, the next may
		return false, err
	}
	defer unlock()
	if info, err := os.Stat(path); err != nil || wasRecent(info) {
		return false, err
	}
	if err := s.repo.noteMaintained(path); err != nil { // or every write would start one
		return false, err
	}
	return true, s.Maintain(ctx)
}

// noteMaintained brings up to date the file whose time says when git was last
// started. It is written to, which others than its owner may do, too.
func (r *Repo) noteMaintained(path string) error {
	if err := r.makeDir(); err != nil {
		return err
	}
	err := os.WriteFile(path, []byte("\n"), 0o666)
	r.Share(path)
	return err
}

// wasRecent reports whether git was started a moment ago. A time that lies
// ahead tells nothing.
func wasRecent(last fs.FileInfo) bool {
	since := time.Since(last.ModTime())
	return since >= 0 && since < maintainPause
}

// mayMaintain reports whether git's porcelain would tidy after its own writes.
func (s *Store) mayMaintain(ctx context.Context) bool {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return false
	}
	auto, err := config.Bool("maintenance.auto", true)
	limit, _ := config.Get("gc.auto")
	return err == nil && auto && limit != "0" && !strings.HasPrefix(limit, "-")
}
