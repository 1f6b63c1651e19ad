package store

import (
	"context"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// FindChange gives the newest commit that carries a change, among those that lead to
// one commit and not to another, which may be empty. It is "" where none does.
func (r *Repo) FindChange(ctx context.Context, tip, since, change string) (string, error) {
	args := []string{"log", "-1", "--no-show-signature", "--no-patch", "--format=%H", "--basic-regexp", "--grep=^" + trailerChange + ": " + strings.ReplaceAll(change, ".", "[.]") + "$", "--end-of-options", tip}
	if since != "" {
		args = append(args, "^"+since)
	}
	out, err := r.Git.Read(ctx, append(args, "--")...)
	return strings.TrimSpace(string(out)), err
}

// ChangeOf gives the identity of the change that a commit makes, "" where it has none.
func (r *Repo) ChangeOf(ctx context.Context, commit string) (string, error) {
	c, err := r.Store.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	return trailer(c.Message, trailerChange), nil
}

// ForkPoint gives the commit from where two commits went on, "" where they have none
// in common or one is not here.
func (r *Repo) ForkPoint(ctx context.Context, a, b string) (string, error) {
	const near = 64 // commits, which are looked through faster than git starts
	for at, n := b, 0; n < near; n++ {
		if at == a {
			return a, nil
		}
		c, err := r.Store.Commit(ctx, at)
		if err != nil || len(c.Parents) != 1 {
			break
		}
		at = c.Parents[0]
	}
	out, err := r.Git.Read(ctx, "merge-base", "--end-of-options", a, b)
	if status := git.Status(err); status == 1 || status == 128 {
		return "", ctx.Err()
	}
	return strings.TrimSpace(string(out)), err
}

// Changed reports whether a commit changed a plan against its first parent.
func (r *Repo) Changed(ctx context.Context, commit, id string) (bool, error) {
	c, err := r.Store.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	now, err := r.At(ctx, commit)
	if err != nil {
		return false, err
	}
	before := &Snapshot{repo: r}
	if len(c.Parents) > 0 {
		if before, err = r.At(ctx, c.Parents[0]); err != nil {
			return false, err
		}
	}
	return now.plans[id].Object != before.plans[id].Object, nil
}

// ParkedPrefix is where unpublished commits are kept that could not be replayed, by
// their change.
const ParkedPrefix = "refs/plan/parked/"

// Unpark removes the ref of a change that was parked, if there is one.
func (r *Repo) Unpark(ctx context.Context, change string) error {
	ref := ParkedPrefix + change
	if _, err := r.Store.TipOf(ctx, ref); err != nil {
		return nil // nothing was parked
	}
	_, err := r.Git.Write(ctx, nil, "update-ref", "-d", ref)
	return err
}
