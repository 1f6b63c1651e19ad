package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// Updated tells, by path, when each of the wanted plans last changed: the
// author date of the newest commit along first parents that touched its
// folder. A table of what is known is kept for the newest tip that was asked
// about, so that only commits since then are looked at. Where history is
// damaged so that git cannot tell, nobody knows: that is no reason to show
// nothing of the plans.
func (s *Snapshot) Updated(ctx context.Context, wanted []Location) (map[string]time.Time, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	known := changeTimes{At: map[string]time.Time{}}
	caches{s.repo}.read("updated", &known)
	table, changed := known.At, known.Commit != s.Commit
	if changed {
		var err error
		if table, err = s.advance(ctx, known.Commit, table); err != nil {
			return nil, ctx.Err()
		}
	}
	missing := map[string]bool{}
	for _, l := range wanted {
		if _, ok := table[l.Path]; !ok {
			missing[l.Path] = true
		}
	}
	if len(missing) > 0 {
		changed = true
		_, err := s.lastChanges(ctx, s.Commit, "", func(path string, at time.Time) bool {
			if missing[path] {
				table[path] = at
				delete(missing, path)
			}
			return len(missing) > 0
		})
		if err != nil {
			return table, ctx.Err()
		}
	}
	if changed {
		caches{s.repo}.write("updated", changeTimes{s.Commit, table})
	}
	return table, nil
}

// advance brings a table from an older commit to this one. From one on another line of
// history, nothing of it is known to hold.
func (s *Snapshot) advance(ctx context.Context, from string, table map[string]time.Time) (map[string]time.Time, error) {
	if from == "" {
		return map[string]time.Time{}, nil
	}
	newer := map[string]time.Time{}
	visit := func(path string, at time.Time) bool {
		if _, ok := newer[path]; !ok {
			newer[path] = at
		}
		return true
	}
	met := from
	var err error
	if steps, dates := s.since(ctx, from); len(steps) > 0 {
		_, err = s.touched(ctx, steps, dates, visit)
	} else {
		met, err = s.lastChanges(ctx, s.Commit, from, visit)
	}
	if err != nil || met != from {
		return map[string]time.Time{}, ctx.Err()
	}
	maps.Copy(table, newer)
	return table, nil
}

// since gives the commits along first parents that were made on top of an older
// one, newest first, with their authors' dates. It gives nothing where the older
// one is not among the few before this: to look for it is then git's work, which
// for a few commits would take most of the time.
func (s *Snapshot) since(ctx context.Context, older string) (steps []gitstore.Step, dates []time.Time) {
	const few = 8
	for name := s.Commit; name != older; name = steps[len(steps)-1].Parent {
		c, err := s.repo.Store.Commit(ctx, name)
		if err != nil || len(c.Parents) == 0 || len(steps) == few {
			return nil, nil
		}
		steps, dates = append(steps, gitstore.Step{Commit: name, Parent: c.Parents[0]}), append(dates, c.Author.When.UTC())
	}
	return steps, dates
}

// lastChanges visits the plan folders that commits touched, newest commit
// first, along first parents from one until visit has seen enough, or what leads
// to another one begins: it gives the commit there, or "" where history began.
// No more is compared than the folders of plans themselves: what is in them may
// be without bounds.
func (s *Snapshot) lastChanges(ctx context.Context, from, until string, visit func(path string, at time.Time) bool) (met string, err error) {
	// What a person's configuration may add to a log is turned off.
	args := []string{"log", "--first-parent", "--no-show-signature", "--no-patch", "--format=%H %at %P", "--end-of-options", from}
	if until != "" {
		args = append(args, "^"+until)
	}
	child, err := s.repo.Git.Start(ctx, args...)
	if err != nil {
		return "", err
	}
	met = from
	const most = 1024
	for portion := 16; ; portion = min(2*portion, most) { // most often the newest part of history is enough
		steps, dates := []gitstore.Step(nil), []time.Time(nil)
		for len(steps) < portion {
			line, err := child.Stdout.ReadString('\n')
			if err != nil {
				break // the end, or a failure, of which Close tells
			}
			step, at := parseDated(line)
			steps, dates, met = append(steps, step), append(dates, at), step.Parent
		}
		more, err := s.touched(ctx, steps, dates, visit)
		switch {
		case err != nil || !more:
			child.Kill()
			_ = child.Close()
			return "", err
		case len(steps) < portion:
			return met, child.Close()
		}
	}
}

// parseDated reads "<commit> <seconds> <parents>", which git printed.
func parseDated(line string) (gitstore.Step, time.Time) {
	fields := append(strings.Fields(line), "", "", "")
	seconds, _ := strconv.ParseInt(fields[1], 10, 64)
	return gitstore.Step{Commit: fields[0], Parent: fields[2]}, time.Unix(seconds, 0).UTC()
}

// touched visits the plan folders that a portion of history touched; it tells
// whether visit wants more.
func (s *Snapshot) touched(ctx context.Context, steps []gitstore.Step, dates []time.Time, visit func(string, time.Time) bool) (more bool, err error) {
	all, err := s.repo.Store.Differences(ctx, steps)
	if err != nil {
		return false, err
	}
	for i, differences := range all {
		expanded, err := changes{s.repo}.expand(ctx, differences)
		if err != nil {
			return false, err
		}
		seen := func(d gitstore.Difference) bool {
			ofPlan := planAt(d.Path) != "" && (d.Old.IsFolder() || d.New.IsFolder())
			return !ofPlan || visit(d.Path, dates[i])
		}
		if slices.ContainsFunc(expanded, func(d gitstore.Difference) bool { return !seen(d) }) {
			return false, nil
		}
	}
	return true, nil
}
