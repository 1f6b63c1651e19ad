package reliability

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Many processes write at once, half of them different tasks of one plan, half
// a plan of their own, while native git commits code, moves the plans' branch,
// packs refs and collects garbage: each acknowledged write is in the history,
// once.
func TestCrowd(t *testing.T) {
	for _, tt := range []struct {
		name          string
		make          func(*testing.T) *gittest.Repo
		writers, each int
	}{
		{"files", begun(), scale(8, 32), scale(10, 100)},
		{"reftable", begunReftable, scale(4, 16), scale(5, 50)},
		{"sha256", begun("--object-format=sha256"), scale(4, 16), scale(5, 50)},
		{"plans checked out", withPlansOut, scale(4, 16), scale(5, 50)},
	} {
		t.Run(tt.name, func(t *testing.T) { gather(t, tt.make(t), tt.writers).work(tt.each) })
	}
}

// begun makes a repository with a store, on the present clock: garbage
// collection drops what is logged of refs long ago.
func begun(args ...string) func(*testing.T) *gittest.Repo {
	return func(t *testing.T) *gittest.Repo {
		p := at(t, gittest.New(t, gittest.Init(args...)).With("GIT_AUTHOR_DATE=", "GIT_COMMITTER_DATE="))
		p.must("init")
		return p.Repo
	}
}

func begunReftable(t *testing.T) *gittest.Repo {
	needs(t, "2.45", "init", "-q", "--ref-format=reftable", "x")
	return begun("--ref-format=reftable")(t)
}

func withPlansOut(t *testing.T) *gittest.Repo {
	r := begun()(t)
	r.Git("worktree", "add", "-q", "../plans", "plans")
	return r
}

// crowd is a repository in which many write.
type crowd struct {
	*place
	writers int

	mu sync.Mutex
	// acked are the commits that writers were told of, with their names; native
	// are those that git told of.
	acked, native map[string]string
	slowest       time.Duration
}

func gather(t *testing.T, r *gittest.Repo, writers int) *crowd {
	t.Helper()
	p := at(t, r)
	var own []string
	for w := range writers {
		own = append(own, fmt.Sprintf("own-%d", w))
	}
	p.draft("common", min(writers, 99), own...)
	p.Git("worktree", "add", "-q", "../code")
	return &crowd{place: p, writers: writers, acked: map[string]string{}, native: map[string]string{}}
}

// work lets every writer make so many writes.
func (c *crowd) work(each int) {
	c.t.Helper()
	begun := time.Now()
	ctx, stop := context.WithCancel(c.t.Context())
	var writers, others sync.WaitGroup
	for _, loop := range []func(context.Context){c.commitCode, c.movePlans, c.packRefs, c.collect} {
		others.Go(func() { loop(ctx) })
	}
	for w := range c.writers {
		writers.Go(func() { c.write(w, each) })
	}
	writers.Wait()
	stop()
	others.Wait()
	c.t.Logf("%d of %d writes acknowledged in %v, the slowest in %v, %d native commits beside",
		len(c.acked), c.writers*each, time.Since(begun).Round(time.Millisecond), c.slowest.Round(time.Millisecond), len(c.native))
	c.settle(each)
}

// write starts and releases one task, again and again. Nothing refuses it.
func (c *crowd) write(w, each int) {
	task := fmt.Sprintf("common/t%d", w+1)
	if w%2 == 1 {
		task = fmt.Sprintf("own-%d/t1", w)
	}
	name := fmt.Sprintf("writer-%d", w)
	verbs := []string{"start", "release"}
	for done := range each {
		begun := time.Now()
		a := runProgram(c.place, "task", verbs[done%2], task, "--agent", name)
		c.took(time.Since(begun))
		if a.exit != 0 {
			c.t.Errorf("%s: write %d: status %d: %s%s", name, done, a.exit, a.stdout, a.said)
			return
		}
		c.note(c.acked, a.get("commit"), name)
	}
}

// took keeps how long the slowest write was under way.
func (c *crowd) took(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slowest = max(c.slowest, d)
}

