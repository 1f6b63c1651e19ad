package planrepo

import (
	"context"
	"errors"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"
)

// Updated tells, by path, when each of the wanted plans last changed: the
// author date of the newest commit along first parents that touched its
// folder. A table of what is known is kept for the newest tip that was asked
// about, so that only commits since then are looked at.
func (s *Snapshot) Updated(ctx context.Context, wanted []Location) (map[string]time.Time, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	commit, table := s.repo.readUpdated()
	changed := false
	if commit != s.Commit {
		var err error
		if table, err = s.advance(ctx, commit, table); err != nil {
			return nil, err
		}
		changed = true
	}
	missing := map[string]bool{}
	for _, l := range wanted {
		if _, ok := table[l.Path]; !ok {
			missing[l.Path] = true
		}
	}
	if len(missing) > 0 {
		changed = true
		err := s.lastChanges(ctx, []string{s.Commit}, func(path string, at time.Time) bool {
			if missing[path] {
				table[path] = at
				delete(missing, path)
			}
			return len(missing) > 0
		})
		if err != nil {
			return nil, err
		}
	}
	if changed {
		s.repo.writeUpdated(s.Commit, table)
	}
	return table, nil
}

// advance brings a table from an older commit to this one. A table of a commit
// that is no ancestor tells nothing.
func (s *Snapshot) advance(ctx context.Context, from string, table map[string]time.Time) (map[string]time.Time, error) {
	if from == "" {
		return map[string]time.Time{}, nil
	}
	if _, err := s.repo.Git.Read(ctx, "merge-base", "--is-ancestor", from, s.Commit); err != nil {
		return map[string]time.Time{}, ctx.Err()
	}
	newer := map[string]time.Time{}
	err := s.lastChanges(ctx, []string{s.Commit, "^" + from}, func(path string, at time.Time) bool {
		if _, ok := newer[path]; !ok {
			newer[path] = at
		}
		return true
	})
	maps.Copy(table, newer)
	return table, err
}

// lastChanges visits the plan folders that commits touched, newest commit
// first, until visit has seen enough.
func (s *Snapshot) lastChanges(ctx context.Context, revs []string, visit func(path string, at time.Time) bool) error {
	// What a person's configuration may add to a log is turned off.
	args := []string{"log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--no-relative",
		"--no-show-signature", "--no-ext-diff", "--name-only", "-z", "--format=%x01%at", "--end-of-options"}
	child, err := s.repo.Git.Start(ctx, append(args, revs...)...)
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended { // most often the newest part of history is enough
			child.Kill()
			child.Close()
		}
	}()
	var at time.Time
	last := ""
	for {
		field, err := child.Stdout.ReadString(0)
		if errors.Is(err, io.EOF) {
			ended = true
			return child.Close()
		}
		if err != nil {
			return err
		}
		field = strings.Trim(field, "\x00\n")
		if seconds, ok := strings.CutPrefix(field, "\x01"); ok {
			n, _ := strconv.ParseInt(seconds, 10, 64) // git printed it
			at, last = time.Unix(n, 0).UTC(), ""
			continue
		}
		folder := planFolder(field)
		if folder == last {
			continue
		}
		if last = folder; folder != "" && !visit(folder, at) {
			return nil
		}
	}
}

// planFolder gives the folder of the plan that a path is in.
func planFolder(p string) string {
	parts := strings.SplitN(p, "/", 4)
	switch {
	case parts[0] == Archive && len(parts) == 4:
		return strings.Join(parts[:3], "/")
	case len(parts) > 1:
		return parts[0]
	}
	return ""
}
