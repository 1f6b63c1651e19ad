package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Many processes, in several worktrees, add to info/exclude at once: what was
// there and what each adds is there at the end.
func TestExcludeAtOnce(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	g.Write(".git/info/exclude", "/mine")
	const many = 30
	var group sync.WaitGroup
	for i := range many {
		repo := open(t, g)
		group.Go(func() {
			if added, err := repo.Exclude(fmt.Sprintf("/drafts-%d/", i)); err != nil || !added {
				t.Errorf("%d: added %v, %v", i, added, err)
			}
		})
	}
	group.Wait()
	lines := strings.Split(g.Read(".git/info/exclude"), "\n")
	counts := map[string]int{}
	for _, line := range lines {
		counts[line]++
	}
	if lines[0] != "/mine" {
		t.Errorf("the first line is %q", lines[0])
	}
	for i := range many {
		if line := fmt.Sprintf("/drafts-%d/", i); counts[line] != 1 {
			t.Errorf("%s is there %d times", line, counts[line])
		}
	}
	if added, err := open(t, g).Exclude("/drafts-0/"); err != nil || added {
		t.Errorf("what is there: added %v, %v", added, err)
	}
}

func TestExcludeMakesTheFile(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	if err := os.RemoveAll(filepath.Join(g.Dir, ".git/info")); err != nil {
		t.Fatal(err)
	}
	if added, err := open(t, g).Exclude("/.plans/"); err != nil || !added {
		t.Fatalf("added %v, %v", added, err)
	}
	g.Write(".plans/x", "x")
	if got := g.Git("status", "--porcelain"); got != "" {
		t.Errorf("git sees %q", got)
	}
	g.Git("config", "plan.draftExclude", "false")
	if added, err := open(t, g).Exclude("/other/"); err != nil || added {
		t.Errorf("against plan.draftExclude: added %v, %v", added, err)
	}
}
