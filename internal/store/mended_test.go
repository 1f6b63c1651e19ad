package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// native commits a plan past the gate: each of its tasks by name, as one text.
func native(g *gittest.Repo, id, text string, tasks ...string) {
	blob := g.GitInput(text, "hash-object", "-w", "--stdin")
	var entries strings.Builder
	for _, name := range tasks {
		entries.WriteString("100644 blob " + blob + "\t" + name + "\n")
	}
	tree := g.GitInput(entries.String(), "mktree")
	head := g.GitInput("---\ntitle: Native\n---\n\nText.\n", "hash-object", "-w", "--stdin")
	tree = g.GitInput("100644 blob "+head+"\tplan.md\n040000 tree "+tree+"\ttasks\n", "mktree")
	root := g.GitInput(g.Git("ls-tree", "plans")+"\n040000 tree "+tree+"\t"+id+"\n", "mktree")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", "plans", "-m", "native", root))
}

// mended reads a plan for a draft.
func mended(t *testing.T, repo *Repo, id string) (*Mended, error) {
	t.Helper()
	s, err := repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Mended(t.Context(), id)
}

// Of two names that some file systems take for one, a folder gets the plan's own, or
// else the first.
func TestMendedNamesOfOneFile(t *testing.T) {
	g, repo := begin(t)
	native(g, "auth", "---\nid: one\n---\n\nDo it.\n", "01-ONE.md", "01-one.md", "TWO.md", "Two.md")
	m, err := mended(t, repo, "auth")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"tasks/01-ONE.md", "tasks/Two.md"}; !slices.Equal(m.Left, want) || m.Beside["tasks/TWO.md"] == nil || len(m.Beside) != 1 {
		t.Errorf("left %q, beside %v", m.Left, m.Beside)
	}
}

// Of a plan that is too large, a folder gets all, or checkout says that it cannot: what
// was not read is never told to be no file of it.
func TestMendedTooLarge(t *testing.T) {
	g, repo := begin(t)
	text := "---\ntitle: Large\n---\n\n" + strings.Repeat("Text.\n", plan.MaxFile/6-10)
	var tasks []string
	for i := range 20 {
		tasks = append(tasks, fmt.Sprintf("%02d-t%d.md", i+1, i+1))
	}
	native(g, "auth", text, tasks...)
	m, err := mended(t, repo, "auth")
	if err != nil || len(m.Left) != 0 || len(m.Beside) != len(tasks)+1 {
		t.Fatalf("%v, %+v", err, m)
	}
	native(g, "shop", strings.Repeat(text, 30), tasks...)
	var unsupported *UnsupportedError
	if _, err := mended(t, repo, "shop"); !errors.As(err, &unsupported) {
		t.Errorf("%v", err)
	}
}
