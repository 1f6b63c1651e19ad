package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

const (
	storedPlan = "---\ntitle: Sign users in\n---\n\nText.\n"
	faultyTask = "---\nid: one\ndepends_on: [日本, two]\n---\n\nDo it.\n"
)

// checkedAtTerminal runs a check as at a terminal and gives what it prints.
func checkedAtTerminal(t *testing.T, g *gittest.Repo, opts checkOptions) string {
	t.Helper()
	var out, errs strings.Builder
	a := newApp(Env{Stdout: &out, Stderr: &errs, Dir: g.Dir, Environ: g.Env, Now: testClock})
	defer a.close()
	ctx := context.Background()
	opts.format = "text"
	c, err := a.newChecker(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	c.carets = true
	if err := c.look(ctx, opts); err != nil {
		t.Fatal(err)
	}
	if err := c.answer("text"); err != errNo {
		t.Errorf("%v\n%s", err, errs.String())
	}
	return out.String()
}

// Wherever a plan comes from, at a terminal the line that a finding is about is
// shown below it.
func TestCheckShowsTheLine(t *testing.T) {
	g := gittest.New(t)
	run := func(args ...string) {
		t.Helper()
		if status := Main(Env{Stdout: &strings.Builder{}, Stderr: os.Stderr, Dir: g.Dir, Environ: g.Env, Now: testClock}, args); status != 0 {
			t.Fatalf("git plan %v: status %d", args, status)
		}
	}
	run("init")
	run("dir")
	g.Write(".plans/thread-1/plan.md", storedPlan)
	g.Write(".plans/thread-1/tasks/01-one.md", faultyTask)
	g.Write("docs/auth/plan.md", storedPlan)
	g.Write("docs/auth/tasks/01-one.md", faultyTask)
	g.Git("add", "docs")
	view := filepath.Join(t.TempDir(), "view")
	g.Git("worktree", "add", "-q", view, "plans")
	tree := g.At(view)
	tree.Write("auth/plan.md", storedPlan)
	tree.Write("auth/tasks/01-one.md", faultyTask)
	tree.Git("add", "-A")
	tree.Git("commit", "-q", "--no-verify", "-m", "by hand")
	tree.Write("shop/plan.md", storedPlan)
	tree.Write("shop/tasks/01-one.md", faultyTask)
	tree.Git("add", "-A")

	const line = "  3 | depends_on: [日本, two]\n    |                    ^\n"
	for name, tt := range map[string]struct {
		repo *gittest.Repo
		opts checkOptions
		path string
	}{
		"a thread":        {g, checkOptions{}, ".plans/thread-1"},
		"a folder":        {g, checkOptions{targets: []string{"./docs/auth"}}, "docs/auth"},
		"a staged folder": {g, checkOptions{staged: true}, "docs/auth"},
		"a stored plan":   {g, checkOptions{targets: []string{"auth"}}, "auth"},
		"a revision":      {g, checkOptions{targets: []string{"plans"}}, "auth"},
		"a range":         {g, checkOptions{targets: []string{"plans~1..plans"}}, "auth"},
		"a checkout":      {tree, checkOptions{targets: []string{"."}}, "shop"},
		"a staged store":  {tree, checkOptions{staged: true}, "shop"},
	} {
		t.Run(name, func(t *testing.T) {
			got := checkedAtTerminal(t, tt.repo, tt.opts)
			_, rest, ok := strings.Cut(got, tt.path+"/tasks/01-one.md:3:18: error:")
			_, rest, _ = strings.Cut(rest, "\n")
			if !ok || !strings.HasPrefix(rest, line) {
				t.Errorf("no line below the finding:\n%s", got)
			}
		})
	}
}

// A link in a draft's folder is reported and not read.
func TestCheckShowsNothingBehindLinks(t *testing.T) {
	g := gittest.New(t)
	for _, args := range [][]string{{"init"}, {"dir"}} {
		if status := Main(Env{Stdout: &strings.Builder{}, Stderr: os.Stderr, Dir: g.Dir, Environ: g.Env, Now: testClock}, args); status != 0 {
			t.Fatal(status)
		}
	}
	g.Write("secret.md", "secret\n")
	g.Write(".plans/thread-1/plan.md", storedPlan)
	g.Write(".plans/thread-1/tasks/02-x.md", faultyTask)
	if err := os.Symlink(filepath.Join(g.Dir, "secret.md"), filepath.Join(g.Dir, ".plans/thread-1/tasks/01-one.md")); err != nil {
		t.Skip(err)
	}
	if got := checkedAtTerminal(t, g, checkOptions{}); strings.Contains(got, "| secret") || !strings.Contains(got, "[file-mode]") {
		t.Error(got)
	}
}

// Only a person at a terminal is shown more.
func TestAtTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, e := range map[string]Env{
		"a buffer": {Stdout: &strings.Builder{}},
		"a file":   {Stdout: &checkedWriter{Writer: file}},
	} {
		if e.atTerminal() {
			t.Errorf("%s is taken for a terminal", name)
		}
	}
}
