package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What a terminal would obey: it sets a title, clears the screen, hides text,
// turns text around, and leaves its line.
const (
	hostileRaw  = "A\x1b]0;pwned\aB\x1b[2J\x1b[8mC\u202eD\u200bE\u2066F\tG\rH\u009b31mI\x7fJ\u034f\U000e0041"
	hostileYAML = `"A\e]0;pwned\aB\e[2J\e[8mC\u202eD\u200bE\u2066F\tG\rH\x9b31mI\nJ\u034f"`
)

// hostileWord is longer than any line.
var hostileWord = strings.Repeat("wörd計", 300)

// newHostile makes a store that native git put hostile plans into, a draft of
// such a plan, and files of other forms with such texts.
func newHostile(t *testing.T) *gittest.Repo {
	t.Helper()
	g := gittest.New(t)
	g.Git("commit", "-q", "--allow-empty", "-m", "begin")
	mustPlan(t, g, "init", "--no-hooks")
	g.Git("worktree", "add", "-q", "store", "plans")
	store := g.At(filepath.Join(g.Dir, "store"))
	writeHostile(store.Write, "evil/")
	store.Git("add", ".")
	store.Git("commit", "-q", "--no-verify", "-m", "Add "+hostileRaw, "-m", "Because\n"+hostileRaw, "-m", "Plan-Agent: "+hostileRaw)
	store.Write("evil/tasks/01-one.md", strings.Replace(store.Read("evil/tasks/01-one.md"), "status: failed", "status: pending\nx-more: "+hostileYAML, 1))
	store.Write("evil/tasks/04-more.md", "---\nid: more\ntitle: "+hostileYAML+"\n---\n\n"+hostileRaw+"\n")
	store.Git("add", ".")
	store.Git("-c", "user.name=Eve "+strings.ReplaceAll(hostileRaw, "\r", ""), "commit", "-q", "--no-verify", "-m", hostileRaw)
	g.Git("worktree", "remove", "--force", "store")
	mustPlan(t, g, "dir")
	writeHostile(g.Write, ".plans/thread-1/")
	g.Write("spec.md", "# "+hostileRaw+"\n\n> "+hostileRaw+"\n\n## Steps\n\n1. [ ] "+hostileRaw+"\n")
	g.Write("rawko.yaml", "id: raw\ntask: "+hostileYAML+"\ndescription: "+hostileYAML+"\nstatus: "+hostileYAML+"\nsteps: []\n")
	g.Write("answer.txt", "PLAN_CMD "+hostileRaw+"\nREVISE 1 "+hostileRaw+"\n")
	g.Write("loop.json", `{"tasks":[{"title":"A\u001b[2J\u202e","stat\u001bus":"\u001b]0;x\u0007"}]}`)
	return g
}

// writeHostile writes a plan's files, hostile wherever a person may write.
func writeHostile(write func(path, text string), at string) {
	write(at+"plan.md", "---\ntitle: "+hostileYAML+"\ngoal: "+hostileYAML+"\ngoal_detail: ["+hostileYAML+"]\nconstraints: ["+hostileYAML+", "+hostileWord+
		"]\ntags: ["+hostileYAML+"]\ninformed_by: ["+hostileYAML+"]\nfinal_summary: "+hostileYAML+"\n---\n\n"+hostileRaw+"\n"+hostileWord+"\n")
	fields := "title: " + hostileYAML + "\nagent: " + hostileYAML + "\nexecuted_by: " + hostileYAML + "\nresult: " + hostileYAML + "\nerror: " + hostileYAML + "\nestimate: " + hostileYAML
	for _, list := range []string{"context_hints", "relevant_file_paths", "creates", "inputs", "outputs", "subtasks", "acceptance_criteria", "affected_files", "notes", "evidence", "tags"} {
		fields += "\n" + list + ": [" + hostileYAML + "]"
	}
	write(at+"tasks/01-one.md", "---\nid: one\nstatus: failed\n"+fields+"\n---\n\n"+hostileRaw+"\n")
	write(at+"tasks/02-two.md", "---\nid: two\nstatus: in_progress\nx-odd: "+hostileYAML+"\n"+fields+"\n---\n\n"+hostileWord+"\n")
	write(at+"tasks/03-three.md", "---\nid: "+hostileYAML+"\ntitle: "+hostileWord+"\nkind: "+hostileYAML+"\ntype: "+hostileYAML+"\nstatus: "+hostileYAML+"\npriority: "+hostileYAML+
		"\ndepends_on: ["+hostileYAML+"]\n\"od\\e[2Jd\": 1\n---\n\n"+hostileRaw+"\n")
	write(at+"signals/ci.md", "---\nlevel: warning\ntask: one\nsource: "+hostileYAML+"\nopened_by: "+hostileYAML+"\n---\n\n"+hostileRaw+"\n")
}

