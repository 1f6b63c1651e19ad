package planrepo

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Updated tells, by path, when each of the wanted plans last changed: the author
// date of the newest commit along first parents that touched its folder. It
// reads history only as far back as it must.
func (s *Snapshot) Updated(ctx context.Context, wanted []Location) (map[string]time.Time, error) {
	missing := map[string]bool{}
	for _, l := range wanted {
		missing[l.Path] = true
	}
	out := map[string]time.Time{}
	if len(missing) == 0 {
		return out, nil
	}
	// What a person's configuration may add to a log is turned off.
	child, err := s.repo.Git.Start(ctx, "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--no-relative",
		"--no-show-signature", "--no-ext-diff", "--name-only", "-z", "--format=%x01%at", "--end-of-options", s.Commit)
	if err != nil {
		return nil, err
	}
	defer child.Close()
	defer child.Kill() // most often the newest part of history is enough
	var at time.Time
	in := child.Stdout
	for len(missing) > 0 {
		field, err := in.ReadString(0)
		if err != nil {
			break
		}
		field = strings.Trim(field, "\x00\n")
		if seconds, ok := strings.CutPrefix(field, "\x01"); ok {
			n, _ := strconv.ParseInt(seconds, 10, 64) // git printed it
			at = time.Unix(n, 0).UTC()
			continue
		}
		folder := planFolder(field)
		if missing[folder] {
			out[folder] = at
			delete(missing, folder)
		}
	}
	return out, nil
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
