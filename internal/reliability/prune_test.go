package reliability

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// One writer goes on while `git gc --prune=now` runs again and again, which
// takes away also what was written a moment ago and no ref names yet: each
// acknowledged commit is there, with all it holds.
func TestPruned(t *testing.T) {
	for _, tt := range []struct {
		name    string
		make    func(*testing.T) *gittest.Repo
		commits int
	}{
		{"files", begun(), scale(20, 500)},
		{"sha256", begun("--object-format=sha256"), scale(10, 500)},
		{"reftable", begunReftable, scale(10, 500)},
	} {
		t.Run(tt.name, func(t *testing.T) { newPruned(t, tt.make(t)).run(tt.commits) })
	}
}

// pruned is a repository of which git takes away what it can.
type pruned struct {
	*place
	acked []string
	swept int // how often it did
}

func newPruned(t *testing.T, r *gittest.Repo) *pruned {
	t.Helper()
	p := &pruned{place: at(t, r)}
	p.draft("work", 4)
	return p
}

// run makes so many commits. One that git pruned from under us may be refused,
// and then did not land; the next one must.
func (p *pruned) run(commits int) {
	p.t.Helper()
	begun := time.Now()
	ctx, stop := context.WithCancel(p.t.Context())
	var sweeper sync.WaitGroup
	sweeper.Go(func() { p.sweep(ctx) })
	verbs := []string{"start", "release"}
	for i := 0; i < commits && !p.t.Failed(); i++ {
		a := runProgram(p.place, "task", verbs[i%2], "work/t1", "--agent", "ann")
		if a.exit != 0 {
			p.t.Errorf("commit %d: status %d: %s%s", i, a.exit, a.stdout, a.said)
			break
		}
		p.acked = append(p.acked, a.get("commit"))
	}
	stop()
	sweeper.Wait()
	p.settle()
	p.t.Logf("%d commits beside %d of git gc --prune=now in %v", len(p.acked), p.swept, time.Since(begun).Round(time.Millisecond))
}

func (p *pruned) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		if out, err := p.TryGit("gc", "-q", "--prune=now"); err != nil {
			p.t.Logf("gc: %v %s", err, out)
		}
		p.swept++
	}
}

// settle reads all that was acknowledged, in order.
func (p *pruned) settle() {
	p.t.Helper()
	p.fsck()
	history, err := p.TryGit("rev-list", "--objects", "plans")
	if err != nil {
		p.t.Fatalf("the history cannot be read: %v", err)
	}
	var there []string
	for _, commit := range p.acked {
		if strings.Contains(history, commit) {
			there = append(there, commit)
		}
	}
	if !slices.Equal(there, p.acked) {
		p.t.Errorf("%d of %d acknowledged commits are in the history", len(there), len(p.acked))
	}
	if healthy := p.must("doctor").get("healthy"); healthy != "true" {
		p.t.Errorf("doctor: %s", healthy)
	}
}
