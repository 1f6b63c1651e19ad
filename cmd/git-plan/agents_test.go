package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// obedient is an agent that does what the answers of the program tell it, and
// knows nothing else: the commands it runs are those that it is given.
type obedient struct {
	t    *testing.T
	name string
	repo *gittest.Repo
	done []string // the refs of the tasks it did
	red  int      // how often its tests failed
}

// orders is what an agent reads of an answer of status.
type orders struct {
	Now struct {
		Reason       string `json:"reason"`
		Instructions string `json:"agent_instructions"`
		Content      string `json:"instructions_content"`
		Summary      string `json:"final_summary"`
		Task         struct {
			Ref    string `json:"ref"`
			Status string `json:"status"`
		} `json:"current_task"`
	} `json:"now"`
}

// run runs a command as it is written in an instruction, with what the agent
// has to say in the place of the dots. It gives what was printed.
func (a *obedient) run(command, say string) (out string, status int) {
	a.t.Helper()
	var args []string
	for _, m := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(command, -1) {
		args = append(args, strings.ReplaceAll(m[1]+m[2]+m[3], "...", say))
	}
	if len(args) < 3 || args[0] != "git" || args[1] != "plan" {
		a.t.Fatalf("no command of ours: %s", command)
	}
	var stdout, stderr strings.Builder
	status = Main(Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: a.repo.Dir, Environ: a.repo.Env, Now: time.Now}, args[2:])
	if status > 1 {
		a.t.Errorf("%s: %s ended with %d: %s%s", a.name, command, status, stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String()), status
}

// command picks the one command of an instruction that has a word in it.
func (a *obedient) command(instructions, word string) string {
	a.t.Helper()
	for _, m := range regexp.MustCompile("`(git plan [^`]*)`").FindAllStringSubmatch(instructions, -1) {
		if strings.Contains(m[1], word) {
			return m[1]
		}
	}
	a.t.Fatalf("%s: no command with %s in: %s", a.name, word, instructions)
	return ""
}

// work goes round the loop until the plan is summed up.
func (a *obedient) work() {
	for range 400 {
		out, status := a.run("git plan status --json", "")
		var o orders
		if err := json.Unmarshal([]byte(out), &o); err != nil || status != 0 {
			a.t.Errorf("%s: status ended with %d: %s", a.name, status, out)
			return
		}
		if a.obey(o) || a.t.Failed() {
			return
		}
	}
	a.t.Errorf("%s does not come to an end", a.name)
}

// obey does what one answer asks for, and reports whether that was the end.
func (a *obedient) obey(o orders) (end bool) {
	now := o.Now
	switch now.Reason {
	case "sync_instructions":
		file := regexp.MustCompile("Your `([^`]+)` is out of sync").FindStringSubmatch(now.Instructions)
		a.repo.Write(file[1], now.Content)
	case "ready_for_task":
		a.doTask(o)
	case "replan_required":
		a.replan(now.Instructions)
	case "waiting_on_tasks":
		time.Sleep(10 * time.Millisecond)
	case "waiting_on_signal":
		a.mend(now.Instructions)
	case "plan_completed":
		if now.Summary != "" {
			return true
		}
		a.run(a.command(now.Instructions, "final_summary"), "Everything is stored.")
	default:
		a.t.Errorf("%s is told %s", a.name, now.Reason)
		return true
	}
	return false
}

// doTask takes the task, or goes on with the one it has. The part that cannot
// be done fails.
func (a *obedient) doTask(o orders) {
	now := o.Now
	if now.Task.Status != "IN_PROGRESS" {
		a.run(a.command(now.Instructions, "IN_PROGRESS"), "") // where another was faster, the next answer says so
		return
	}
	report := a.command(now.Instructions, "DONE")
	switch now.Task.Ref {
	case "decompose":
		report = strings.Replace(report, `{"update_tasks"`, `{"add_tasks": [`+parts(9)+`], "update_tasks"`, 1)
	case "store-part-4":
		a.run(strings.NewReplacer("DONE", "FAILED", "result", "error").Replace(report), "the disk is full")
		return
	}
	time.Sleep(5 * time.Millisecond) // the work
	if now.Task.Ref == "store-part-2" && a.red == 0 {
		a.red++
		a.check(strings.NewReplacer("<signal id>", "tests", "<the command that failed>", "git no-such-tests").Replace(a.rules("alert run")), false)
		if out, status := a.run(report, "it is stored"); status != 1 || !strings.Contains(out, "invalid_transition") {
			a.t.Errorf("%s: reported done under red tests: %d %s", a.name, status, out)
		}
		return
	}
	if _, status := a.run(report, "it is stored"); status == 0 {
		a.done = append(a.done, now.Task.Ref)
	}
}

