package gitstore

import (
	"context"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// Fsck gives what git fsck says is damaged among the objects, or missing in the
// history of a ref, a line each. What is only unusual in the form of an object is
// left out: histories of code are full of it.
func Fsck(ctx context.Context, r *Repo, ref string) (faults []string, err error) {
	out, said, err := r.Git.ReadBoth(ctx, "fsck", "--no-progress", "--no-dangling", ref)
	if err != nil && git.Status(err) <= 0 || ctx.Err() != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out) + "\n" + said) {
		line = strings.TrimSpace(line)
		if line != "" && err != nil && !strings.HasPrefix(line, "error in ") && !strings.HasPrefix(line, "warning ") && !strings.HasPrefix(line, "notice") {
			faults = append(faults, line)
		}
	}
	return faults, nil
}
