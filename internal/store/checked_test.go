package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

const name40 = "0123456789012345678901234567890123456789"

func TestCheckIn(t *testing.T) {
	trailers := func(lines ...string) string { return "auth: check\n\nWhy.\n\n" + strings.Join(lines, "\n") + "\n" }
	for _, c := range []struct {
		name, message string
		want          *Check
	}{
		{"none", trailers("Plan: auth", "Plan-Event: completed", "Plan-Task: auth/one"), nil},
		{"whole", trailers("Plan: auth", "Plan-Event: check-passed", "Plan-Task: auth/one", "Plan-Version: 1", "Plan-Code: "+name40, "Plan-Code-Tree: "+name40), &Check{Task: "one", Code: name40, Tree: name40}},
		{"beside a signal", trailers("Plan: auth", "Plan-Event: signal-cleared", "Plan-Task: auth/two", "Plan-Event: check-passed", "Plan-Task: auth/one"), &Check{Task: "one"}},
		{"without a task", trailers("Plan: auth", "Plan-Event: check-passed", "Plan-Code: "+name40), &Check{Code: name40}},
		{"of another plan", trailers("Plan: auth", "Plan-Event: completed", "Plan: api", "Plan-Event: check-passed", "Plan-Task: api/one"), nil},
		{"no names", trailers("Plan: auth", "Plan-Event: check-passed", "Plan-Task: api/one", "Plan-Code: HEAD", "Plan-Code-Tree: 0123"), &Check{}},
		{"in the text", "auth: check\n\nPlan: auth\nPlan-Event: check-passed\n\nPlan: auth\nPlan-Event: revised\n", nil},
	} {
		got := checkIn(c.message, "auth")
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A check that passed is an event of the history, by the message alone.
func TestCheckInHistory(t *testing.T) {
	_, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	check := &Check{Signal: "unit", Task: "one", Code: name40, Tree: name40}
	result, err := repo.Commit(context.Background(), Edit("auth", func(p *plan.Plan) (Message, error) {
		return Message{Check: check}, p.Attest(p.Task("one"), plan.Evidence{Signal: "unit", Code: name40, Tree: name40, At: repo.Now()})
	}))
	if err != nil || result.Plans[0].Event != plan.CheckPassed {
		t.Fatalf("%+v, %v", result.Plans, err)
	}
	commit, err := repo.Store.Commit(context.Background(), result.Commit)
	if err != nil || !strings.HasPrefix(commit.Message, "auth: check unit\n") {
		t.Errorf("message %q, %v", commit.Message, err)
	}
	if got := events(t, repo, "auth"); got != "created, check-passed one" {
		t.Errorf("history: %s", got)
	}
}

func TestNamesTask(t *testing.T) {
	for message, want := range map[string]bool{
		"work\n\nPlan-Task: auth/one\n":                                     true,
		"work\n\nbody\n\nSigned-off-by: A <a@x>\nplan-task:auth/one\n":      true,
		"work\n\nPlan-Task: auth/one\nPlan-Task: auth/two":                  true,
		"work\n\nPlan-Task: auth/one\n\nand more\n":                         false,
		"work\n\nPlan-Task: auth/one-more\n":                                false,
		"auth: start one\n\nPlan: auth\nPlan-Event: x\nPlan-Task: auth/one": false,
		"Plan-Task: auth/two\n":                                             false,
		"":                                                                  false,
	} {
		if got := namesTask(message, "auth/one"); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

// The tree that is named is the one that a commit of the files has, and looking
// leaves nothing behind.
func TestCodeNow(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			g := gittest.New(t, gittest.ObjectFormat(format))
			repo := open(t, g)
			g.Write(".gitignore", "*.log\n")
			g.Write("kept", "1")
			g.Write("gone", "1")
			g.Commit("begin")
			g.Write("kept", "2")
			g.Write("new/file", "3")
			g.Write("noise.log", "4")
			g.Git("rm", "-q", "--cached", "gone")
			before := g.Git("count-objects") + g.Git("status", "--porcelain")
			code, err := repo.Project().Now(context.Background())
			if err != nil || code.Branch != "main" || code.Commit != g.Git("rev-parse", "HEAD") {
				t.Fatalf("%+v, %v", code, err)
			}
			if after := g.Git("count-objects") + g.Git("status", "--porcelain"); after != before {
				t.Errorf("it left %q, where there was %q", after, before)
			}
			g.Git("add", "--all")
			g.Git("commit", "-q", "-m", "all")
			if want := g.Git("rev-parse", "HEAD^{tree}"); code.Tree != want {
				t.Errorf("tree %s, want %s", code.Tree, want)
			}
		})
	}
}

// A file that was edited right after it was added, to as many bytes, has the time
// that the index knows, and only that of the index itself tells git to look.
func TestCodeNowRightAfterAdd(t *testing.T) {
	g := gittest.New(t)
	repo := open(t, g)
	g.Write("file", "1")
	g.Commit("begin")
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	touch := func(name string) {
		if err := os.Chtimes(filepath.Join(g.Dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	g.Git("config", "core.trustctime", "false") // a test can set no other time
	touch("file")
	g.Git("update-index", "--refresh")
	touch(".git/index")
	if err := os.WriteFile(filepath.Join(g.Dir, "file"), []byte("2"), 0o666); err != nil {
		t.Fatal(err)
	}
	touch("file")
	code, err := repo.Project().Now(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	g.Git("add", "file")
	if want := g.Git("write-tree"); code.Tree != want {
		t.Errorf("tree %s, want %s", code.Tree, want)
	}
}

func TestCodeNowWhereThereIsNone(t *testing.T) {
	g := gittest.NewBare(t)
	if code, err := open(t, g).Project().Now(context.Background()); err != nil || code.Commit != "" || code.Tree != "" {
		t.Errorf("bare and without a commit: %+v, %v", code, err)
	}
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	g.Git("worktree", "add", "-q", "../plans-here", "plans")
	if code, err := open(t, g.At(g.Dir+"/../plans-here")).Project().Now(context.Background()); err != nil || code != (Code{}) {
		t.Errorf("in a worktree of the plans: %+v, %v", code, err)
	}
}

// A commit is looked for only where it is asked for, and only as far as that
// makes sense.
func TestEvidence(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	g.Write("work", "1")
	g.Git("add", "work")
	g.Git("commit", "-q", "-m", "work", "-m", "Plan-Task: auth/one")
	work := g.Git("rev-parse", "HEAD")
	g.Git("commit", "-q", "--allow-empty", "-m", "later")
	world, err := repo.Project().World(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	look := func(gates validate.Gates) Subject {
		before, after := load(t, repo, "auth").Plan, load(t, repo, "auth").Plan
		if _, err := after.Transition(after.Task("one"), plan.Move{To: plan.Done, At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		s := Subject{Plan: after, Parent: before, Scope: validate.Change, Search: true}
		if err := s.search(t.Context(), Policy{Gates: gates}, world); err != nil {
			t.Fatal(err)
		}
		return s
	}
	gates := validate.DefaultGates()
	if s := look(gates); s.shown != nil {
		t.Error("it was not asked")
	}
	gates.Evidence = validate.Required
	s := look(gates)
	if e := s.shown["one"]; e.Commit != work || e.Patch == "" {
		t.Errorf("shown %+v, want commit %s", s.shown, work)
	}
	for commit, want := range map[string]validate.Existence{
		work: validate.Yes, work[:12]: validate.Yes, g.Git("rev-parse", "HEAD"): validate.No, g.Git("rev-parse", "plans"): validate.No, name40: validate.Unknown,
		g.Git("rev-parse", "HEAD^{tree}"): validate.Unknown,
	} {
		if got := world.Names(commit, "auth/one"); got != want {
			t.Errorf("%s names the task: %v, want %v", commit, got, want)
		}
	}
}

// However many tasks become done at once, their commits are looked for in one
// pass, the newest that names each counts, and one commit may show several.
func TestEvidenceOfManyTasks(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two", "three", "four"))
	var commits []string
	for _, trailers := range []string{"Plan-Task: auth/one", "Plan-Task: auth/one\nPlan-Task: auth/two", "Plan: auth\nPlan-Task: auth/three", "Plan-Task: other/four"} {
		g.Git("commit", "-q", "--allow-empty", "-m", "work", "-m", trailers)
		commits = append(commits, g.Git("rev-parse", "HEAD"))
	}
	before, after := load(t, repo, "auth").Plan, load(t, repo, "auth").Plan
	for _, task := range after.All() {
		if _, err := after.Transition(task, plan.Move{To: plan.Done, At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	s := Subject{Plan: after, Parent: before, Scope: validate.Change, Search: true}
	gates := validate.DefaultGates()
	gates.Evidence = validate.Required
	world, err := repo.Project().World(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.search(t.Context(), Policy{Gates: gates}, world); err != nil {
		t.Fatal(err)
	}
	if len(s.shown) != 2 || s.shown["one"].Commit != commits[1] || s.shown["two"].Commit != commits[1] {
		t.Errorf("shown %+v, want one and two by %s", s.shown, commits[1])
	}
}
