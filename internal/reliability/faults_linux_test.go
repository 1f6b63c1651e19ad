package reliability

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// faultyCalls are the system calls that change something or may find a full or
// broken disk. A question mark says that not every processor has the call.
func faultyCalls() []string {
	return []string{"openat", "write", "?fsync", "?fdatasync", "?rename", "?renameat", "?renameat2", "?link", "?linkat", "?unlink", "?unlinkat", "?mkdir", "?mkdirat"}
}

// fault is what goes wrong: the call with that number, in the program itself
// and all its children, or in one child.
type fault struct {
	child, call string
	when        int
	effect      string // as strace names it
}

func (f fault) String() string { return fmt.Sprintf("%s %s %d %s", f.child, f.call, f.when, f.effect) }

// everywhere is the child of a fault that each process has, at its own count.
const everywhere = "any process"

// One write is made again and again, each time with another system call that
// fails or at which the process is killed. The branch is as it was or has the
// new commit whole, an answer without error means the latter, and the next
// write works.
func TestFaults(t *testing.T) {
	if out, err := exec.Command("strace", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("this needs strace, and leave to trace: %v %s", err, out)
	}
	l := newLab(t)
	all := l.faults()
	picked := all
	if most := scale(12, len(all)); len(all) > most {
		picked = nil
		for i := range most {
			picked = append(picked, all[i*len(all)/most])
		}
	}
	done, begun, limit := 0, time.Now(), time.Duration(scale(15, 3600))*time.Second
	for i, f := range picked {
		if time.Since(begun) > limit {
			t.Logf("stopped after %d of %d faults: the machine is slow", i, len(picked))
			break
		}
		l.suffer(f)
		done++
		if t.Failed() {
			break
		}
	}
	l.p.fsck()
	t.Logf("%d faults of %d possible: %d had no effect, %d left the old state, %d the new one with an error, %d made git mute, %d blind to a worktree; locks left behind %v",
		done, len(all), l.harmless, l.old, l.told, l.mute, l.blind, l.v.locks)
}

// lab is a repository whose git is watched.
type lab struct {
	p         *place
	v         *victim // what looks at the state
	dir, real string

	hung                             atomic.Bool
	harmless, old, told, mute, blind int
}

