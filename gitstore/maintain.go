package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Maintain lets git tidy the repository if that is due. It returns at once; the
// work goes on in the background, its output discarded.
func (s *Store) Maintain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.repo.Git.Detach(s.repo.durable(ctx, "maintenance", "run", "--auto", "--quiet")...)
}

// MaintainNowAndThen is for after each write, as git's plumbing never tidies by
// itself: it is [Store.Maintain] after one commit in 256, as its name has it. Where
// gc.auto or maintenance.auto turn that off it does nothing. A failure is no reason to
// worry: what was written has landed.
func (s *Store) MaintainNowAndThen(ctx context.Context, commit string) error {
	if !strings.HasPrefix(commit, "00") {
		return nil
	}
	config, err := s.repo.Config(ctx)
	if err != nil {
		return err
	}
	auto, err := config.Bool("maintenance.auto", true)
	if limit, _ := config.Get("gc.auto"); err != nil || !auto || limit == "0" || strings.HasPrefix(limit, "-") {
		return err
	}
	s.tidy()
	return s.Maintain(ctx)
}

// keepMessage begins the .keep files of packs that git plan writes; the id of
// the process follows.
const keepMessage = "git-plan "

// tidy removes what killed processes left: .keep files, with which git would pack
// nothing anew, and temporary files of an hour ago.
func (s *Store) tidy() {
	keeps, _ := filepath.Glob(filepath.Join(s.repo.objectDir(), "pack", "*.keep"))
	for _, path := range keeps {
		if maker := processOf(ownKeep(path)); maker.id != 0 && !maker.isRunning() {
			_ = os.Remove(path) // it costs space only
		}
	}
	own := filepath.Base(s.repo.dir())
	for _, dir := range append(s.repo.gitDirs(), s.repo.dir()) {
		for _, below := range []string{own, "cache"} {
			entries, _ := os.ReadDir(filepath.Join(dir, below))
			for _, e := range entries {
				if info, err := e.Info(); err == nil && isOwnTemporary(e.Name()) && time.Since(info.ModTime()) > time.Hour {
					_ = os.RemoveAll(filepath.Join(dir, below, e.Name()))
				}
			}
		}
	}
}

// isOwnTemporary reports whether git plan gives files of that name to what it
// is about to put in place.
func isOwnTemporary(name string) bool {
	digits := ""
	for _, mark := range []string{"agent-", "told-", "tree-", ".tmp"} {
		if before, rest, found := strings.Cut(name, mark); found && (before == "") == strings.HasSuffix(mark, "-") {
			digits = rest
		}
	}
	return strings.HasSuffix(name, ".new") || digits != "" && strings.Trim(digits, "0123456789") == ""
}

// ownKeep gives the process that wrote a .keep file of git plan's, or 0 for
// any other file. Nobody else's is ever touched: a person may have kept a pack.
func ownKeep(path string) int {
	if !strings.HasSuffix(path, ".keep") {
		return 0
	}
	text, err := os.ReadFile(path)
	digits, ok := strings.CutPrefix(strings.TrimSpace(string(text)), keepMessage)
	id, bad := strconv.Atoi(digits)
	if err != nil || !ok || bad != nil || id < 1 {
		return 0
	}
	return id
}
