package gitstore

import (
	"context"
	"strings"
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
	return s.Maintain(ctx)
}
