package reliability

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Many agents claim tasks of one plan until none is left: each task is handed
// out once, whether an agent reports what it has before it asks again, or takes
// one more.
func TestClaims(t *testing.T) {
	t.Parallel()
	agents, tasks := 12, scale(40, 100)
	p := at(t, begun()(t))
	p.stock(tasks)
	d := handOut(t, agents, func(int) *place { return p })
	d.settle(p, tasks)
}

// So it is in clones that publish what they do, with one agent in each.
func TestClaimsAreShared(t *testing.T) {
	t.Parallel()
	clones, tasks := 4, scale(12, 40)
	p := at(t, begun()(t))
	p.stock(tasks)
	server := p.Clone(t, "--bare")
	server.Git("remote", "remove", "origin")
	places := make([]*place, clones)
	for i := range places {
		places[i] = at(t, server.Clone(t, "--no-checkout"))
		places[i].must("init")
		places[i].Git("config", "plan.push", "auto")
	}
	d := handOut(t, clones, func(i int) *place { return places[i] })
	d.settle(at(t, server), tasks)
}

// stock commits one plan of that many tasks that wait for nothing, ten to a
// container.
func (p *place) stock(tasks int) {
	p.t.Helper()
	dir := p.At(p.must("dir").get("plan_dir"))
	dir.Write("plan.md", "---\ntitle: Stock\n---\n\nThere is much to do.\n")
	for i := range tasks {
		box := fmt.Sprintf("tasks/%02d-box", i/10+1)
		if i%10 == 0 {
			dir.Write(box+".md", fmt.Sprintf("---\nid: box-%d\n---\n\nA box.\n", i/10+1))
		}
		dir.Write(fmt.Sprintf("%s/%02d-t.md", box, i%10+1), fmt.Sprintf("---\nid: t-%d\n---\n\nDo it.\n", i+1))
	}
	p.must("commit", "--id", "stock")
}

// deal is who was given which task.
type deal struct {
	t  *testing.T
	mu sync.Mutex
	// given are the agents by task, waits how long each answer took.
	given map[string][]string
	waits []time.Duration
}

// handOut lets agents ask, each at its place, until there is nothing.
func handOut(t *testing.T, agents int, where func(int) *place) *deal {
	t.Helper()
	d := &deal{t: t, given: map[string][]string{}}
	begun := time.Now()
	var all sync.WaitGroup
	for i := range agents {
		all.Go(func() { d.ask(where(i), fmt.Sprintf("agent-%d", i), i%2 == 0) })
	}
	all.Wait()
	var total, longest time.Duration
	for _, w := range d.waits {
		total, longest = total+w, max(longest, w)
	}
	t.Logf("%d answers to %d agents in %v; one took %v, the longest %v", len(d.waits), agents,
		time.Since(begun).Round(time.Millisecond), (total / time.Duration(len(d.waits))).Round(time.Millisecond), longest.Round(time.Millisecond))
	return d
}

// ask claims until there is no task. A collector keeps what it gets, another
// agent reports it done before it asks again.
func (d *deal) ask(p *place, name string, collector bool) {
	for {
		args := []string{"next", "stock", "--claim", "--agent", name}
		if collector {
			args = append(args, "--another")
		}
		begun := time.Now()
		a := runProgram(p, args...)
		waited := time.Since(begun)
		id := a.get("task.id")
		d.mu.Lock()
		d.waits = append(d.waits, waited)
		if id != "" {
			d.given[id] = append(d.given[id], name)
		}
		d.mu.Unlock()
		switch status := a.get("status"); {
		case status == "none":
			return
		case status != "success" || a.get("task.executed_by") != name:
			d.t.Errorf("%s: status %d: %s%s", name, a.exit, a.stdout, a.said)
			return
		}
		if collector {
			continue
		}
		if a := runProgram(p, "task", "done", "stock/"+id, "--agent", name); a.exit != 0 {
			d.t.Errorf("%s: %s done: status %d: %s%s", name, id, a.exit, a.stdout, a.said)
			return
		}
	}
}

// settle holds what was handed out against what the store says.
func (d *deal) settle(p *place, tasks int) {
	d.t.Helper()
	d.handedOut(p, tasks)
	started := p.Git("log", "--format=%(trailers:key=Plan-Event,valueonly,separator=)", "plans")
	if n := strings.Count(started, "started"); n != tasks {
		d.t.Errorf("%d starts are told, of %d", n, tasks)
	}
}

// handedOut holds what agents were told against the store.
func (d *deal) handedOut(p *place, tasks int) {
	d.t.Helper()
	if len(d.given) != tasks {
		d.t.Errorf("%d tasks were handed out, of %d", len(d.given), tasks)
	}
	for id, to := range d.given {
		if len(to) != 1 {
			d.t.Errorf("%s was handed out to %q", id, to)
		}
		a := p.must("show", "stock/"+id)
		if got := a.get("executed_by"); got != to[0] {
			d.t.Errorf("%s was handed out to %s, and %q is said to have it", id, to[0], got)
		}
	}
	p.fsck()
}

// An agent that is killed, at whatever moment of a claim, keeps nothing for
// good: when the leases are over another gets every task, and none before.
func TestClaimsOfTheDead(t *testing.T) {
	t.Parallel()
	tasks := scale(4, 16)
	p := at(t, begun()(t))
	p.stock(tasks)
	p.shortenLeases(3 * time.Second)
	until := map[string]time.Time{}
	for i := range tasks {
		a := p.cutOff(time.Duration(i%8*10)*time.Millisecond, "next", "stock", "--claim", "--agent", fmt.Sprintf("dead-%d", i))
		if end, err := time.Parse(time.RFC3339, a.get("task.lease_until")); err == nil {
			until[a.get("task.id")] = end
		}
	}
	got := p.inherit(tasks)
	t.Logf("%d of %d dead agents were told of a task; the heir got %d", len(until), tasks, len(got))
	if len(got) != tasks {
		t.Errorf("the heir got %d tasks of %d: %v", len(got), tasks, got)
	}
	for id, end := range until {
		if got[id].Before(end) {
			t.Errorf("%s was handed out at %v, and held until %v", id, got[id], end)
		}
	}
	p.fsck()
}

// cutOff runs the program and kills it after some time.
func (p *place) cutOff(after time.Duration, args ...string) answer {
	ctx, cancel := context.WithTimeout(p.t.Context(), after)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git-plan", append(args, "--json")...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	out, err := cmd.Output()
	return answered(string(out), err)
}

// inherit claims tasks as they come, for a minute at most, and tells when each
// came.
func (p *place) inherit(tasks int) map[string]time.Time {
	p.t.Helper()
	got := map[string]time.Time{}
	for begun := time.Now(); len(got) < tasks && time.Since(begun) < time.Minute; {
		a := p.must("next", "stock", "--claim", "--another", "--agent", "heir")
		id := a.get("task.id")
		if a.get("status") == "none" {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if _, ok := got[id]; ok {
			p.t.Errorf("%s was handed out twice", id)
		}
		got[id] = time.Now()
	}
	return got
}

// shortenLeases sets how long the store's leases last.
func (p *place) shortenLeases(lease time.Duration) {
	p.t.Helper()
	p.Git("worktree", "add", "-q", "../gates", "plans")
	gates := p.At(p.Dir + "/../gates")
	gates.Write("gates.yaml", gates.Read("gates.yaml")+fmt.Sprintf("lease: %v\n", lease))
	gates.Git("commit", "-q", "-a", "-m", "short leases")
	p.Git("worktree", "remove", "../gates")
}
