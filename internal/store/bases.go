package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/git"
)

// crossing remembers where two commits met last: a merge that is made is judged
// next.
type crossing struct {
	mu    sync.Mutex
	of    [2]string
	bases []string
}

// forget makes that be asked again: there is more of history now.
func (c *crossing) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of = [2]string{}
}

// bases gives the commits that one commit and the merge of others went on from,
// none where they have nothing in common. The order does not depend on which of
// two sides asks.
func (r *Repo) bases(ctx context.Context, commits ...string) ([]string, error) {
	two := len(commits) == 2
	var of [2]string
	if two {
		of = [2]string{min(commits[0], commits[1]), max(commits[0], commits[1])}
		r.crossing.mu.Lock()
		defer r.crossing.mu.Unlock()
		if r.crossing.of == of {
			return r.crossing.bases, nil
		}
	}
	out, err := r.Git.Read(ctx, append([]string{"merge-base", "--all"}, commits...)...)
	if err != nil && git.Status(err) != 1 {
		return nil, fmt.Errorf("find what a merge began from: %w", err)
	}
	bases := strings.Fields(string(out))
	slices.Sort(bases)
	if two && len(bases) > 0 { // more of a history that is cut off may come
		r.crossing.of, r.crossing.bases = of, bases
	}
	return bases, nil
}

// IsAside reports whether a commit is not on the line of first parents that leads to
// the tip: it came in by a merge, if at all. Of one that is further back than anybody
// works from, nobody asks.
func (r *Repo) IsAside(ctx context.Context, tip, commit string) (bool, error) {
	const furthest = 1000 // commits
	at := tip
	for range furthest {
		if at == commit {
			return false, nil
		}
		c, err := r.Store.Commit(ctx, at)
		if err != nil {
			return false, ctx.Err() // cut off, as in a shallow clone: nobody can tell
		}
		if len(c.Parents) == 0 {
			return true, nil
		}
		at = c.Parents[0]
	}
	return false, nil
}