// mustPlan runs the program, which must succeed.
func mustPlan(t *testing.T, g *gittest.Repo, args ...string) {
	t.Helper()
	if out, status := planOutput(g, args...); status != 0 {
		t.Fatalf("git plan %q ended with status %d: %s", args, status, out)
	}
}

// planOutput gives what the program prints on both streams.
func planOutput(g *gittest.Repo, args ...string) (string, int) {
	var out strings.Builder
	status := Main(Env{Stdin: strings.NewReader(hostileRaw), Stdout: &out, Stderr: &out, Dir: g.Dir, Environ: g.Env, Now: testClock}, args)
	return out.String(), status
}

// hostileCommands are the commands that show text of plans, or of files, to a
// person, and those whose documents somebody may look at.
func hostileCommands() [][]string {
	lines := []string{
		"list", "list --archived", "show evil", "show evil --all", "show evil@{1} --all", "show evil/one", "show evil/two", "board", "board evil", "board evil --all", "log", "log evil",
		"log --graph", "log --graph evil", "log --graph --versions evil", "log --versions", "diff evil", "diff evil@{1} evil", "diff plans~1 plans", "graph evil",
		"graph evil --format mermaid", "graph evil --format dot", "grep -i pwned", "grep . evil", "next evil", "status", "status evil --all", "prime", "prime evil", "brief evil", "alert list", "alert list --plan evil",
		"check", "check evil", "check plans", "check plans~1..plans", "check .plans/thread-1", "check --staged", "commit", "commit --dry-run", "doctor", "context", "fmt", "fmt --check",
		"show .plans/thread-1", "show spec.md", "graph .plans/thread-1", "board .plans/thread-1", "diff .plans/thread-1 evil", "import spec.md", "import rawko.yaml", "import loop.json",
		"convert rawko.yaml -t planspec", "task done evil/one", "task start evil/one", "task done evil/nothing", "archive evil", "abandon evil", "replan evil --reason x --from spec.md", "replan evil --reason x --from .plans/thread-1",
		"apply evil answer.txt", "apply evil", "update", "alert clear nothing --plan evil", "checkout evil", "use evil", "propose evil", "sync", "export -t planspec evil", "suggest", "hooks status",
		"textconv rawko.yaml", "show evil --format markdown", "show evil --format planspec", "show evil --format html", "diff evil --format markdown", "diff evil --format html", "export -t rawko evil", "export -t hopspec evil",
		"convert spec.md -t hopspec", "show evil --json", "list --json", "log --json", "events evil", "diff evil --json", "board --json", "graph evil --json", "grep --json .", "check plans --json",
		"check plans --format sarif", "check plans --format github", "check plans --format junit", "next evil --json", "status evil --json", "alert list --json", "export -t json evil", "export -t planloop evil",
		"brief evil --json", "prime evil --json", "textconv .plans/thread-1/plan.md",
	}
	var out [][]string
	for _, line := range lines {
		out = append(out, strings.Fields(line))
	}
	for _, name := range []string{"show", "log", "diff", "graph", "board", "grep", "check", "task", "next", "explain", "import", "use", "schema", "prompt", "export"} {
		out = append(out, []string{name, hostileRaw}) // what is typed, or pasted
	}
	return append(out, []string{hostileRaw}, []string{"list", "--status", hostileRaw}, []string{"list", "--" + hostileRaw}, []string{"task", "fail", "evil/one", "-m", hostileRaw},
		[]string{"start", "--goal", hostileRaw}, []string{"alert", "open", hostileRaw, "--plan", "evil"})
}

// Nothing that stands in a plan, a message, a file or an argument reaches a
// terminal as anything but text, in no command.
func TestHostileTextIsHarmless(t *testing.T) {
	seed := newHostile(t)
	ours := regexp.MustCompile("\x1b\\[(?:[0-9;]*)m")
	known := map[string]bool{"\x1b[m": true}
	for _, code := range []string{"1", "2", "31", "32", "33", "34", "35", "36", "1;31", "1;35", "1;36"} {
		known["\x1b["+code+"m"] = true
	}
	for _, columns := range []string{"", "80"} {
		for _, args := range hostileCommands() {
			name := strings.Join(args, " ")
			g := seed.With("COLUMNS=" + columns)
			out, _ := planOutput(g, append(slices.Clone(args), "--color=always")...)
			for _, sequence := range ours.FindAllString(out, -1) {
				if !known[sequence] {
					t.Errorf("git plan %.60q at %q columns prints the sequence %q", name, columns, sequence)
				}
			}
			if out == "" {
				t.Errorf("git plan %.60q at %q columns prints nothing", name, columns)
			}
			if at := harmful(ours.ReplaceAllString(out, "")); at != "" {
				t.Errorf("git plan %.60q at %q columns prints %q", name, columns, at)
			}
		}
	}
}

// harmful gives the surroundings of a character that no terminal should get.
func harmful(text string) string {
	for i, r := range text {
		bad := r == utf8.RuneError || unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
		if bad {
			return text[max(0, i-40):min(len(text), i+20)]
		}
	}
	return ""
}
