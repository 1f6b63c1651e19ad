package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// encounter is two clones and the server they share.
type encounter struct {
	t              *testing.T
	top            string
	srv, a, b      *gittest.Repo
	said, complain string // what the last command wrote
}

// newMeetingSeed makes what every meeting begins with.
func newMeetingSeed(t *testing.T) *gittest.Repo {
	t.Helper()
	top := gittest.New(t)
	e := &encounter{t: t}
	e.open(top)
	for _, who := range []string{"ant", "bee"} {
		top.Write("for-"+who+"/plan.md", "---\ntitle: Auth\n---\n\nOnce more.\n")
		top.Write("for-"+who+"/tasks/"+map[string]string{"ant": "01", "bee": "02"}[who]+"-"+who+".md", madeTask(who, ""))
	}
	top.Git("init", "-q", "--template=", "--bare", "-b", "main", "srv.git")
	e.plan(e.srv, "hooks", "install")
	for _, g := range []*gittest.Repo{e.a, e.b} {
		top.Git("init", "-q", "--template=", "-b", "main", filepath.Base(g.Dir))
		g.Git("config", "maintenance.auto", "false")
		g.Git("commit", "-q", "--allow-empty", "-m", "begin")
		g.Git("remote", "add", "origin", "../srv.git")
		e.plan(g, "init")
		if g == e.a {
			e.storePlans()
		}
		if g == e.a {
			g.Git("push", "-q", "origin", "main")
		}
		e.plan(g, "sync", "--manual")
	}
	return top
}

// storePlans puts the first plans on A's store.
func (e *encounter) storePlans() {
	tree := e.tree(e.a, "seed")
	for _, name := range slices.Sorted(maps.Keys(meetingFiles())) {
		tree.Write(name, meetingFiles()[name])
	}
	tree.Commit("two plans")
	e.a.Git("worktree", "remove", "--force", tree.Dir)
}

func newEncounter(t *testing.T, seed *gittest.Repo) *encounter {
	e := &encounter{t: t}
	top := filepath.Join(t.TempDir(), "top")
	if err := os.CopyFS(top, os.DirFS(seed.Dir)); err != nil {
		t.Fatal(err)
	}
	e.open(seed.For(t, top))
	return e
}

func (e *encounter) open(top *gittest.Repo) {
	e.top = top.Dir
	top = top.With(nowVariable + "=" + gittest.Date)
	e.srv = top.At(filepath.Join(e.top, "srv.git"))
	e.a = top.At(filepath.Join(e.top, "a")).With("GIT_PLAN_AGENT=ant")
	e.b = top.At(filepath.Join(e.top, "b")).With("GIT_PLAN_AGENT=bee")
}

// try runs a program and gives its exit status.
func (e *encounter) try(g *gittest.Repo, name string, args ...string) int {
	e.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = g.Dir, g.Env
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	e.said, e.complain = out.String(), errs.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		e.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// plan runs the program, which must succeed.
func (e *encounter) plan(g *gittest.Repo, args ...string) {
	e.t.Helper()
	if status := e.try(g, "git-plan", args...); status != 0 {
		e.t.Fatalf("git plan %s in %s: status %d\n%s%s", strings.Join(args, " "), filepath.Base(g.Dir), status, e.said, e.complain)
	}
}

// tree makes a worktree of a clone's plans.
func (e *encounter) tree(g *gittest.Repo, name string) *gittest.Repo {
	e.t.Helper()
	g.Git("worktree", "add", "-q", "../"+name, "plans")
	return g.At(filepath.Join(e.top, name))
}

// madeTask is a task's file.
func madeTask(id, more string) string { return "---\nid: " + id + "\n" + more + "---\n\nDo it.\n" }

// meetingFiles are the plans that both clones begin with.
func meetingFiles() map[string]string {
	return map[string]string{
		"auth/plan.md":          "---\ntitle: Auth\ngoal: People log in.\n---\n\nWho may come in.\n",
		"auth/tasks/01-one.md":  madeTask("one", ""),
		"auth/tasks/02-two.md":  madeTask("two", ""),
		"shop/plan.md":          "---\ntitle: Shop\n---\n\nSell.\n",
		"shop/tasks/01-sell.md": "---\nid: sell\nstatus: done\n---\n\nSell.\n",
		"board/plan.md":         "---\ntitle: Board\n---\n\nEvery pair.\n",
	}
}
