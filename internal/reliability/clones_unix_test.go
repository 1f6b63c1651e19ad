//go:build unix

package reliability

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Three clones work on the same plans, two of which publish when they sync and one with
// each change. In random rounds each edits, commits, reports, claims, leaves notes, opens
// signals, adds and removes tasks and plans, archives, renames, replans and syncs, and
// commands are killed at any moment. At the end all stores are the same. Each text that
// was acknowledged is among the plans, or in their history where it was removed or a
// conflict was decided against it; what was parked is listed by `git plan sync`. No task
// was handed out twice.
func TestThreeClones(t *testing.T) {
	t.Parallel()
	s := newClones(t, 3)
	for range scale(24, 400) {
		s.roundOfClones()
		if t.Failed() {
			break
		}
	}
	if !t.Failed() {
		s.settleClones()
	}
	t.Logf("seed %d: %v", s.seed, s.count)
}

// newClones makes a server with the gate and its clones.
func newClones(t *testing.T, clones int) *shared {
	t.Helper()
	first := at(t, begun()(t).With("GIT_TEST_FSYNC=1"))
	first.stock(scale(20, 300))
	for i := range 2 {
		writePlan(t, first.must("request-thread-dir").get("plan_dir"), fmt.Sprintf("common-%d", i), 4)
	}
	first.must("commit")
	bare := first.Clone(t, "--bare")
	bare.Git("remote", "remove", "origin")
	s := begunShared(t, at(t, bare))
	s.server, s.root = true, s.tip()
	s.must("hooks", "install")
	for i := range clones {
		c := bare.Clone(t).With("GIT_PLAN_AGENT=" + fmt.Sprintf("agent-%d", i))
		s.join(c, fmt.Sprintf("clone-%d", i))
		s.desks[i].must("init", "--no-hooks")
		push := "never"
		if i == clones-1 {
			push = "auto"
		}
		c.Git("config", "plan.push", push)
	}
	return s
}

// roundOfClones lets one clone do something, and at times all sync at once.
func (s *shared) roundOfClones() {
	s.t.Helper()
	d := s.desks[s.random.IntN(len(s.desks))]
	switch n := s.random.IntN(30); {
	case n < 6:
		d.edit()
	case n < 9:
		d.commit()
	case n < 13:
		d.report()
	case n < 14:
		d.signal()
	case n < 15:
		d.note()
	case n < 16:
		d.add()
	case n < 17:
		d.begin("request-thread-dir")
	case n < 18:
		d.replan()
	case n < 19:
		d.remove()
	case n < 20:
		d.putAway()
	case n < 22:
		d.claim()
	case n < 26:
		d.sync()
	case n < 28:
		d.killed()
	case n < 29:
		d.killedSync()
	default:
		var all sync.WaitGroup
		answers := make([]answer, len(s.desks))
		for i, d := range s.desks {
			all.Go(func() { answers[i] = runProgram(d.place, "sync") })
		}
		all.Wait()
		for i, d := range s.desks {
			d.synced(answers[i])
		}
	}
}

// add adds a task by a payload; others may add one of that id.
func (d *desk) add() {
	d.t.Helper()
	m := d.s.mark()
	a := d.try("update", fmt.Sprintf(`{"add_tasks":[{"title":"Extra","description":%q}]}`, m), "--plan", d.pick())
	d.may(a, "add", m)
}

// putAway archives a plan, or brings an archived one back.
func (d *desk) putAway() {
	d.t.Helper()
	archived := strings.Fields(d.Git("ls-tree", "-r", "-d", "--name-only", "plans", "archive/"))
	archived = slices.DeleteFunc(archived, func(dir string) bool { return strings.Count(dir, "/") != 2 })
	if len(archived) > 0 {
		d.may(d.try("restore", filepath.Base(archived[d.s.random.IntN(len(archived))])), "restore")
		return
	}
	if len(d.stored()) > 2 {
		d.may(d.try("archive", "--force", d.pick()), "archive")
	}
}

// claim asks the server for a task that is free everywhere, and reports it done there.
func (d *desk) claim() {
	d.t.Helper()
	a := d.try("next", "stock", "--claim", "--push")
	id := a.get("task.id")
	if a.exit != 0 || id == "" {
		d.t.Errorf("%s: next --claim: status %d: %s%s", d.name, a.exit, a.stdout, a.said)
		return
	}
	m := d.s.mark()
	d.s.did("claim")
	a = d.try("task", "done", "stock/"+id, "--push", "-m", m)
	if a.exit != 0 {
		d.t.Errorf("%s claimed %s and cannot report it: status %d: %s%s", d.name, id, a.exit, a.stdout, a.said)
		return
	}
	d.ack("claim of "+id, m)
	if text := d.s.Git("show", "plans:"+d.s.fileOf("stock", id)); !strings.Contains(text, m) {
		d.t.Errorf("%s reported %s done, and the server has:\n%s", d.name, id, text)
	}
}

func (s *shared) fileOf(plan, task string) string {
	return strings.TrimPrefix(s.Git("grep", "-l", "-e", "^id: "+task+"$", "plans", "--", plan), "plans:")
}