// rules finds a command in the rules that the agent was given.
func (a *obedient) rules(word string) string {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(a.repo.Dir, "docs", "agents.md"))
	if err != nil {
		a.t.Fatal(err)
	}
	return a.command(string(text), word)
}

// check runs a check through the program, and holds how it ended against what
// was to come.
func (a *obedient) check(command string, passes bool) {
	a.t.Helper()
	if _, status := a.run(command, ""); passes != (status == 0) {
		a.t.Errorf("%s: %s ended with %d", a.name, command, status)
	}
}

// mend finds the tests green again, and says so by the command it is told.
func (a *obedient) mend(instructions string) {
	a.check(strings.Replace(a.command(instructions, "alert run"), "COMMAND", "git version", 1), true)
}

// parts are tasks of which every third waits for the one before it.
func parts(n int) string {
	var out []string
	for i := 1; i <= n; i++ {
		needs := ""
		if i%3 == 0 {
			needs = fmt.Sprint(i) // the number of the task before: decompose is the first
		}
		out = append(out, fmt.Sprintf(`{"title": "Store part %d", "type": "feature", "dependencies": [%s], "context_hints": ["Read spec.md"], "relevant_file_paths": ["spec.md"]}`, i, needs))
	}
	return strings.Join(out, ",")
}

// replan puts another task in the place of the one that failed.
func (a *obedient) replan(instructions string) {
	folder, status := a.run(a.command(instructions, "checkout"), "")
	if status != 0 {
		return
	}
	old := filepath.Join(folder, "tasks", "05-store-part-4.md")
	data, err := os.ReadFile(old)
	if err != nil {
		return // the other agent has done it
	}
	text := strings.Replace(string(data), "id: store-part-4\ntitle: Store part 4", "id: rent-a-disk\ntitle: Rent a disk", 1)
	if err := os.WriteFile(filepath.Join(folder, "tasks", "05-rent-a-disk.md"), []byte(text), 0o666); err != nil {
		a.t.Error(err)
	}
	if err := os.Remove(old); err != nil {
		a.t.Error(err)
	}
	a.run(strings.Replace(a.command(instructions, "replan"), "FOLDER", `"`+folder+`"`, 1), "the disk is full")
}

// Two agents that know nothing but what the answers tell them get through one
// plan, from its goal to its summary, with tests that fail, a task that fails
// and a replan. Each task is done once.
func TestObedientAgents(t *testing.T) {
	g := gittest.New(t)
	g.Write("spec.md", "Parts.\n")
	g.Git("add", ".")
	g.Git("commit", "-q", "-m", "begin")
	g = g.With("GIT_PLAN=parts")
	user := &obedient{t: t, name: "user", repo: g}
	user.run("git plan init --no-hooks", "")
	user.run("git plan start --goal 'Store the parts' --spec spec.md --id parts", "")

	var agents []*obedient
	var wait sync.WaitGroup
	for _, name := range []string{"anna", "bert"} {
		dir := filepath.Join(t.TempDir(), name)
		g.Git("worktree", "add", "-q", "--detach", dir)
		a := &obedient{t: t, name: name, repo: g.For(t, dir).With("GIT_PLAN_AGENT=" + name)}
		agents = append(agents, a)
		wait.Go(a.work)
	}
	wait.Wait()

	red := 0
	by := map[string]string{}
	for _, a := range agents {
		red += a.red
		for _, ref := range a.done {
			if by[ref] != "" {
				t.Errorf("%s was done by %s and by %s", ref, by[ref], a.name)
			}
			by[ref] = a.name
		}
	}
	if red != 1 {
		t.Errorf("%d runs of tests failed", red)
	}
	if len(by) != 10 || by["rent-a-disk"] == "" || by["store-part-4"] != "" {
		t.Errorf("done were %v", by)
	}
	out, _ := user.run("git plan show --json", "")
	for _, want := range []string{`"status":"complete","version":2`, `"final_summary":"Everything is stored."`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
}
