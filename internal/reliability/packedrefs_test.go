package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Git takes packed-refs for unchanged when size, inode and second are the same,
// and so may check the value it expects against one that is gone. Whoever looks
// again while the lock is held is not misled: here packed-refs is exchanged just
// so between git's first look and its lock, and nothing is lost.
func TestPackedRefsExchanged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script that exchanges the file needs a shell")
	}
	t.Parallel()
	rounds, misled := scale(3, 100), 0
	x := newExchange(t)
	for range rounds {
		if x.native() {
			misled++
		}
		x.ours()
	}
	t.Logf("%d rounds, 0 lost by git plan; native git alone was misled in %d", rounds, misled)
	x.p.fsck()
}

// exchange is a repository whose git rewrites packed-refs in the middle of an
// update.
type exchange struct {
	p   *place
	dir string
}

// newExchange makes the script that stands before git. It passes on the update,
// waits until git has read it, puts another packed-refs in place, once, and
// passes on the rest.
func newExchange(t *testing.T) *exchange {
	t.Helper()
	x := &exchange{p: at(t, begun()(t)), dir: t.TempDir()}
	x.p.draft("auth", 1)
	x.p.Git("config", "core.trustCtime", "false") // an exchange within a second, on any machine
	real, err := exec.LookPath("git")
	if other := os.Getenv("GIT_PLAN_TEST_GIT"); other != "" {
		real, err = other, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`#!/bin/sh
case " $* " in
*" update-ref "*"--stdin "*)
	if rm %[1]s/armed 2>/dev/null; then
		{
			read -r start && echo "$start"
			read -r update && echo "$update"
			sleep 0.1
			cat %[1]s/next >.git/packed-refs
			touch -r %[1]s/stamp .git/packed-refs
			cat
		} | %[2]s "$@"
		exit
	fi ;;
esac
exec %[2]s "$@"
`, x.dir, real)
	gittest.Script(t, filepath.Join(x.dir, "git"), script)
	return x
}

// arm prepares that someone else's commit comes in during the next update, and
// returns its name and the tip before it.
func (x *exchange) arm() (next, tip string) {
	x.p.t.Helper()
	tip = x.p.tip()
	next = x.p.Git("commit-tree", "-p", tip, "-m", "someone else's", tip+"^{tree}")
	x.p.Git("pack-refs", "--all")
	packed := x.p.Read(".git/packed-refs")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o666); err != nil {
			x.p.t.Fatal(err)
		}
	}
	write("next", strings.Replace(packed, tip+" refs/heads/plans", next+" refs/heads/plans", 1))
	write("armed", "")
	write("stamp", "")
	info, err := os.Stat(filepath.Join(x.p.Dir, ".git/packed-refs"))
	if err == nil {
		err = os.Chtimes(filepath.Join(x.dir, "stamp"), info.ModTime(), info.ModTime())
	}
	if err != nil {
		x.p.t.Fatal(err)
	}
	return next, tip
}

// exchanged is the repository seen with the script before git.
func (x *exchange) exchanged() *gittest.Repo {
	return x.p.With("PATH=" + x.dir + string(os.PathListSeparator) + os.Getenv("PATH"))
}

// native lets git update the branch by itself, and reports whether someone
// else's commit was overwritten. The branch is given back.
func (x *exchange) native() bool {
	x.p.t.Helper()
	next, tip := x.arm()
	mine := x.p.Git("commit-tree", "-p", tip, "-m", "mine", tip+"^{tree}")
	cmd := exec.Command(filepath.Join(x.dir, "git"), "update-ref", "--stdin")
	cmd.Dir, cmd.Env = x.p.Dir, x.exchanged().Env
	cmd.Stdin = strings.NewReader(fmt.Sprintf("start\nupdate refs/heads/plans %s %s\nprepare\ncommit\n", mine, tip))
	out, err := cmd.CombinedOutput()
	x.happened()
	misled := x.p.tip() == mine
	if !misled && (err == nil || x.p.tip() != next) {
		x.p.t.Errorf("native git: %v: %s", err, out)
	}
	x.p.Git("update-ref", "refs/heads/plans", next)
	return misled
}

// ours makes a write of git plan meet the same.
func (x *exchange) ours() {
	x.p.t.Helper()
	verb := "start"
	if x.p.must("show", "auth").get("tasks.0.status") != "pending" {
		verb = "release"
	}
	next, _ := x.arm()
	a := runProgram(at(x.p.t, x.exchanged()), "task", verb, "auth/t1")
	if a.exit != 0 || a.get("commit") != x.p.tip() {
		x.p.t.Errorf("status %d: %s%s", a.exit, a.stdout, a.said)
	}
	x.happened()
	if _, err := x.p.TryGit("merge-base", "--is-ancestor", next, "refs/heads/plans"); err != nil {
		x.p.t.Errorf("commit %s of someone else is lost", next)
	}
}

// happened makes sure that the script was in the update's way.
func (x *exchange) happened() {
	x.p.t.Helper()
	if _, err := os.Stat(filepath.Join(x.dir, "armed")); err == nil {
		x.p.t.Fatal("packed-refs was not exchanged")
	}
}