// newLab makes a repository with the plans checked out, whose git is a script
// that runs the real one, under strace where a fault is meant for it.
func newLab(t *testing.T) *lab {
	t.Helper()
	dir := t.TempDir()
	real, err := exec.LookPath("git")
	if other := os.Getenv("GIT_PLAN_TEST_GIT"); other != "" {
		real, err = other, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{p: at(t, withPlansOut(t)), dir: dir, real: real}
	script := fmt.Sprintf(`#!/bin/sh
test -n "$FAULT_CHILD" && case " $* " in *" $FAULT_CHILD "*) exec strace -o %[1]s/log $FAULT_OPTIONS %[2]s "$@" ;; esac
exec %[2]s "$@"
`, dir, real)
	gittest.Script(t, filepath.Join(dir, "git"), script)
	l.v = newVictim(l.p)
	return l
}

// run runs git-plan with options for strace.
func (l *lab) run(child, options string, args ...string) answer {
	_ = os.Remove(filepath.Join(l.dir, "log"))
	command := append([]string{"git-plan", "--json"}, args...)
	env := l.p.Env
	if child == everywhere {
		command = slices.Concat([]string{"strace", "-f", "-o", l.dir + "/log"}, strings.Fields(options), command)
	} else {
		env = l.p.With("PATH="+l.dir+":"+os.Getenv("PATH"), "FAULT_CHILD="+child, "FAULT_OPTIONS="+options).Env
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = l.p.Dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Start()
	if err == nil {
		ended := make(chan struct{})
		go l.watch(cmd.Process.Pid, ended)
		err = cmd.Wait()
		close(ended)
	}
	a := answered(out.String(), err)
	a.said += said.String()
	return a
}

// patience is how long a command may take under strace, on a machine that does
// much else, too; one that waits for a mute git is not waited for as long.
const (
	patience     = 2 * time.Minute
	mutePatience = 8 * time.Second
)

// watch ends the group of a process that hangs.
func (l *lab) watch(pid int, ended <-chan struct{}) {
	begun := time.Now()
	for time.Since(begun) < patience {
		select {
		case <-ended:
			return
		case <-time.After(mutePatience):
		}
		if l.isMute() {
			break
		}
	}
	l.hung.Store(true)
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// isMute reports whether the last fault was in what a process prints into the
// pipe to another. Git goes on then and waits for the next word, as we wait for
// its answer: no disk can bring that about.
func (l *lab) isMute() bool {
	data, _ := os.ReadFile(filepath.Join(l.dir, "log"))
	return regexp.MustCompile(`(?m)write\([12], .*\(INJECTED\)$`).Match(data)
}

// isBlind reports whether the last fault was that git could not read what a
// worktree has checked out. It says nothing then, and the worktree stays behind.
func (l *lab) isBlind() bool {
	data, _ := os.ReadFile(filepath.Join(l.dir, "log"))
	found := regexp.MustCompile(`(?m)openat\(.*worktrees.*\(INJECTED\)$`).FindAllString(string(data), -1)
	return slices.ContainsFunc(found, func(call string) bool {
		return !strings.Contains(call, ".lock") && !strings.Contains(call, "/rebase-") // which it writes, and which tells of a rebase alone
	})
}

// faults counts the calls that one write makes and gives a fault for each.
func (l *lab) faults() (all []fault) {
	effects := []string{"error=EIO", "error=ENOSPC", "signal=KILL"}
	for _, child := range []string{everywhere, "for-each-ref", "unpack-objects", "update-ref", "cat-file", "read-tree"} {
		a := l.run(child, "-e trace="+strings.Join(faultyCalls(), ","), l.v.turn()...)
		if a.exit != 0 {
			l.p.t.Fatalf("under strace: status %d: %s%s", a.exit, a.stdout, a.said)
		}
		counts := l.counts()
		for _, call := range faultyCalls() {
			for n := 1; n <= counts[strings.TrimPrefix(call, "?")]; n++ {
				for _, effect := range effects {
					all = append(all, fault{child, call, n, effect})
				}
			}
		}
	}
	return all
}

// counts gives how often a process made each call, the most of any.
func (l *lab) counts() map[string]int {
	l.p.t.Helper()
	file, err := os.Open(filepath.Join(l.dir, "log"))
	if err != nil {
		l.p.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	call := regexp.MustCompile(`^(\d+ +)?(\w+)\(`)
	each, most := map[string]int{}, map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if m := call.FindStringSubmatch(lines.Text()); m != nil {
			each[m[0]]++
			most[m[2]] = max(most[m[2]], each[m[0]])
		}
	}
	return most
}

// suffer makes one write with a fault and looks at what is left.
func (l *lab) suffer(f fault) {
	t := l.p.t
	t.Helper()
	before, command := l.p.tip(), l.v.turn()
	a := l.run(f.child, fmt.Sprintf("-e trace=%[1]s -e inject=%[1]s:%[2]s:when=%[3]d", f.call, f.effect, f.when), command...)
	after := l.p.tip()
	hung := l.hung.Swap(false)
	switch {
	case hung && l.isMute():
		l.mute++
	case hung:
		t.Errorf("%v: no end within %v", f, patience)
	case a.exit == 0 && (after == before || a.get("commit") != after):
		t.Errorf("%v: acknowledged %q, and the branch is at %s: %s", f, a.get("commit"), after, a.said)
	case a.exit == 0:
		l.harmless++
	case after != before:
		l.told++
	default:
		l.old++
	}
	isKilled := hung || f.effect == "signal=KILL" || f.child == everywhere // strace ends as the program did
	if a.exit != 0 && !isKilled && a.get("message") == "" {
		t.Errorf("%v: status %d and no message: %s%s", f, a.exit, a.stdout, a.said)
	}
	if l.isBlind() && a.exit == 0 {
		l.blind++
		l.p.try("doctor", "--fix") // where the fault also kept the index locked
		l.p.At(filepath.Join(filepath.Dir(l.p.Dir), "plans")).Git("reset", "-q", "--hard")
	}
	l.v.acked = before
	l.v.holds(command, before)
	l.v.goOn([]string{f.String()})
	l.v.follows([]string{f.String()})
}
