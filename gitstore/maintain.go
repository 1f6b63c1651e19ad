package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/git-plan/git-plan/internal/filelock"
)

const (
	// maintainPause is how long after one start no other is thought of,
	// maintainAnyway how long after it the next is due whatever was written.
	maintainPause  = time.Minute
	maintainAnyway = time.Hour
	// gcAuto is git's own default of gc.auto, in loose objects.
	gcAuto = 6700
)

// Maintain lets git tidy the repository if that is due. It returns at once; the
// work goes on in the background, its output discarded.
func (s *Store) Maintain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.repo.Git.Detach(s.repo.durable(ctx, "maintenance", "run", "--auto", "--quiet")...)
}

// MaintainNowAndThen is for after each write, as git's plumbing never tidies
// by itself: it is [Store.Maintain] once an hour at most, or once a minute
// while so many loose objects lie there that git will have work to do. Where
// gc.auto or maintenance.auto turn that off it does nothing. Otherwise it costs
// one look at a file, and from a minute after the last start on one at a
// folder. It reports whether git was started. A failure is no reason to worry:
// what was written has landed.
func (s *Store) MaintainNowAndThen(ctx context.Context) (started bool, err error) {
	path := filepath.Join(s.repo.dir(), "maintained")
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) { // the first write: there is nothing to tidy yet
		return false, s.repo.noteMaintained(path)
	}
	if err != nil || !s.maintenanceDue(ctx, info) {
		return false, err
	}
	if claimed, err := s.repo.claimMaintenance(path); err != nil || !claimed {
		return false, err
	}
	return true, s.Maintain(ctx)
}

// claimMaintenance lets one of many writers that find it due start it: the one
// that gets the writers' lock at once. If another writes, the next may.
func (r *Repo) claimMaintenance(path string) (bool, error) {
	unlock, err := filelock.Try(r.lockPath())
	if err != nil || unlock == nil {
		return false, err
	}
	defer unlock()
	if info, err := os.Stat(path); err != nil || wasRecent(info) {
		return false, err
	}
	err = r.noteMaintained(path) // or every write would start one
	return err == nil, err
}

// noteMaintained brings up to date the file whose time says when git was last
// started. It is written to, which others than its owner may do, too.
func (r *Repo) noteMaintained(path string) error {
	if err := r.makeDir(); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n")
	r.Share(path)
	return errors.Join(err, file.Close())
}

// wasRecent reports whether git was started a moment ago. A time that lies
// ahead tells nothing.
func wasRecent(last fs.FileInfo) bool {
	since := time.Since(last.ModTime())
	return since >= 0 && since < maintainPause
}

// maintenanceDue reports whether git should be started, where last is the file
// that tells when it was.
func (s *Store) maintenanceDue(ctx context.Context, last fs.FileInfo) bool {
	if wasRecent(last) {
		return false
	}
	since := time.Since(last.ModTime())
	limit, wanted := s.maintenanceLimit(ctx)
	if !wanted {
		return false
	}
	return since < 0 || since >= maintainAnyway || s.repo.looseOver(limit)
}

// maintenanceLimit gives gc.auto, and whether git's porcelain would tidy after
// its own writes at all.
func (s *Store) maintenanceLimit(ctx context.Context) (limit int, wanted bool) {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return 0, false
	}
	auto, err := config.Bool("maintenance.auto", true)
	if err != nil || !auto {
		return 0, false
	}
	limit = gcAuto
	if value, ok := config.Get("gc.auto"); ok {
		if limit, err = strconv.Atoi(value); err != nil { // such as 10k
			limit = gcAuto
		}
	}
	return limit, limit > 0
}

// looseOver guesses, as git does, from one folder of 256 whether there are more
// than limit loose objects.
func (r *Repo) looseOver(limit int) bool {
	names, err := readNames(filepath.Join(r.objectDir(), "17"))
	return err == nil && len(names) > (limit+255)/256
}

// readNames lists a folder without looking at what is in it.
func readNames(dir string) ([]string, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return file.Readdirnames(-1)
}

// objectDir is where git writes objects.
func (r *Repo) objectDir() string {
	dir := r.Git.Getenv("GIT_OBJECT_DIRECTORY")
	switch {
	case dir == "":
		return filepath.Join(r.CommonDir, "objects")
	case !filepath.IsAbs(dir):
		return filepath.Join(r.Git.Dir, dir)
	}
	return dir
}
