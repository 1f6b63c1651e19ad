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
	"github.com/git-plan/git-plan/validate"
)

// staged judges the index of a worktree and gives the plans and the errors.
func staged(t *testing.T, g *gittest.Repo, floor validate.Gate) (string, error) {
	t.Helper()
	ctx, repo := context.Background(), open(t, g)
	s, err := repo.Index().Staged(ctx)
	if err != nil {
		return "", err
	}
	p, w, err := repo.Index().Policy(ctx, s, floor)
	if err != nil {
		return "", err
	}
	v, err := repo.Index().Judge(ctx, s, p, w)
	return strings.Join(append(v.IDs(), errorsIn(v.Findings)...), " "), err
}

// In a worktree of the plans branch the index is judged as the commit that it
// would make.
func TestStagedStore(t *testing.T) {
	t.Parallel()
	const wrong = "auth auth/tasks/03-three.md:4:14:depends-unknown"
	fault := func(tree *gittest.Repo) {
		tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
		tree.Git("add", "-A")
	}
	for _, tt := range []struct {
		name  string
		steps func(tree *gittest.Repo)
		floor validate.Gate
		want  string
	}{
		{name: "nothing", steps: func(*gittest.Repo) {}},
		{name: "a fault", steps: fault, want: wrong},
		{name: "a fault that is not staged", steps: func(tree *gittest.Repo) { fault(tree); tree.Git("reset", "-q") }},
		{name: "a stray", steps: func(tree *gittest.Repo) { tree.Write("main.go", "x"); tree.Git("add", "-A") }, want: "main.go:1:1:stray-file"},
		{name: "on a proposal", steps: func(tree *gittest.Repo) { tree.Git("checkout", "-q", "-b", "proposals/x"); fault(tree) }, want: wrong},
		{name: "a proposal does not choose its gate", steps: func(tree *gittest.Repo) {
			tree.Write("gates.yaml", "rules:\n  no-tasks: error\n")
			tree.Commit("ask for more")
			tree.Git("checkout", "-q", "-b", "proposals/x")
			tree.Write("gates.yaml", "gate: base\n")
			tree.Commit("ask for less")
			tree.Write("b/plan.md", "---\ntitle: B\n---\n\nText.\n")
			tree.Git("add", "-A")
		}, want: "b b/plan.md:1:1:no-tasks"},
		{name: "on any other branch it is a draft", steps: func(tree *gittest.Repo) { tree.Git("checkout", "-q", "-b", "other"); fault(tree) }, want: wrong},
		{name: "while a rebase goes on", steps: func(tree *gittest.Repo) {
			_, _ = tree.TryGit("rebase", "-q", "--exec", "exit 1", "HEAD~1") // stops there
			fault(tree)
		}, want: wrong},
		{name: "a floor", floor: validate.Strict, steps: func(tree *gittest.Repo) {
			tree.Write("b/plan.md", "---\ntitle: B\n---\n\nText.\n")
			tree.Git("add", "-A")
		}, want: "b b/plan.md:1:1:no-tasks"},
		{name: "a merge of two good ones makes a cycle", steps: func(tree *gittest.Repo) {
			tree.Git("checkout", "-q", "-b", "side")
			tree.Write("auth/tasks/01-one.md", "---\nid: one\ndepends_on: [two]\n---\n\nDo it.\n")
			tree.Write("auth/tasks/02-two.md", "---\nid: two\n---\n\nDo it.\n")
			tree.Commit("turned around")
			tree.Git("checkout", "-q", "plans")
			tree.Write("c/plan.md", "---\ntitle: C\n---\n\nText.\n")
			tree.Commit("c")
			tree.Git("merge", "-q", "--no-commit", "side")
			tree.Write("auth/tasks/02-two.md", "---\nid: two\ndepends_on: [one]\n---\n\nDo it.\n")
			tree.Git("add", "-A")
		}, want: "auth auth/tasks/02-two.md:3:14:depends-cycle"},
		{name: "a merge takes each side as it is", steps: func(tree *gittest.Repo) {
			tree.Git("checkout", "-q", "-b", "side")
			fault(tree)
			tree.Git("commit", "-q", "-m", "an old fault")
			tree.Git("checkout", "-q", "plans")
			tree.Write("c/plan.md", "---\ntitle: C\n---\n\nText.\n")
			tree.Commit("c")
			tree.Git("merge", "-q", "--no-commit", "side")
		}},
		{name: "the first commit, by its own gate", steps: func(tree *gittest.Repo) {
			tree.Git("checkout", "-q", "--detach")
			tree.Git("branch", "-q", "-D", "plans")
			tree.Git("checkout", "-q", "--orphan", "plans")
			tree.Write("gates.yaml", "rules:\n  no-tasks: error\n")
			tree.Write("b/plan.md", "---\ntitle: B\n---\n\nText.\n")
			tree.Git("add", "-A")
		}, want: "auth b b/plan.md:1:1:no-tasks"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, _ := byHand(t)
			tt.steps(tree)
			if got, err := staged(t, tree, tt.floor); err != nil || got != tt.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

// On a branch that holds code, the folders that are plans and of which
// something is staged are judged, each as a whole.
func TestStagedDrafts(t *testing.T) {
	t.Parallel()
	const plan = "---\ntitle: A\n---\n\nText.\n"
	wrong := fmt.Sprintf(task, "one", "pending", "nobody")
	right := fmt.Sprintf(task, "one", "pending", "")
	for _, tt := range []struct {
		name   string
		files  map[string]string
		then   func(g *gittest.Repo)
		folder string
		want   string
	}{
		{name: "no plan", files: map[string]string{"main.go": "package main\n"}},
		{name: "a plan", files: map[string]string{"docs/a/plan.md": plan, "docs/a/tasks/01-one.md": wrong}, want: "a docs/a/tasks/01-one.md:4:14:depends-unknown"},
		{name: "at the top", files: map[string]string{"plan.md": plan, "tasks/01-one.md": wrong, "main.go": ""}, want: "repo tasks/01-one.md:4:14:depends-unknown"},
		{name: "seen from a folder", folder: "docs/b", files: map[string]string{"docs/a/plan.md": plan, "docs/a/tasks/01-one.md": wrong, "docs/b/x": ""},
			want: "a ../a/tasks/01-one.md:4:14:depends-unknown"},
		{name: "without tasks", files: map[string]string{"a/plan.md": "---\ntitle: A\n"}},
		{name: "without a title", files: map[string]string{"a/plan.md": "# Plan\n", "a/tasks/x.md": "x\n"}},
		{name: "tasks of something else", files: map[string]string{"a/tasks/x.py": "x\n", "b/plan.md": plan}},
		{name: "frontmatter that cannot be read", files: map[string]string{"a/plan.md": "---\ntitle: [\n---\n\nText.\n", "a/tasks/01-one.md": right}, want: "a a/plan.md:2:8:frontmatter"},
		{name: "the index counts, not the file", files: map[string]string{"a/plan.md": plan, "a/tasks/01-one.md": right},
			then: func(g *gittest.Repo) { g.Write("a/tasks/01-one.md", wrong) }, want: "a"},
		{name: "what is only intended does not count", files: map[string]string{"a/plan.md": plan, "a/tasks/01-one.md": right},
			then: func(g *gittest.Repo) { g.Write("a/tasks/02-x.md", "x"); g.Git("add", "-N", "a/tasks/02-x.md") }, want: "a"},
		{name: "committed already", files: map[string]string{"a/plan.md": plan, "a/tasks/01-one.md": wrong},
			then: func(g *gittest.Repo) {
				g.Commit("plan")
				g.Write("a/notes.txt", "x")
				g.Write("b.go", "x")
				g.Git("add", "-A")
			}},
		{name: "plan.md goes away", files: map[string]string{"a/plan.md": plan, "a/tasks/01-one.md": right},
			then: func(g *gittest.Repo) { g.Commit("plan"); g.Git("rm", "-q", "a/plan.md") }},
		{name: "a task goes away", files: map[string]string{"a/plan.md": plan, "a/tasks/01-one.md": right, "a/tasks/02-two.md": fmt.Sprintf(task, "two", "pending", "one")},
			then: func(g *gittest.Repo) { g.Commit("plan"); g.Git("rm", "-q", "a/tasks/01-one.md") }, want: "a a/tasks/02-two.md:4:14:depends-unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := gittest.New(t)
			for name, text := range tt.files {
				g.Write(name, text)
			}
			g.Git("add", "-A")
			if tt.then != nil {
				tt.then(g)
			}
			want := strings.ReplaceAll(tt.want, "repo ", filepath.Base(g.Dir)+" ")
			if got, err := staged(t, g.At(filepath.Join(g.Dir, tt.folder)), validate.Base); err != nil || got != want {
				t.Errorf("got  %q, %v\nwant %q", got, err, want)
			}
		})
	}
}

// A branch that has no commit yet has an index, too.
func TestStagedUnborn(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	g.Git("checkout", "-q", "--orphan", "new")
	g.Write("a/plan.md", "---\ntitle: A\n---\n\nText.\n")
	g.Write("a/tasks/01-one.md", "---\nid: one\nstatus: odd\n---\n\nDo it.\n")
	g.Git("add", "-A")
	if got, err := staged(t, g, validate.Base); err != nil || got != "a a/tasks/01-one.md:3:9:status-value" {
		t.Errorf("%q, %v", got, err)
	}
}

// An index that cannot become a commit cannot be judged either, and neither can
// one that git is told to look for elsewhere.
func TestStagedFailures(t *testing.T) {
	t.Parallel()
	tree, _ := byHand(t)
	tree.Git("checkout", "-q", "-b", "side")
	tree.Write("README.md", "one\n")
	tree.Commit("one")
	tree.Git("checkout", "-q", "plans")
	tree.Write("README.md", "two\n")
	tree.Commit("two")
	_, _ = tree.TryGit("merge", "-q", "side") // stops at the conflict
	_, err := staged(t, tree, validate.Base)
	var unmerged *UnmergedError
	if !errors.As(err, &unmerged) || len(unmerged.Paths) != 1 {
		t.Errorf("%v", err)
	}
	bare := gittest.NewBare(t)
	if _, err := staged(t, bare, validate.Base); err == nil || !strings.Contains(err.Error(), "no index") {
		t.Errorf("%v", err)
	}
}

// Before it commits a merge by itself, git has told only its hooks of the other
// side.
func TestStagedMergeHook(t *testing.T) {
	t.Parallel()
	tree, _ := byHand(t)
	tree.Git("checkout", "-q", "-b", "side")
	tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
	side := tree.Commit("an old fault")
	tree.Git("checkout", "-q", "plans")
	tree.Write("c/plan.md", "---\ntitle: C\n---\n\nText.\n")
	tree.Commit("c")
	tree.Git("merge", "-q", "--no-commit", "side")
	tree.Git("merge", "--quit") // the index stays
	if got, err := staged(t, tree, validate.Base); err != nil || !strings.Contains(got, "depends-unknown") {
		t.Errorf("without a side: %q, %v", got, err)
	}
	nowhere := "GITHEAD_" + strings.Repeat("1", len(side)) + "=x"
	if got, err := staged(t, tree.With(nowhere, "GITHEAD_"+side+"=side"), validate.Base); err != nil || got != "" {
		t.Errorf("with its side: %q, %v", got, err)
	}
}

// Git gives a hook the index of the commit that is being made.
func TestStagedOtherIndex(t *testing.T) {
	t.Parallel()
	tree, _ := byHand(t)
	index := filepath.Join(t.TempDir(), "index")
	data, err := os.ReadFile(tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(index, data, 0o644); err != nil {
		t.Fatal(err)
	}
	other := tree.With("GIT_INDEX_FILE=" + index)
	tree.Write("main.go", "x")
	other.Git("add", "main.go")
	if got, err := staged(t, tree, validate.Base); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := staged(t, other, validate.Base); err != nil || got != "main.go:1:1:stray-file" {
		t.Errorf("%q, %v", got, err)
	}
}
