package gitstore

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A process that is killed together with the git that moves the ref for it leaves
// git's locks. The next write removes them, and lands.
func TestLocksOfTheKilled(t *testing.T) {
	t.Parallel()
	const place = "GIT_PLAN_TEST_KILLED_TURN_IN"
	if dir := os.Getenv(place); dir != "" { // this is the process to kill
		put(t, open(t, gittest.New(t).At(dir)), file("a.md", "killed"))
		return
	}
	for name, shape := range map[string]func(*testing.T) *gittest.Repo{
		"files":         func(t *testing.T) *gittest.Repo { return gittest.New(t) },
		"reftable":      func(t *testing.T) *gittest.Repo { return withReftable(t) },
		"symbolic":      func(t *testing.T) *gittest.Repo { return gittest.New(t) },
		"checked out":   func(t *testing.T) *gittest.Repo { return gittest.New(t) },
		"only git dies": func(t *testing.T) *gittest.Repo { return gittest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := shape(t)
			put(t, open(t, r), file("a.md", "before"))
			at := r
			switch name {
			case "symbolic":
				r.Git("branch", "-m", "plans", "work/plans")
				r.Git("symbolic-ref", testRef, "refs/heads/work/plans")
			case "checked out":
				at = r.At(filepath.Join(filepath.Dir(r.Dir), "tree"))
				r.Git("worktree", "add", "-q", at.Dir, "plans")
			}
			victim := "$(cat victim) "
			if name == "only git dies" {
				victim = ""
			}
			hook(t, r, `test "$1" = prepared && grep -q plans && rm hooks/reference-transaction && kill -9 `+victim+`$PPID; true`)
			process := exec.Command("sh", "-c", `echo $$ >"$1/victim"; shift; exec "$@"`, "sh", filepath.Join(r.Dir, ".git"), os.Args[0], "-test.run=^TestLocksOfTheKilled$")
			process.Dir, process.Env = at.Dir, append(os.Environ(), place+"="+at.Dir)
			if out, err := process.CombinedOutput(); err == nil {
				t.Fatalf("it lived:\n%s", out)
			}
			if locks, err := open(t, r).Locks(t.Context()); err != nil || (len(locks) == 0) != (name == "only git dies") {
				t.Errorf("left are %+v, %v", locks, err)
			}
			s := open(t, at)
			commit := put(t, s, file("a.md", "after"))
			if got := content(t, s, commit, "a.md"); got != "after" {
				t.Errorf("got %q", got)
			}
			if locks, err := s.Locks(t.Context()); err != nil || len(locks) != 0 {
				t.Errorf("locks %+v, %v", locks, err)
			}
			fsck(t, r)
		})
	}
}

// A lock is removed only if the dead git made it.
func TestLocksOfLivingStay(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("1", 40)
	for name, tt := range map[string]struct {
		text string
		age  time.Duration // after the note
		gone bool
	}{
		"its commit":             {commit + "\n", time.Second, true},
		"empty":                  {"", time.Second, true},
		"another commit":         {strings.Repeat("2", 40) + "\n", time.Second, false},
		"before it was noted":    {commit + "\n", -time.Second, false},
		"long after it was dead": {"", time.Hour, false},
	} {
		path := filepath.Join(t.TempDir(), "plans.lock")
		write(t, path, tt.text)
		aged(t, path, 2*time.Hour)
		noted := time.Now().Add(-2*time.Hour - tt.age)
		if err := (turn{commit: commit}).remove(t.Context(), path, noted); err != nil {
			t.Error(err)
		}
		if isGone(path) != tt.gone {
			t.Errorf("%s: gone is %v", name, !tt.gone)
		}
	}
}

// A git that lives on after its process, in a hook say, is waited for and named.
func TestGitThatLives(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := hurry(open(t, r))
	put(t, s, file("a.md", "1"))
	s.repo.writeTurn(turn{holder: process{id: dead(t)}, git: thisProcess()})
	var held *LockedError
	if _, err := s.Update(t.Context(), "x", adding("x", file("a.md", "2"))); !errors.As(err, &held) || held.Holder != thisProcess().String() {
		t.Errorf("err = %v", err)
	}
	other := thisProcess()
	other.start += "0"
	s.repo.writeTurn(turn{holder: process{id: dead(t)}, git: other}) // its id was given to this process
	put(t, s, file("a.md", "2"))
}

// What the lock file says is read as it was written, and half of it is nothing.
func TestTurnIsRead(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	put(t, s, file("a.md", "1"))
	for _, want := range []turn{{}, {holder: process{7, "9"}}, {process{7, ""}, process{8, "10"}, strings.Repeat("1", 40)}} {
		s.repo.writeTurn(want)
		if got := s.repo.readTurn(); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if err := os.Truncate(s.repo.lockPath(), 6); err != nil {
		t.Fatal(err)
	}
	if got := s.repo.readTurn(); got != (turn{}) {
		t.Errorf("half is %+v", got)
	}
}
