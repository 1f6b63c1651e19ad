package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A machine that loses its power at any moment of a command leaves a branch
// that works, with all that was acknowledged before, and drafts with what was
// written into them. What a command does to the disk is recorded by strace; then
// each moment is made anew on a copy of the folder: names as they were at that
// moment, since a journal keeps them, and files with only what was flushed by
// then. The rest of a file is lost, or half of it.
func TestPowerCut(t *testing.T) {
	needStrace(t)
	p := at(t, withPlansOut(t).With("GIT_TEST_FSYNC=1"))
	p.Git("config", "core.checkStat", "minimal") // inodes are others in a copy
	p.Git("config", "core.trustctime", "false")
	o := &outage{victim: newVictim(p), root: filepath.Dir(p.Dir), copies: t.TempDir()}
	o.powerless = true
	commands := []func() []string{
		o.turn,
		func() []string { o.edit(); return []string{"commit"} },
		func() []string {
			o.edit()
			return []string{"replan", "work", "--force", "--reason", "again", "--from", o.draft}
		},
		func() []string { return []string{"checkout", "--force", "other"} },
		func() []string { return []string{"archive", "--force", "other"} },
	}
	for _, command := range commands {
		o.cut(command(), scale(3, 1<<20))
	}
	t.Logf("%d disks after %d moments looked at, %d of them with the new state; %d answers locked, %d conflicts with a replan cut off, locks left behind %v",
		o.cuts, o.moments, o.landed, o.locked, o.conflicts, o.locks)
}

// What was acknowledged outlasts a loss of power in the next moment. Git flushes
// what it writes, and leaves the name that it gives to it last, that of the
// ref, to the system: for some seconds native git's answer is not kept by the disk.
func TestPowerCutAfterTheAnswer(t *testing.T) {
	needStrace(t)
	for name, shape := range map[string]func(*testing.T) *gittest.Repo{
		"files": begun(), "plans checked out": withPlansOut, "packed refs": func(t *testing.T) *gittest.Repo {
			r := begun()(t)
			r.Git("pack-refs", "--all")
			return r
		}, "reftable": begunReftable,
	} {
		t.Run(name, func(t *testing.T) {
			p := at(t, shape(t).With("GIT_TEST_FSYNC=1"))
			o := &outage{victim: newVictim(p), root: filepath.Dir(p.Dir), copies: t.TempDir()}
			for _, command := range []func() []string{
				o.turn,
				func() []string { o.edit(); return []string{"commit"} },
				func() []string {
					o.edit()
					return []string{"replan", "work", "--force", "--reason", "again", "--from", o.draft}
				},
				func() []string { return []string{"archive", "--force", "other"} },
			} {
				o.answered(command())
			}
		})
	}
}

// answered runs a command and looks at the disk that a loss of power leaves right
// after its answer.
func (o *outage) answered(command []string) {
	o.t.Helper()
	before, left := filepath.Join(o.copies, "before"), filepath.Join(o.copies, "left")
	copyTree(o.t, o.root, before)
	disk := o.record(command)
	o.simulatorIsRight(before, disk, command)
	copyTree(o.t, before, left)
	kept := disk.kept()
	disk.upTo(kept, false, left)
	copied := *o.Repo
	copied.Dir = filepath.Join(left, filepath.Base(o.Dir))
	if got, want := copied.Git("rev-parse", "plans"), o.tip(); got != want {
		o.t.Errorf("%q: a loss of power takes the branch back from %s to %s; these are not kept: %q", command, want, got, disk.calls[kept:])
	}
}

// needStrace skips a test where nothing can be traced.
func needStrace(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("strace", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("this needs strace, and leave to trace: %v %s", err, out)
	}
}

// outage is a repository whose machine loses its power.
type outage struct {
	*victim
	root   string // the folder with all that the commands write
	copies string

	cuts, moments, landed int
}

// cut runs a command once, and then looks at what is left of it at some of the
// moments before it ended.
func (o *outage) cut(command []string, most int) {
	o.t.Helper()
	before := filepath.Join(o.copies, "before")
	copyTree(o.t, o.root, before)
	tip := o.tip()
	disk := o.record(command)
	after := o.tip()
	o.simulatorIsRight(before, disk, command)
	ended := filepath.Join(o.copies, "ended")
	copyTree(o.t, o.root, ended)
	o.moments += len(disk.calls)
	for i := range min(most, len(disk.calls)) {
		n := i * len(disk.calls) / min(most, len(disk.calls))
		for _, half := range []bool{false, true} {
			copyTree(o.t, before, o.root)
			disk.upTo(n, half, o.root)
			likeIn(o.t, o.root, ended)
			o.cuts++
			if o.tip() == after && after != tip {
				o.landed++
			}
			moment := append(slices.Clone(command), fmt.Sprintf("(cut before call %d of %d: %s)", n+1, len(disk.calls), disk.calls[n]))
			o.holds(moment, tip)
			o.goOn(moment)
			o.intact(moment)
			o.fsckReachable(moment)
			o.acked = tip
			if o.t.Failed() {
				return
			}
		}
	}
	copyTree(o.t, before, o.root)
	o.must(command...)
	o.acked = o.tip()
}

// fsckReachable lets git look at all that the refs name.
func (o *outage) fsckReachable(moment []string) {
	o.t.Helper()
	if out, err := o.TryGit("rev-list", "--objects", "--all", "--quiet"); err != nil {
		o.t.Errorf("after %q: %v\n%s", moment, err, out)
	}
}

// record runs a command under strace.
func (o *outage) record(command []string) *disk {
	o.t.Helper()
	log := filepath.Join(o.copies, "log")
	args := slices.Concat([]string{"-f", "-y", "-xx", "-s", "16777216", "-o", log, "-e", "trace=" + strings.Join(diskCalls(), ","), "git-plan", "--json"}, command)
	cmd := exec.Command("strace", args...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	out, err := cmd.Output()
	if a := answered(string(out), err); a.exit != 0 {
		o.t.Fatalf("%q under strace: status %d: %s%s", command, a.exit, a.stdout, a.said)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		o.t.Fatal(err)
	}
	return readDisk(string(text), o.Dir, o.root)
}

// simulatorIsRight holds the copy on which every call was made anew against
// what the command really left.
func (o *outage) simulatorIsRight(before string, d *disk, command []string) {
	o.t.Helper()
	really := treeState(o.t, o.root)
	made := filepath.Join(o.copies, "made")
	copyTree(o.t, before, made)
	d.all(made)
	for name, want := range treeState(o.t, made) {
		if really[name] != want {
			o.t.Errorf("%q: the simulated disk has another %s", command, name)
		}
		delete(really, name)
	}
	for name := range really {
		o.t.Errorf("%q: the simulated disk lacks %s", command, name)
	}
	if o.t.Failed() {
		o.t.FailNow()
	}
}