// runProgram runs git-plan itself, without git before it.
func runProgram(p *place, args ...string) answer {
	cmd := exec.Command("git-plan", append(args, "--json")...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	a := answered(string(out), err)
	a.said += said.String()
	return a
}

func (c *crowd) note(in map[string]string, commit, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other, ok := in[commit]; ok || commit == "" {
		c.t.Errorf("commit %q of %s was acknowledged to %s before", commit, name, other)
	}
	in[commit] = name
}

// commitCode commits with git in a worktree of another branch.
func (c *crowd) commitCode(ctx context.Context) {
	code := c.At(filepath.Join(filepath.Dir(c.Dir), "code"))
	for i := 0; ctx.Err() == nil; i++ {
		if _, err := code.TryGit("commit", "-q", "--allow-empty", "-m", fmt.Sprint("code ", i)); err == nil {
			c.note(c.native, code.Git("rev-parse", "HEAD"), "code")
		}
		pause(ctx, 250)
	}
}

// movePlans adds commits to the plans' branch by plumbing.
func (c *crowd) movePlans(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		tip := c.tip()
		next, err := c.TryGit("commit-tree", "-p", tip, "-m", fmt.Sprint("native ", i), tip+"^{tree}")
		if err != nil { // gc may have taken away the folder it was about to write to
			continue
		}
		if _, err := c.TryGit("update-ref", "-m", "native", "refs/heads/plans", next, tip); err == nil {
			c.note(c.native, next, "plans")
		}
		pause(ctx, 250)
	}
}

func (c *crowd) packRefs(ctx context.Context) {
	for ctx.Err() == nil {
		_, _ = c.TryGit("pack-refs", "--all")
		pause(ctx, 250)
	}
}

// collect collects garbage. Git may begin to do so by itself after a commit, and
// the one then be in the way of the other.
func (c *crowd) collect(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := c.TryGit("gc", "-q"); err != nil {
			c.t.Logf("gc: %v", err)
		}
		pause(ctx, 1500)
	}
}

// pause waits some milliseconds, on average half of most.
func pause(ctx context.Context, most int) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(rand.N(most)) * time.Millisecond):
	}
}

// settle looks for every acknowledged commit in the history, and for commits
// nobody was told of.
func (c *crowd) settle(each int) {
	c.t.Helper()
	if want := c.writers * each; len(c.acked) != want {
		c.t.Errorf("%d writes were acknowledged, of %d", len(c.acked), want)
	}
	there := map[string]string{}
	for line := range strings.Lines(c.Git("log", "--format=%H %(trailers:key=Plan-Agent,valueonly,separator=)", "plans") + "\n") {
		commit, agent, _ := strings.Cut(strings.TrimSpace(line), " ")
		there[commit] = agent
		if _, ok := c.acked[commit]; !ok && strings.HasPrefix(agent, "writer-") {
			c.t.Errorf("commit %s of %s was not acknowledged", commit, agent)
		}
	}
	var lost []string
	for commit, name := range c.acked {
		if there[commit] != name {
			lost = append(lost, commit+" of "+name)
		}
	}
	code := c.Git("rev-list", "code")
	for commit, branch := range c.native {
		if _, ok := there[commit]; branch == "plans" && !ok || branch == "code" && !strings.Contains(code, commit) {
			lost = append(lost, commit+" of native git on "+branch)
		}
	}
	c.blame(lost)
	c.fsck()
}

// blame tells who overwrote what was lost. Native git may: its own look at
// packed-refs can be out of date by a moment. Git plan may not.
func (c *crowd) blame(lost []string) {
	c.t.Helper()
	culprits := c.overwriting()
	native := !slices.ContainsFunc(culprits, func(reason string) bool { return reason != "native" })
	switch {
	case len(lost) == 0:
	case native && len(lost) <= len(culprits):
		c.t.Logf("native git overwrote: %q", lost)
	default:
		c.t.Errorf("lost: %q; the branch was overwritten by %q", lost, culprits)
	}
}

// overwriting gives the reasons of those moves of the plans' branch that did
// not begin where the one before had ended.
func (c *crowd) overwriting() (reasons []string) {
	moves := strings.Split(c.Git("log", "-g", "--format=%H %P,%gs", "plans"), "\n")
	for i := 0; i+1 < len(moves); i++ {
		names, reason, _ := strings.Cut(moves[i], ",")
		before, _, _ := strings.Cut(moves[i+1], " ")
		if !strings.HasSuffix(names, " "+before) {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}
