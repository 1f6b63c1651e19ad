package reliability

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// `git plan commit` is killed after its commit is on the branch, before any system
// call that is left: the next commit stores nothing twice and has no conflict, also
// where the store has moved on meanwhile. A command is recorded once by strace, and
// each moment is made again on a copy of the folder.
func TestKilledAfterLanding(t *testing.T) {
	needStrace(t)
	p := at(t, begun()(t))
	o := &outage{victim: newVictim(p), root: filepath.Dir(p.Dir), copies: t.TempDir()}
	fresh := func() { writePlan(t, o.must("request-thread-dir").get("plan_dir"), "third", 2) }
	for _, tt := range []struct {
		name  string
		write func()
		plans string
	}{
		{"edited", o.edit, "other work"},
		{"edited and new", func() { o.edit(); fresh() }, "other third work"},
	} {
		tt.write()
		o.killedAfterLanding(tt.name, tt.plans, scale(5, 1<<20))
	}
	t.Logf("%d moments after the landing looked at", o.cuts)
}

// killedAfterLanding runs a commit once, and then looks at what it leaves at some of
// the moments between its landing and its end.
func (o *outage) killedAfterLanding(name, plans string, most int) {
	o.t.Helper()
	before := filepath.Join(o.copies, "before")
	copyTree(o.t, o.root, before)
	disk := o.record([]string{"commit"})
	landed := o.tip()
	o.simulatorIsRight(before, disk, []string{"commit"})
	ended := filepath.Join(o.copies, "ended")
	copyTree(o.t, o.root, ended)
	first := disk.landing()
	if first == 0 {
		o.t.Fatalf("%s: no call moves the branch: %q", name, disk.calls)
	}
	moments := len(disk.calls) - first + 1
	for i := range min(most, moments) {
		n := first + i*moments/min(most, moments)
		for _, moved := range []bool{false, true} {
			copyTree(o.t, before, o.root)
			disk.replay(n, o.root)
			likeIn(o.t, o.root, ended)
			o.cuts++
			moment := fmt.Sprintf("%s, killed after %d of %d calls, moved on: %v", name, n, len(disk.calls), moved)
			o.commitsNothing(moment, landed, plans, moved)
			if o.t.Failed() {
				return
			}
		}
	}
	copyTree(o.t, ended, o.root)
}

// landing gives the number of calls up to the one that moves the branch.
func (d *disk) landing() int {
	for i, c := range d.calls {
		if c.name == "rename" && strings.HasSuffix(c.to, "/refs/heads/plans") {
			return i + 1
		}
	}
	return 0
}

// commitsNothing runs the next commit, for which all has been stored already.
func (o *outage) commitsNothing(moment, landed, plans string, moved bool) {
	o.t.Helper()
	if tip := o.tip(); tip != landed {
		o.t.Fatalf("%s: the branch is at %s, not %s", moment, tip, landed)
	}
	if moved {
		landed = o.must(o.turn()...).get("commit")
	}
	a := o.try("commit")
	if a.exit != 0 || o.tip() != landed {
		o.t.Errorf("%s: the next commit ends with status %d, the branch at %s: %s%s", moment, a.exit, o.tip(), a.stdout, a.said)
	}
	if got := o.Git("ls-tree", "--name-only", "-d", "plans"); got != strings.ReplaceAll(plans, " ", "\n") {
		o.t.Errorf("%s: the plans are %q", moment, got)
	}
	if stored := o.Git("show", "plans:work/plan.md") + "\n"; stored != o.read("plan.md") || !strings.Contains(stored, o.marker()) {
		o.t.Errorf("%s: the draft is not what is stored:\n%s\nstored:\n%s", moment, o.read("plan.md"), stored)
	}
}