// sync publishes.
func (d *desk) sync() {
	d.t.Helper()
	a := d.try("sync")
	d.synced(a)
}

// synced takes in the answer to a sync: what is parked is listed.
func (d *desk) synced(a answer) {
	d.t.Helper()
	if a.exit > 1 || a.exit < 0 {
		d.t.Errorf("%s: sync: status %d: %s%s", d.name, a.exit, a.stdout, a.said)
		return
	}
	d.s.did("sync " + a.get("status"))
	for _, ref := range d.parked() {
		if !strings.Contains(a.get("parked"), filepath.Base(ref)) {
			d.t.Errorf("%s: sync does not name %s: %s", d.name, ref, a.stdout)
		}
	}
}

func (d *desk) parked() []string {
	return strings.Fields(d.Git("for-each-ref", "--format=%(refname)", "refs/plan/parked"))
}

// killedSync kills a sync at any moment.
func (d *desk) killedSync() {
	d.t.Helper()
	a := d.kill([]string{"sync"})
	d.tell([]string{"sync"}, a)
	if a.exit < 0 {
		d.s.did("killed sync")
		return
	}
	d.synced(a)
}

// settleClones publishes all there is, decides what is parked, and looks for all that
// was acknowledged.
func (s *shared) settleClones() {
	s.t.Helper()
	for _, d := range s.desks {
		if !s.t.Failed() {
			d.commit()
			d.sync()
		}
	}
	kept := map[string]bool{}
	for _, m := range markForm.FindAllString(s.Git("log", "-p", "--format=%B", "-m", "plans"), -1) {
		kept[m] = true
	}
	for _, d := range s.desks {
		d.sync()
		for _, ref := range d.parked() {
			s.did("parked at the end")
			for _, m := range markForm.FindAllString(d.Git("show", "-m", "--format=%B", ref), -1) {
				kept[m] = true
			}
		}
	}
	for m, command := range s.acked {
		if !kept[m] && !s.removed[m] { // commits that became one do not tell of what they took back
			s.t.Errorf("%s, which %s, is neither published nor parked", m, command)
		}
	}
	for _, d := range s.desks {
		d.decide()
	}
	for range 2 {
		for _, d := range s.desks {
			d.sync()
		}
	}
	now := map[string]bool{}
	for _, m := range markForm.FindAllString(s.Git("grep", "-h", "-E", "mark-", "plans"), -1) {
		now[m] = true
	}
	for m, command := range s.acked {
		if !now[m] && !s.removed[m] && !s.reports[m] {
			s.t.Errorf("%s, which %s, is not there, and nobody removed it: git log -S %s plans:\n%s", m, command, m, s.Git("log", "--format=%h %an %s", "-S", m, "plans"))
		}
	}
	for _, d := range s.desks {
		if left := d.parked(); len(left) > 0 {
			s.t.Errorf("%s still has %q", d.name, left)
		}
		if d.tip() != s.tip() {
			s.t.Errorf("%s has %s, the server %s", d.name, d.tip(), s.tip())
		}
		d.fsck()
	}
	s.claimedOnce()
	s.judged(s.root)
}

// decide takes one side or the other of every parked change.
func (d *desk) decide() {
	d.t.Helper()
	for range 20 {
		all := d.parked()
		if len(all) == 0 {
			return
		}
		a := d.try("sync")
		args := []string{"sync"}
		side := []string{"--ours", "--theirs"}[d.s.random.IntN(2)]
		for _, id := range regexp.MustCompile(`[a-z0-9-]+`).FindAllString(a.get("parked.0.plans"), -1) {
			args = append(args, side, id)
			there, _ := d.TryGit("grep", "-h", "-e", "", "refs/remotes/origin/plans", "--", id, "archive")
			d.giveUp(there)
		}
		d.giveUp(d.Git("show", "-m", "--format=%B", all[0]))
		for _, ref := range all {
			d.giveUp(d.Git("show", "-m", "--format=%B", ref))
		}
		d.synced(d.try(args...))
		d.s.did("decided")
	}
	d.t.Errorf("%s does not come to an end of what is parked: %s", d.name, d.try("sync").stdout)
}

// claimedOnce looks for tasks that were started by two agents.
func (s *shared) claimedOnce() {
	s.t.Helper()
	by := map[string]map[string]bool{}
	log := s.Git("log", "--format=%(trailers:key=Plan-Event,valueonly,separator=%x2C) %(trailers:key=Plan-Task,valueonly,separator=%x2C) %(trailers:key=Plan-Agent,valueonly,separator=%x2C)", s.root+"..plans", "--", "stock")
	for line := range strings.Lines(log) {
		if f := strings.Fields(line); len(f) == 3 && strings.HasPrefix(f[1], "stock/") {
			if by[f[1]] == nil {
				by[f[1]] = map[string]bool{}
			}
			by[f[1]][f[2]] = true
		}
	}
	for task, agents := range by {
		if len(agents) > 1 {
			s.t.Errorf("%s was worked on by %v", task, agents)
		}
	}
}
