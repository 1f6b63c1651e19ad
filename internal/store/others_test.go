package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

const names = "---\nid: one\nstatus: %s\nrelevant_file_paths: [%s]\n---\n\nDo it.\n"

// naming is a plan whose one task names files.
func naming(status, paths string) []plan.File {
	return []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: T\n---\n\nText.\n")},
		{Path: "tasks/01-one.md", Data: fmt.Appendf(nil, names, status, paths)},
	}
}

// noOverlap is a store whose gate asks that no two plans name one file.
func noOverlap(t *testing.T, severity diag.Severity) (tree *gittest.Repo, repo *Repo) {
	t.Helper()
	g, _ := begin(t)
	dir := t.TempDir() + "/plans"
	g.Git("worktree", "add", "-q", dir, "plans")
	tree = g.At(dir)
	tree.Write("gates.yaml", "rules:\n  overlap: "+severity.String()+"\n  path-exists: off\n")
	tree.Commit("ask")
	return tree, open(t, g)
}

func tryPut(repo *Repo, plans map[string][]plan.File) error {
	_, err := repo.Try(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		var p Candidate
		for id, files := range plans {
			if files == nil {
				p.Writes = append(p.Writes, Write{ID: id})
				continue
			}
			read, _ := plan.Read(id, "", files)
			p.Writes = append(p.Writes, Write{ID: id, Plan: read})
		}
		return p, nil
	})
	return err
}

// A commit is held against the other plans, as it leaves them.
func TestOverlapInCommit(t *testing.T) {
	t.Parallel()
	_, repo := noOverlap(t, diag.Error)
	put(t, repo, "auth", naming("pending", "a.go, b.go"))
	put(t, repo, "done", naming("done", "c.go"))
	for name, tt := range map[string]struct {
		plans map[string][]plan.File
		want  string
	}{
		"another file":             {map[string][]plan.File{"new": naming("pending", "x.go")}, ""},
		"the same file":            {map[string][]plan.File{"new": naming("pending", "x.go, b.go")}, "new/tasks/01-one.md:4:29:overlap"},
		"its own":                  {map[string][]plan.File{"auth": naming("pending", "a.go, b.go, d.go")}, ""},
		"of a finished plan":       {map[string][]plan.File{"new": naming("pending", "c.go")}, ""},
		"two in one commit":        {map[string][]plan.File{"new": naming("pending", "x.go"), "new2": naming("pending", "x.go")}, "new/tasks/01-one.md:4:23:overlap new2/tasks/01-one.md:4:23:overlap"},
		"the other goes away":      {map[string][]plan.File{"new": naming("pending", "b.go"), "auth": nil}, ""},
		"the other lets go of it":  {map[string][]plan.File{"new": naming("pending", "b.go"), "auth": naming("pending", "a.go")}, ""},
		"progress is not held up":  {map[string][]plan.File{"done": naming("done", "a.go")}, ""},
		"reopened and edited anew": {map[string][]plan.File{"done": naming("pending", "a.go")}, "done/tasks/01-one.md:4:23:overlap"},
	} {
		err := tryPut(repo, tt.plans)
		var rejected *RejectedError
		got := ""
		if errors.As(err, &rejected) {
			got = strings.Join(errorsIn(rejected.Findings), " ")
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// Commits by hand are each held against the state that they make.
func TestOverlapInJudge(t *testing.T) {
	t.Parallel()
	tree, repo := noOverlap(t, diag.Error)
	put(t, repo, "auth", naming("pending", "a.go"))
	since := tree.Git("rev-parse", "plans")
	write := func(id, paths string) {
		tree.Write(id+"/plan.md", "---\ntitle: T\n---\n\nText.\n")
		tree.Write(id+"/tasks/01-one.md", fmt.Sprintf(names, "pending", paths))
		tree.Commit(id)
	}
	write("b", "b.go")
	write("c", "b.go")
	write("b", "x.go")
	write("d", "b.go, a.go")
	gates := validate.DefaultGates()
	gates.Rules = map[string]diag.Severity{validate.RuleOverlap: diag.Error}
	got := verdicts(t, repo, Policy{Gates: gates}, since, tree.Git("rev-parse", "HEAD"))
	want := []string{"b", "c c/tasks/01-one.md:4:23:overlap", "b", "d d/tasks/01-one.md:4:23:overlap d/tasks/01-one.md:4:29:overlap"}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if off := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, since, tree.Git("rev-parse", "HEAD")); strings.Contains(fmt.Sprint(off), "overlap") {
		t.Errorf("the rule is on by itself: %q", off)
	}
	tree.Write("e/plan.md", "---\ntitle: T\n---\n\nText.\n")
	tree.Write("e/tasks/01-one.md", fmt.Sprintf(names, "pending", "a.go"))
	tree.Git("add", "-A")
	if got, err := staged(t, tree, validate.Base); err != nil || got != "e e/tasks/01-one.md:4:23:overlap" {
		t.Errorf("staged: %q, %v", got, err)
	}
}

// The cache tells what reading tells, whatever became of it.
func TestNamedCache(t *testing.T) {
	t.Parallel()
	tree, repo := noOverlap(t, diag.Warning)
	put(t, repo, "auth", naming("pending", `a.go, "tab\u00e9.go"`))
	put(t, repo, "shop", naming("pending", "a.go"))
	file := filepath.Join(repo.CommonDir, "git-plan", "cache", "named")
	for name, damage := range map[string]func(){
		"as it is": func() {},
		"gone":     func() { os.Remove(file) },
		"cut":      func() { os.Truncate(file, 30) },
		"odd":      func() { caches{repo}.write("named", []int{1}) },
	} {
		for range 2 {
			s, err := open(t, tree).Snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			gates, _, err := s.Gates(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			others, err := s.Others(context.Background(), gates)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(others("a.go"), others("tabé.go"), others("x.go")); got != "[auth shop] [auth] []" {
				t.Errorf("%s: %s", name, got)
			}
			damage()
		}
	}
	_, plain := begin(t)
	s, err := plain.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if others, err := s.Others(context.Background(), validate.DefaultGates()); others != nil || err != nil {
		t.Errorf("looked up without need: %v", err)
	}
}
