package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-plan/git-plan/internal/gittest"
)

// nowVariable sets the clock of the program under test.
const nowVariable = "GIT_PLAN_TEST_NOW"

// behindVariable lets reads start fetches, which may outlive a test that does not
// wait for them.
const behindVariable = "GIT_PLAN_TEST_BEHIND"

// TestMain lets scripts, git and hooks run the program under test as
// git-plan.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "git-plan" && signal.Ignored(syscall.SIGHUP) {
		// Tests that are to outlive their terminal hand that on to the programs they
		// start, some of which are to end with theirs.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testscript.Main(m, map[string]func(){"git-plan": mainUnderTest})
}

// mainUnderTest is main with the clock that the script sets, so that what a
// script shows is the same in every run. A document that it prints and that no
// schema describes is a failure.
func mainUnderTest() {
	program, _ := os.Executable()
	stdout, held := hold(os.Stdout, os.Args[1:])
	status := Main(Env{
		Stdin: os.Stdin, Stdout: stdout, Stderr: os.Stderr, Dir: currentFolder(), Environ: os.Environ(), Now: testClock, Program: program,
		Behind: os.Getenv(behindVariable) != "",
	}, os.Args[1:])
	if why := held.check(); why != "" {
		fmt.Fprintln(os.Stderr, why)
		status = 70 // that of no answer
	}
	os.Exit(status)
}

func testClock() time.Time {
	if now, err := time.Parse(time.RFC3339, os.Getenv(nowVariable)); err == nil {
		return now
	}
	return time.Now()
}

// TestScript runs the scripts in testdata/script, which read like a manual:
// each does on real repositories, with real git, what its first lines say.
// With UPDATE_SCRIPTS set, the expected output in them is written anew.
func TestScript(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("the tests need git on PATH")
	}
	seen := t.TempDir()
	t.Cleanup(func() { checkSchemasSeen(t, seen) })
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv(schemasSeen, seen)
			env.Defer(func() { checkInside(env) })
			return setUpScript(env)
		},
		Cmds:                scriptCommands(),
		Condition:           scriptCondition,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// checkInside fails when a script left something next to its own folder. Scripts run
// at the same time, so one that uses $WORK/.. meets another that does.
func checkInside(env *testscript.Env) {
	entries, err := os.ReadDir(filepath.Dir(env.WorkDir))
	if err != nil {
		env.T().Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "script-") {
			env.T().Fatal("this script or another made $WORK/../" + entry.Name() + ", outside its own folder")
		}
	}
}

// setUpScript gives a script a home of its own and hides the machine's
// configuration from git.
func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	for _, kv := range gittest.Env(home) {
		for i := range kv {
			if kv[i] == '=' && kv[:i] != "PATH" {
				env.Setenv(kv[:i], kv[i+1:])
				break
			}
		}
	}
	env.Setenv("PATH", gittest.Path(env.Getenv("PATH")))
	env.Setenv("GIT_PLAN_AGENT", "agent-a")
	env.Setenv(nowVariable, gittest.Date)
	env.Setenv("TESTDATA", mustAbs(filepath.Join("..", "..", "testdata")))
	return nil
}

func mustAbs(p string) string {
	abs, err := filepath.Abs(p)
	if err != nil {
		panic(err)
	}
	return abs
}

// scriptCondition knows [readonly]: whether a folder can be made read-only,
// which for the superuser takes a mount; [account]: whether the user has an
// account, without which ssh-keygen makes no keys; [terminal]: whether the
// command tty works; and [confighooks]: whether git runs hooks that its
// configuration names.
func scriptCondition(name string) (bool, error) {
	switch name {
	case "readonly":
		if runtime.GOOS == "windows" {
			return false, nil
		}
		return os.Getuid() != 0 || exec.Command("unshare", "-m", "true").Run() == nil, nil
	case "confighooks":
		out, err := exec.Command(gittest.Program(), "version").Output()
		var major, minor int
		if err == nil {
			_, err = fmt.Sscanf(string(out), "git version %d.%d", &major, &minor)
		}
		return major > 2 || major == 2 && minor >= 54, err
	case "terminal":
		return haveTTY(), nil
	case "account":
		return exec.Command("id", "-un").Run() == nil, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}
