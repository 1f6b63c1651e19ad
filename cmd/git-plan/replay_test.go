package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReplay runs the stories in testdata/replay: what becomes of commits that are not
// published, when another clone published first. Each story is run four times: Ann
// publishes first, or Bob; by `git plan sync`, or each command by itself. Without
// GIT_PLAN_TEST_SOAK two of these four are run.
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
	seen, made := t.TempDir(), &madeTeam{dir: t.TempDir()}
	for _, order := range [][2]string{{"ann", "bob"}, {"bob", "ann"}} {
		for _, mode := range []string{"sync", "auto"} {
			if os.Getenv("GIT_PLAN_TEST_SOAK") != "1" && (order[0] == "ann") != (mode == "sync") {
				continue // two of the four show each order and each mode
			}
			t.Run(order[0]+" first by "+mode, func(t *testing.T) {
				t.Parallel()
				testscript.Run(t, testscript.Params{
					Dir: filepath.Join("..", "..", "testdata", "replay"),
					Setup: func(env *testscript.Env) error {
						env.Setenv(schemasSeen, seen)
						env.Setenv("FIRST", order[0])
						env.Setenv("SECOND", order[1])
						env.Values[dayKey{}] = &day{first: order[0], second: order[1], auto: mode == "auto", team: made, turns: map[string][]turn{}}
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
	team          *madeTeam
}

// madeTeam keeps what the command team made, for all other stories.
type madeTeam struct {
	mu   sync.Mutex
	made bool
	dir  string
}

type turn struct {
	command []string
	loses   bool // if the other clone published first
}

type dayKey struct{}

func dayOf(ts *testscript.TestScript) *day { return ts.Value(dayKey{}).(*day) }

// cmdTeam gives a story a server with the gate and the two clones.
func cmdTeam(ts *testscript.TestScript, neg bool, args []string) {
	d := dayOf(ts)
	d.team.mu.Lock()
	defer d.team.mu.Unlock()
	for _, name := range []string{"srv.git", "ann", "bob", "auth"} {
		if d.team.made {
			ts.Check(os.CopyFS(ts.MkAbs(name), os.DirFS(filepath.Join(d.team.dir, name))))
		}
	}
	if !d.team.made {
		makeTeam(ts)
		for _, name := range []string{"srv.git", "ann", "bob", "auth"} {
			ts.Check(os.CopyFS(filepath.Join(d.team.dir, name), os.DirFS(ts.MkAbs(name))))
		}
		d.team.made = true
	}
	for _, clone := range []string{"ann", "bob"} {
		if d.auto {
			ts.Check(ts.Exec("git", "-C", clone, "config", "plan.push", "auto"))
		}
	}
}

// makeTeam makes it.
func makeTeam(ts *testscript.TestScript) {
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
		if clone == "ann" {
			run("push", "-q", "origin", "main")
		}
		run("config", "plan.push", "never")
		run("plan", "init", "--no-hooks")
		if clone == "ann" {
			save(ts, "../auth/plan.md", "---\ntitle: Log in\n---\n\nWhy.\n")
			for i, id := range []string{"one", "two", "three"} {
				save(ts, fmt.Sprintf("../auth/tasks/0%d-%s.md", i+1, id), fmt.Sprintf("---\nid: %s\n---\n\nDo %s.\n", id, id))
			}
			run("plan", "import", "--id", "auth", "../auth")
		}
		run("plan", "sync", "--manual")
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
