//go:build unix

package reliability

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A process group that is killed at any moment leaves a branch that works:
// nothing acknowledged is lost, drafts are as they were written, and the next
// command works.
func TestKilled(t *testing.T) {
	for _, tt := range []struct {
		name  string
		make  func(*testing.T) *gittest.Repo
		kills int // that meet a running command
	}{
		{"files", begun(), scale(20, 550)},
		{"plans checked out", withPlansOut, scale(20, 450)},
		{"reftable", begunReftable, scale(10, 100)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := at(t, tt.make(t).With("GIT_TEST_FSYNC=1"))
			v := newVictim(p)
			rounds := 0
			for ; v.killed < tt.kills && rounds < 3*tt.kills && !t.Failed(); rounds++ {
				v.round()
			}
			p.fsck()
			t.Logf("%d of %d killed, %d acknowledged, locks left behind %v, %d conflicts with a replan cut off",
				v.killed, rounds, v.acknowledged, v.locks, v.conflicts)
		})
	}
}

// victim is a repository in which commands are killed.
type victim struct {
	*place
	draft string // the folder of the plan that is edited
	mark  int    // how often it was edited
	acked string // the last commit that was acknowledged
	slow  time.Duration

	powerless bool // what was noted of who has a lock may be lost

	killed, acknowledged, locked, conflicts int
	// locks are those that git left behind, by name.
	locks map[string]int
}

func newVictim(p *place) *victim {
	p.draft("work", 4, "other")
	v := &victim{place: p, draft: p.must("checkout", "work").get("plan_dir"), slow: 30 * time.Millisecond, locks: map[string]int{}}
	v.edit()
	v.replace("title: work\n", "title: work\nmax_replans: 1000000\n")
	v.acked = p.must("commit").get("commit")
	return v
}

// round kills one command and looks at what is left.
func (v *victim) round() {
	v.t.Helper()
	command := v.choose()
	before := v.tip()
	a := v.kill(command)
	if a.exit == -1 {
		v.killed++
	}
	if commit := a.get("commit"); commit != "" {
		v.acked = commit
		v.acknowledged++
	} else if a.exit > 0 {
		v.t.Errorf("%q: status %d: %s%s", command, a.exit, a.stdout, a.said)
	}
	v.holds(command, before)
	v.goOn(command)
	v.intact(command)
}

// choose gives a command to kill, with its draft edited where it reads one.
func (v *victim) choose() []string {
	switch rand.N(10) {
	case 0, 1, 2:
		v.edit()
		return []string{"commit"}
	case 3, 4:
		v.edit()
		return []string{"replan", "work", "--force", "--reason", "again", "--from", v.draft}
	case 5:
		return []string{"checkout", "--force", "other"}
	case 6:
		v.forget()
		return []string{"checkout", "other"}
	}
	return v.turn()
}

// forget drops the threads but that of the plan that is edited, so that another plan
// is brought into a new folder.
func (v *victim) forget() {
	v.t.Helper()
	v.must("checkout", "work")
	for {
		id := v.must("context").get("ADDITIONAL_PLAN_DIRS.0.thread_id")
		if id == "" {
			return
		}
		v.must("remove-thread", "--thread-id", id)
	}
}

// turn starts the first task of the plan, or releases it.
func (v *victim) turn() []string {
	v.t.Helper()
	if v.must("show", "work").get("tasks.0.status") == "pending" {
		return []string{"task", "start", "work/t1"}
	}
	return []string{"task", "release", "work/t1"}
}

// edit writes a new mark into the draft.
func (v *victim) edit() {
	v.t.Helper()
	v.mark++
	text := v.read("plan.md")
	if v.mark > 1 {
		text = regexp.MustCompile(`(?m)^Mark \d+\.$`).ReplaceAllString(text, v.marker())
	} else {
		text += v.marker() + "\n"
	}
	v.write("plan.md", text)
}

func (v *victim) marker() string { return fmt.Sprintf("Mark %d.", v.mark) }

func (v *victim) replace(old, text string) {
	v.write("plan.md", strings.Replace(v.read("plan.md"), old, text, 1))
}

func (v *victim) read(name string) string {
	v.t.Helper()
	data, err := os.ReadFile(filepath.Join(v.draft, name))
	if err != nil {
		v.t.Fatal(err)
	}
	return string(data)
}

func (v *victim) write(name, text string) {
	v.t.Helper()
	if err := os.WriteFile(filepath.Join(v.draft, name), []byte(text), 0o666); err != nil {
		v.t.Fatal(err)
	}
}

