package reliability

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Many push to one branch of one server at the same moment, by turns what is
// valid and what is not: one wins each time, the others are told to come again,
// and nothing invalid lands. Proposals are nobody's but one's own, and all land.
func TestManyPushes(t *testing.T) {
	t.Parallel()
	pushers, rounds := scale(4, 16), scale(2, 10)
	c := newCrush(t, pushers)
	begun := time.Now()
	var all sync.WaitGroup
	for i := range pushers {
		all.Go(func() { c.push(i, rounds) })
	}
	all.Wait()
	t.Logf("%d pushers landed %d commits and %d proposals; %d came too late, %d were refused as invalid, in %v",
		pushers, len(c.landed), c.proposed, c.late, c.invalid, time.Since(begun).Round(time.Millisecond))
	c.settle(pushers * rounds)
}

// crush is a server that many push to.
type crush struct {
	*place
	clones []*gittest.Repo
	root   string

	mu                      sync.Mutex
	landed                  []string
	late, invalid, proposed int
	last                    time.Time // that somebody's commit landed
}

func newCrush(t *testing.T, pushers int) *crush {
	t.Helper()
	p := at(t, begun()(t))
	var own []string
	for i := 1; i < pushers; i++ {
		own = append(own, fmt.Sprintf("own-%d", i))
	}
	p.draft("own-0", 2, own...)
	bare := p.Clone(t, "--bare")
	bare.Git("remote", "remove", "origin")
	c := &crush{place: at(t, bare), root: p.tip(), last: time.Now()}
	c.must("hooks", "install")
	for range pushers {
		c.clones = append(c.clones, bare.Clone(t, "--no-checkout"))
	}
	return c
}

// push pushes an invalid change, a proposal and a valid change in each round.
func (c *crush) push(i, rounds int) {
	r := c.clones[i]
	for round := range rounds {
		body := fmt.Sprintf("---\ntitle: own-%d\n---\n\nRound %d.\n", i, round)
		for {
			base := strings.Fields(r.Git("ls-remote", "origin", "refs/heads/plans"))[0]
			r.Git("fetch", "-q", "origin", base)
			bad := graft(r, base, fmt.Sprintf("own-%d/tasks/02-t2.md", i), "---\nid: t1\n---\n\nTwice.\n")
			c.expectRefused(r, bad)
			good := graft(r, base, fmt.Sprintf("own-%d/plan.md", i), body)
			if _, err := r.TryGit("push", "-q", "origin", good+":refs/heads/plans"); err == nil {
				c.count(func() { c.landed, c.last = append(c.landed, good), time.Now() })
				c.propose(r, good, i, round)
				break
			} else if strings.Contains(err.Error(), "does not pass") || c.isStuck() {
				c.t.Errorf("a valid commit is refused: %v", err)
				return
			}
			c.count(func() { c.late++ })
		}
	}
}

// isStuck reports whether nobody's commit landed for long. Native git gives no turns: it
// is somebody else's each time, if it is long until one's own.
func (c *crush) isStuck() (stuck bool) {
	c.count(func() { stuck = time.Since(c.last) > 5*time.Minute })
	return stuck
}

func (c *crush) count(what func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	what()
}

// expectRefused pushes what must not land, whether others were first or not.
func (c *crush) expectRefused(r *gittest.Repo, bad string) {
	_, err := r.TryGit("push", "-q", "origin", bad+":refs/heads/plans")
	switch {
	case err == nil:
		c.t.Errorf("the server took %s, which is invalid", bad)
	case strings.Contains(err.Error(), "does not pass"):
		c.count(func() { c.invalid++ })
	}
}

func (c *crush) propose(r *gittest.Repo, commit string, i, round int) {
	if _, err := r.TryGit("push", "-q", "origin", fmt.Sprintf("%s:refs/heads/proposals/own-%d-%d", commit, i, round)); err != nil {
		c.t.Errorf("a proposal is refused: %v", err)
		return
	}
	c.count(func() { c.proposed++ })
}

func (c *crush) settle(want int) {
	c.t.Helper()
	history := c.Git("rev-list", "plans")
	for _, commit := range c.landed {
		if !strings.Contains(history, commit) {
			c.t.Errorf("commit %s was acknowledged and is lost", commit)
		}
	}
	if len(c.landed) != want || c.proposed != want || c.invalid == 0 {
		c.t.Errorf("%d of %d commits landed, %d proposals; %d were refused as invalid", len(c.landed), want, c.proposed, c.invalid)
	}
	c.judged(c.root)
}
