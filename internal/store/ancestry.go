package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
)

// Ancestry tells which commits lead to which, and what they have in common.
type Ancestry struct{ repo *Repo }

// Ancestry is that of the commits in the repository.
func (r *Repo) Ancestry() Ancestry { return Ancestry{r} }

// FindChange gives the newest commit that carries a change, among those that lead to
// one commit and not to another, which may be empty. It is "" where none does.
func (a Ancestry) FindChange(ctx context.Context, tip, since, change string) (string, error) {
	args := []string{"log", "-1", "--no-show-signature", "--no-patch", "--format=%H", "--basic-regexp", "--grep=^" + trailerChange + ": " + strings.ReplaceAll(change, ".", "[.]") + "$", "--end-of-options", tip}
	if since != "" {
		args = append(args, "^"+since)
	}
	out, err := a.repo.Git.Read(ctx, append(args, "--")...)
	return strings.TrimSpace(string(out)), err
}

// changes gives the identities of the changes that one commit's history has and
// another's has not.
func (a Ancestry) changes(ctx context.Context, tip, without string) (map[string]bool, error) {
	lineages, err := a.repo.Store.Between(ctx, tip, without)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, l := range lineages {
		c, err := a.repo.Store.Commit(ctx, l.Commit)
		if err != nil {
			return nil, err
		}
		for _, id := range changesOf(c.Name, c.Message) {
			ids[id] = true
		}
	}
	return ids, nil
}

// merges gives the merges between two commits, the oldest first.
func (a Ancestry) merges(ctx context.Context, from, to string) ([]string, error) {
	if from == to {
		return nil, nil
	}
	out, err := a.repo.Git.Read(ctx, "rev-list", "--merges", "--ancestry-path", "--reverse", "--end-of-options", to, "^"+from)
	return strings.Fields(string(out)), err
}

// Fork gives the commit from which two went on, "" where they have nothing in common.
// Of several that would do it is one. Where history is cut off before it shows that,
// the error is a *[CutOffError].
func (a Ancestry) Fork(ctx context.Context, one, other string) (string, error) {
	for _, of := range [][2]string{{one, other}, {other, one}} {
		if _, near := a.steps(ctx, of[0], of[1]); near {
			return of[1], nil
		}
	}
	bases, err := a.bases(ctx, one, other)
	if err != nil {
		return "", err
	}
	if err := a.mustBeWhole(ctx, []string{one, other}, bases); err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// steps gives how many commits a commit has on top of another one; ok is false where that
// is not among its last first parents. They are looked through faster than git starts.
// With a merge among them their number is not known, and negative.
func (a Ancestry) steps(ctx context.Context, tip, commit string) (n int, ok bool) {
	const near = 32
	merged := false
	for ; n < near; n++ {
		if tip == commit && merged {
			return -1, true
		}
		if tip == commit {
			return n, true
		}
		c, err := a.repo.Store.Commit(ctx, tip)
		if err != nil || len(c.Parents) == 0 {
			return 0, false // cut off, or the first one
		}
		tip, merged = c.Parents[0], merged || len(c.Parents) > 1
	}
	return 0, false
}

// bases gives the commits that one commit and the merge of others went on from,
// none where they have nothing in common.
func (a Ancestry) bases(ctx context.Context, commits ...string) ([]string, error) {
	out, err := a.repo.Git.Read(ctx, slices.Concat([]string{"merge-base", "--all", "--end-of-options"}, commits)...)
	if err != nil && git.Status(err) != 1 {
		return nil, fmt.Errorf("find from where commits went on: %w", err)
	}
	bases := strings.Fields(string(out))
	slices.Sort(bases)
	return bases, nil
}

// areRelated reports whether two commits have more in common than the commit that
// every store begins with. One that goes on from the other has.
func (a Ancestry) areRelated(ctx context.Context, bases []string, one, other string) (bool, error) {
	for _, base := range bases {
		if base == one || base == other {
			return true, nil
		}
		c, err := a.repo.Store.Commit(ctx, base)
		if err != nil || len(c.Parents) > 0 {
			return err == nil, err
		}
	}
	return len(bases) == 0 && a.isCutOff(), nil // a server has the whole history
}

// parent gives the first parent of a commit, or "".
func (a Ancestry) parent(ctx context.Context, commit string) (string, error) {
	c, err := a.repo.Store.Commit(ctx, commit)
	if err != nil || len(c.Parents) == 0 {
		return "", err
	}
	return c.Parents[0], nil
}

// IsAside reports whether a commit is not on the line of first parents that leads to
// the tip: it came in by a merge, if at all. Of one that is further back than anybody
// works from, nobody asks.
func (a Ancestry) IsAside(ctx context.Context, tip, commit string) (bool, error) {
	const furthest = 1000 // commits
	for range furthest {
		if tip == commit {
			return false, nil
		}
		c, err := a.repo.Store.Commit(ctx, tip)
		if err != nil {
			return false, ctx.Err() // cut off, as in a shallow clone: nobody can tell
		}
		if len(c.Parents) == 0 {
			return true, nil
		}
		tip = c.Parents[0]
	}
	return false, nil
}

// CutOffError is returned where history is cut off, as in a shallow clone, before
// it shows what two states of the store have in common.
type CutOffError struct {
	// Remote is where the rest may be, "" if there is none.
	Remote string
	// Commit is where history is cut off.
	Commit string
}

func (e *CutOffError) Error() string {
	return fmt.Sprintf("history is cut off here at %.12s, so that what the two states of the plans have in common is not known: run `%s` first",
		e.Commit, strings.TrimSpace("git fetch --unshallow "+e.Remote))
}

// isCutOff reports whether some history is cut off here, as in few repositories.
func (a Ancestry) isCutOff() bool {
	_, err := os.Stat(filepath.Join(a.repo.CommonDir, "shallow"))
	return err == nil
}

// mustBeWhole makes sure that what some commits have in common is bases and nothing
// later, which may not be here.
func (a Ancestry) mustBeWhole(ctx context.Context, commits, bases []string) error {
	if !a.isCutOff() {
		return nil
	}
	out, err := a.repo.Git.Read(ctx, slices.Concat([]string{"rev-list", "--max-parents=0"}, commits, []string{"--not"}, bases)...)
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(out)) {
		c, err := a.repo.Store.Commit(ctx, name)
		if err != nil {
			return err
		}
		if len(c.Parents) > 0 { // to git, history begins where it is cut off
			return &CutOffError{Remote: a.repo.Remote(), Commit: name}
		}
	}
	return nil
}

// logged is a value that a ref had, and the reason why it got that.
type logged struct{ commit, reason string }

// reflog gives at most so many values of a ref, the newest first; none where git
// remembers none.
func reflog(ctx context.Context, r *Repo, ref string, most int) (all []logged) {
	out, err := r.Git.Read(ctx, "log", "--walk-reflogs", "--no-show-signature", "--no-color", "--no-patch", "--max-count="+strconv.Itoa(most), "--format=%H %gs", ref, "--")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(out)) {
		commit, reason, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all = append(all, logged{commit, reason})
	}
	return all
}

// passed reports whether all of some commits were landed here, each on the one before:
// then the gate has judged them.
func passed(ctx context.Context, r *Repo, commits []gitstore.Lineage) bool {
	landed := map[string]bool{}
	for _, l := range reflog(ctx, r, r.Ref, 2*len(commits)+100) {
		landed[l.commit] = landed[l.commit] || l.reason == landReason
	}
	return !slices.ContainsFunc(commits, func(l gitstore.Lineage) bool { return len(l.Parents) != 1 || !landed[l.Commit] })
}
