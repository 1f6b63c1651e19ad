package reliability

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// TestMain builds the program into a folder at the head of PATH, where git
// looks for it.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runWithProgram(m))
}

func runWithProgram(m *testing.M) int {
	if list := flag.Lookup("test.list"); list != nil && list.Value.String() != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "git-plan-built-")
	if err != nil {
		return failed(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "git-plan")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "./cmd/git-plan")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if out, err := build.CombinedOutput(); err != nil {
		return failed(fmt.Errorf("%w\n%s", err, out))
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return failed(err)
	}
	return m.Run()
}

func failed(err error) int {
	fmt.Fprintf(os.Stderr, "build the program: %v\n", err)
	return 1
}

// isSoak reports whether the tests are to run at full length.
func isSoak() bool { return os.Getenv("GIT_PLAN_TEST_SOAK") == "1" }

// scale gives how much of something a test does: usual, or full at full length.
func scale(usual, full int) int {
	if isSoak() {
		return full
	}
	return usual
}

// answer is what one run of the program came to.
type answer struct {
	// exit is the status; -1 if a signal ended the program.
	exit   int
	stdout string
	// said is what went wrong, in the program's words.
	said string
}

// answered makes an answer of what a command printed and how it ended.
func answered(out string, err error) answer {
	a := answer{stdout: out}
	if err != nil {
		a.exit, a.said = -1, err.Error()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		a.exit = exit.ExitCode()
	}
	return a
}

// get gives a value of the JSON document printed, by keys and indexes joined
// by dots; "" if there is none. A list or object is given as JSON.
func (a answer) get(path string) string {
	var doc any
	if json.Unmarshal([]byte(a.stdout), &doc) != nil {
		return ""
	}
	for key := range strings.SplitSeq(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[key]
		case []any:
			var i int
			if n, _ := fmt.Sscan(key, &i); n != 1 || i >= len(v) {
				return ""
			}
			doc = v[i]
		default:
			return ""
		}
	}
	if text, ok := doc.(string); ok {
		return text
	}
	data, _ := json.Marshal(doc)
	return strings.TrimPrefix(string(data), "null")
}

// place is a repository as one who runs git plan sees it.
type place struct {
	*gittest.Repo
	// global are git's own options before "plan".
	global []string
	// code is where the project is checked out, if it is elsewhere.
	code *gittest.Repo
	t    *testing.T
}

// at makes the plain place.
func at(t *testing.T, r *gittest.Repo) *place { return &place{Repo: r, code: r, t: t} }

// try runs git plan with --json.
func (p *place) try(args ...string) answer {
	return answered(p.TryGit(slices.Concat(p.global, []string{"plan"}, args, []string{"--json"})...))
}

// must is try for what has to succeed.
func (p *place) must(args ...string) answer {
	p.t.Helper()
	a := p.try(args...)
	if a.exit != 0 {
		p.t.Fatalf("git plan %s: status %d: %s%s", strings.Join(args, " "), a.exit, a.stdout, a.said)
	}
	return a
}

// refused is try for what has to fail, with a status and a type of error. The
// message is returned.
func (p *place) refused(exit int, kind string, args ...string) string {
	p.t.Helper()
	a := p.try(args...)
	if a.exit != exit || a.get("error_type") != kind || a.get("message") == "" {
		p.t.Errorf("git plan %s: status %d, want %d and %s: %s%s", strings.Join(args, " "), a.exit, exit, kind, a.stdout, a.said)
	}
	return a.get("message")
}

// tip gives the commit of the plans, "" if there is none.
func (p *place) tip() string {
	name, _ := p.TryGit(slices.Concat(p.global, []string{"rev-parse", "--verify", "-q", "refs/heads/plans^{commit}"})...)
	return name
}

// fsck fails the test if git finds a fault.
func (p *place) fsck() {
	p.t.Helper()
	out, err := p.TryGit(slices.Concat(p.global, []string{"fsck", "--strict", "--no-dangling", "--no-progress"})...)
	if err != nil || strings.Contains(out, "error") {
		p.t.Errorf("git fsck: %v\n%s", err, out)
	}
}

// needs skips the test where git cannot do what its words are run for.
func needs(t *testing.T, version string, args ...string) {
	t.Helper()
	probe := gittest.New(t)
	if _, err := probe.TryGit(args...); err != nil {
		said, _, _ := strings.Cut(err.Error(), "\n")
		t.Skipf("this needs git %s: %s", version, said)
	}
}

// writePlan writes a plan of some tasks, t1 and so on, each with a body of its
// own, into a folder.
func writePlan(t *testing.T, dir, title string, tasks int) {
	t.Helper()
	write := func(path, text string) {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("plan.md", "---\ntitle: "+title+"\n---\n\nWhy "+title+" is wanted.\n")
	for i := 1; i <= tasks; i++ {
		write(fmt.Sprintf("tasks/%02d-t%d.md", i, i), fmt.Sprintf("---\nid: t%d\n---\n\nStep %d of %s.\n", i, i, title))
	}
}

// planned makes a repository that has a store with one plan of some tasks.
func planned(t *testing.T, id string, tasks int, opts ...gittest.Option) *gittest.Repo {
	t.Helper()
	p := at(t, gittest.New(t, opts...))
	p.must("init")
	p.draft(id, tasks)
	return p.Repo
}

// draft commits the first plans of a worktree, each from a thread of its own.
func (p *place) draft(first string, tasks int, more ...string) {
	p.t.Helper()
	writePlan(p.t, p.must("dir").get("plan_dir"), first, tasks)
	for _, title := range more {
		writePlan(p.t, p.must("request-thread-dir").get("plan_dir"), title, tasks)
	}
	p.must("commit")
}
