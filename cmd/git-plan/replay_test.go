package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReplay runs the stories in testdata/replay: what becomes of commits that are not
// published, when another clone published first. Each story is run four times: Ann
// publishes first, or Bob; by `git plan sync`, or each command by itself.
//
//	team              Ann and Bob have a clone each, where the plan auth with the tasks one,
//	                  two and three is published
//	ann COMMAND…      what Ann does when her turn comes, and Bob likewise; COMMAND is git,
//	bob COMMAND…      replace, append, mv, rm or clock
//	ann +COMMAND…     a command that loses, or conflicts, if the other published first
//	publish [STATUS]  the turns come: the first works and publishes, then the second,
//	                  whose sync ends with that status; its answer is the last output
//	agree             after one more sync both clones and the server have the same plans
//
// The conditions [ann-first], [bob-first], [sync] and [auto] say which run it is;
// $FIRST and $SECOND are the clones.
func TestReplay(t *testing.T) {
	seen := t.TempDir()
	for _, order := range [][2]string{{"ann", "bob"}, {"bob", "ann"}} {
		for _, mode := range []string{"sync", "auto"} {
			t.Run(order[0]+" first by "+mode, func(t *testing.T) {
				t.Parallel()
				testscript.Run(t, testscript.Params{
					Dir: filepath.Join("..", "..", "testdata", "replay"),
					Setup: func(env *testscript.Env) error {
						env.Setenv(schemasSeen, seen)
						env.Setenv("FIRST", order[0])
						env.Setenv("SECOND", order[1])
						env.Values[dayKey{}] = &day{first: order[0], second: order[1], auto: mode == "auto", turns: map[string][]turn{}}
						return setUpScript(env)
					},
					Cmds:                replayCommands(),
					RequireExplicitExec: true,
					Condition: func(name string) (bool, error) {
						switch name {
						case "sync", "auto":
							return name == mode, nil
						case "ann-first", "bob-first":
							return name == order[0]+"-first", nil
						}
						return scriptCondition(name)
					},
				})
			})
		}
	}
}

func replayCommands() map[string]func(*testscript.TestScript, bool, []string) {
	all := scriptCommands()
	all["team"], all["publish"], all["agree"] = cmdTeam, cmdPublish, cmdAgree
	for _, clone := range []string{"ann", "bob"} {
		all[clone] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) == 0 {
				ts.Fatalf("usage: %s command…", clone)
			}
			name, loses := strings.CutPrefix(args[0], "+")
			d := dayOf(ts)
			d.turns[clone] = append(d.turns[clone], turn{slices.Concat([]string{name}, args[1:]), loses})
		}
	}
	return all
}

// day is what two clones do, and in which order they publish.
type day struct {
	first, second string
	auto          bool // each command publishes
	turns         map[string][]turn
}

type turn struct {
	command []string
	loses   bool // if the other clone published first
}

type dayKey struct{}

func dayOf(ts *testscript.TestScript) *day { return ts.Value(dayKey{}).(*day) }

// cmdTeam makes a server with the gate and the two clones.
func cmdTeam(ts *testscript.TestScript, neg bool, args []string) {
	run := func(args ...string) { ts.Check(ts.Exec("git", args...)) }
	enter := func(dir string) { ts.Check(ts.Chdir(filepath.Join(ts.Getenv("WORK"), dir))) }
	run("init", "-q", "--bare", "srv.git")
	run("-C", "srv.git", "plan", "hooks", "install")
	for _, clone := range []string{"ann", "bob"} {
		enter(".")
		run("init", "-q", "-b", "main", clone)
		enter(clone)
		run("config", "user.name", clone)
		run("remote", "add", "origin", "../srv.git")
		run("commit", "-q", "--allow-empty", "-m", "begin")
		run("config", "plan.push", "never")
		run("plan", "init", "--no-hooks")
		if clone == "ann" {
			save(ts, "../auth/plan.md", "---\ntitle: Log in\n---\n\nWhy.\n")
			for i, id := range []string{"one", "two", "three"} {
				save(ts, fmt.Sprintf("../auth/tasks/0%d-%s.md", i+1, id), fmt.Sprintf("---\nid: %s\n---\n\nDo %s.\n", id, id))
			}
			run("plan", "import", "--id", "auth", "../auth")
		}
		run("plan", "sync")
		if dayOf(ts).auto {
			run("config", "plan.push", "auto")
		}
	}
	enter(".")
}

func save(ts *testscript.TestScript, file, text string) {
	file = ts.MkAbs(file)
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	ts.Check(os.WriteFile(file, []byte(text), 0o666))
}

// cmdPublish lets the clones work and publish, one after the other.
func cmdPublish(ts *testscript.TestScript, neg bool, args []string) {
	d := dayOf(ts)
	for i, clone := range []string{d.first, d.second} {
		ts.Check(ts.Chdir(filepath.Join(ts.Getenv("WORK"), clone)))
		ts.Setenv("GIT_PLAN_AGENT", clone)
		for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
			ts.Setenv(name, clone)
		}
		for _, t := range d.turns[clone] {
			want := 0
			if t.loses && d.auto && i == 1 {
				want = 1
			}
			t.run(ts, want)
		}
		if !d.auto {
			want := "0"
			if i == 1 && len(args) > 0 {
				want = args[0]
			}
			cmdExits(ts, false, []string{want, "git", "plan", "sync"})
		}
	}
	d.turns = map[string][]turn{}
	ts.Check(ts.Chdir(ts.Getenv("WORK")))
}

// run does one thing, which ends with a status.
func (t turn) run(ts *testscript.TestScript, want int) {
	args := t.command[1:]
	switch t.command[0] {
	case "replace":
		cmdReplace(ts, false, args)
	case "append":
		cmdAppend(ts, false, args)
	case "clock":
		cmdClock(ts, false, args)
	case "mv":
		ts.Check(os.Rename(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
	case "rm":
		ts.Check(os.RemoveAll(ts.MkAbs(args[0])))
	case "git":
		cmdExits(ts, false, slices.Concat([]string{fmt.Sprint(want), "git"}, args))
	default:
		ts.Fatalf("unknown command: %s", t.command[0])
	}
}

// cmdAgree brings both clones up to date.
func cmdAgree(ts *testscript.TestScript, neg bool, args []string) {
	tips := map[string]bool{}
	for _, clone := range []string{"ann", "bob"} {
		ts.Check(ts.Exec("git", "-C", clone, "plan", "sync"))
	}
	for _, dir := range []string{"ann", "bob", "srv.git"} {
		ts.Check(ts.Exec("git", "-C", dir, "rev-parse", "refs/heads/plans"))
		tips[ts.ReadFile("stdout")] = true
	}
	if len(tips) > 1 {
		ts.Fatalf("the plans differ: %v", tips)
	}
	ts.Check(ts.Exec("git", "-C", "srv.git", "fsck", "--strict", "--no-progress"))
	err := ts.Exec("git", "-C", "srv.git", "rev-list", "--merges", "plans")
	if exit := new(exec.ExitError); errors.As(err, &exit) || ts.ReadFile("stdout") != "" {
		ts.Fatalf("the history is no line: %v", err)
	}
}