// kill runs a command in a process group of its own, and kills that at a moment
// within the time such a command takes.
func (v *victim) kill(args []string) answer {
	v.t.Helper()
	cmd := exec.Command("git-plan", append(args, "--json")...)
	cmd.Dir, cmd.Env = v.Dir, v.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	timer := time.AfterFunc(rand.N(v.slow*5/4), func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	timer.Stop()
	if err == nil { // it was quicker; this is how long one takes
		v.slow = (v.slow*7 + max(time.Since(begun), 10*time.Millisecond)) / 8
	} else {
		v.slow += v.slow / 100
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it started and left
	a := answered(out.String(), err)
	a.said += said.String()
	return a
}

// holds makes sure that the branch names a commit that contains everything
// acknowledged, and that at most one commit was added.
func (v *victim) holds(command []string, before string) {
	v.t.Helper()
	tip := v.tip()
	if tip == "" {
		v.t.Fatalf("%q: the branch is broken: %s", command, v.try("doctor").stdout)
	}
	if _, err := v.TryGit("merge-base", "--is-ancestor", v.acked, tip); err != nil {
		v.t.Fatalf("%q: commit %s was acknowledged and is lost", command, v.acked)
	}
	if tip != before && v.Git("rev-parse", tip+"^") != before {
		v.t.Fatalf("%q: the branch went from %s to %s", command, before, tip)
	}
}

// goOn runs the next command, which must work. After a loss of power it may say that
// there is a lock left behind, which the doctor removes once it is old.
func (v *victim) goOn(after []string) {
	v.t.Helper()
	v.countLocks()
	command := v.turn()
	a := v.try(command...)
	if v.powerless && a.exit == 128 && a.get("error_type") == "locked" {
		v.locked++
		v.outdate()
		v.must("doctor", "--fix")
		a = v.try(command...)
	}
	if a.exit != 0 {
		v.t.Fatalf("%q after %q: status %d: %s%s", command, after, a.exit, a.stdout, a.said)
	}
	v.acked = a.get("commit")
}

// countLocks counts the locks of git that are there.
func (v *victim) countLocks() { v.eachLock(func(path string) { v.locks[filepath.Base(path)]++ }) }

// outdate makes them as old as those that were left behind long ago.
func (v *victim) outdate() {
	old := time.Now().Add(-time.Hour)
	v.eachLock(func(path string) { _ = os.Chtimes(path, old, old) })
}

func (v *victim) eachLock(do func(path string)) {
	_ = filepath.WalkDir(filepath.Join(v.Dir, ".git"), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case e.IsDir() && (e.Name() == "git-plan" || e.Name() == "objects"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".lock"):
			do(path)
		}
		return nil
	})
}

// intact looks at the draft, which must hold the last edit and pass the gate,
// and at the worktree that has the plans checked out. A commit finishes what
// the killed one had begun.
func (v *victim) intact(after []string) {
	v.t.Helper()
	if text := v.read("plan.md"); !strings.Contains(text, v.marker()+"\n") {
		v.t.Fatalf("after %q the draft does not hold %q:\n%s", after, v.marker(), text)
	}
	a := v.try("commit")
	if a.get("error_type") == "conflict" && after[0] == "replan" {
		// The thread does not know that it was this plan that landed.
		v.conflicts++
		v.must("checkout", "--force", "work")
		v.edit()
		a = v.try("commit")
	}
	if a.exit != 0 {
		v.t.Fatalf("commit after %q: status %d: %s%s", after, a.exit, a.stdout, a.said)
	}
	if commit := a.get("commit"); commit != "" {
		v.acked = commit
	}
	plans := v.Git("ls-tree", "--name-only", "-d", "plans")
	if archived := after[0] == "archive" && plans == "archive\nwork"; plans != "other\nwork" && !archived {
		v.t.Fatalf("after %q the plans are %q", after, plans)
	}
	if stored := v.Git("show", "plans:work/plan.md"); stored+"\n" != v.read("plan.md") || !strings.Contains(stored, v.marker()) {
		v.t.Fatalf("after %q the draft is not what is stored:\n%s\nstored:\n%s", after, v.read("plan.md"), stored)
	}
	v.follows(after)
}

// follows looks at the worktree that has the plans checked out, if there is
// one.
func (v *victim) follows(after []string) {
	v.t.Helper()
	plans := filepath.Join(filepath.Dir(v.Dir), "plans")
	if _, err := os.Stat(plans); err != nil {
		return
	}
	if status := v.At(plans).Git("status", "--porcelain"); status != "" {
		v.t.Fatalf("after %q the plans checked out are behind:\n%s", after, status)
	}
}
