package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A push that no gate of the pusher's saw meets the one on the server, which
// runs nothing of what is pushed either.
func TestBoundaryPush(t *testing.T) {
	g := withPlan(t)
	g.must("sync", "--manual")
	server := *g
	server.Repo = g.At(filepath.Join(g.top, "srv.git"))
	server.must("hooks", "install")
	base := g.Git("rev-parse", "plans")
	g.arm()
	refused := 0
	for _, c := range contents() {
		files := map[string]string{}
		for name, text := range c.whole() {
			files["p/"+name] = text
		}
		maps.Copy(files, c.beside)
		g.Git("update-ref", "refs/heads/plans", base)
		g.plant(files)
		out, err := g.TryGit("push", "--force", "origin", "plans")
		if strings.Contains(out, secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the push printed %s %v", c.name, out, err)
		}
		if err != nil {
			refused++
		}
		g.try("", "version") // looks at the canary
		for _, hook := range []string{"pre-receive", "update", "post-receive", "pre-push", "pre-commit", "commit-msg"} {
			server.try(base+" "+g.Git("rev-parse", "plans")+" refs/heads/plans\n"+base+" $(CANARY) --exec=CANARY\n", "hooks", "run", hook)
		}
		if t.Failed() {
			t.Fatalf("at %s", c.name)
		}
	}
	g.whole()
	if n := len(contents()); refused < n/2 || refused == n {
		t.Errorf("the server refused %d of %d pushes", refused, n)
	}
}

// What comes from a remote reaches a worktree that has the plans checked out,
// with no filter that it asks for, and no link in it leads a command away.
func TestBoundaryWorktree(t *testing.T) {
	for _, c := range contents() {
		if c.beside == nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := withPlan(t)
			base := g.Git("rev-parse", "plans")
			g.plant(c.beside)
			g.Git("push", "-q", "--force", "origin", "plans")
			g.Git("update-ref", "refs/heads/plans", base)
			trees := filepath.Join(g.top, "trees")
			g.Git("worktree", "add", "-q", trees, "plans")
			g.arm()
			for _, line := range []string{"sync", "list", "task start p/one", "task done p/one", "doctor", "doctor --fix", "show p", "commit", "check"} {
				g.try("", strings.Fields(line)...)
			}
			inside := *g
			inside.Repo = g.At(trees)
			for _, line := range []string{"check", "check p", "check --staged", "fmt", "fmt p", "show p", "list", "task reopen p/one", "diff plans~1 plans", "hooks run pre-commit", "doctor", "show p/plan.md", "check q", "show q"} {
				inside.try("", strings.Fields(line)...)
			}
			g.whole()
			if _, err := os.Lstat(filepath.Join(trees, "p", "plan.md")); err != nil {
				t.Error("the worktree holds no plan")
			}
		})
	}
}
