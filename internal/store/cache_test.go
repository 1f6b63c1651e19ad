package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// summariesOf gives the summaries of all plans as a fresh process would.
func summariesOf(t *testing.T, repo *Repo) []Summary {
	t.Helper()
	s, err := repo.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Summaries(context.Background(), s.Locations())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What the cache tells is what reading tells, whatever happened in between and
// whatever became of the cache's files.
func TestCacheTellsTheSame(t *testing.T) {
	_, repo := begin(t)
	put(t, repo, "auth", files("Auth \"quoted\"\\t", "one", "two"))
	put(t, repo, "shop", files("Shop", "one"))
	dir := filepath.Join(repo.CommonDir, "git-plan", "cache")
	damages := map[string]func(){
		"as it is": func() {},
		"gone":     func() { os.RemoveAll(dir) },
		"cut":      func() { os.Truncate(filepath.Join(dir, "summaries"), 40) },
		"damaged": func() {
			data, _ := os.ReadFile(filepath.Join(dir, "summaries"))
			if i := slices.Index(data, '2'); i >= 0 {
				data[i] = '7'
			}
			os.WriteFile(filepath.Join(dir, "summaries"), data, 0o666)
		},
		"of another format": func() {
			os.WriteFile(filepath.Join(dir, "updated"), []byte("git-plan cache 99 "+gitstore.Checksum("")+"\n"), 0o666)
		},
		"of another kind": func() { caches{repo}.write("summaries", []int{1}) },
		"no folder":       func() { os.RemoveAll(dir); os.WriteFile(dir, nil, 0o666) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			summariesOf(t, repo)
			damage()
			cached := summariesOf(t, repo)
			os.RemoveAll(dir)
			fresh := summariesOf(t, repo)
			if !slices.Equal(cached, fresh) {
				t.Errorf("with the cache %+v, without %+v", cached, fresh)
			}
		})
	}
	before := summariesOf(t, repo)
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	after := summariesOf(t, repo)
	if after[0].Progress.Done != 1 || after[0].Tree == before[0].Tree || after[1] != before[1] {
		t.Errorf("after a report: %+v", after)
	}
}

// When plans last changed is told the same whatever way the branch took since it
// was asked before: a merge puts what was here on a side line of history.
func TestUpdatedOnOtherLines(t *testing.T) {
	t.Parallel()
	tree, repo, _, others := published(t)
	day := 0
	commit := func(text string) string {
		day++
		tree.Write("auth/plan.md", "---\ntitle: Auth\n---\n\n"+text+"\n")
		tree.Git("add", "-A")
		tree.Git("commit", "-q", "-m", text, "--date", fmt.Sprintf("2026-02-%02dT00:00:00Z", day))
		return tree.Git("rev-parse", "HEAD")
	}
	before := commit("Text.")
	tree.Git("push", "-q", "origin", "plans")
	commit("Other text.")
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"merged", func() {
			summariesOf(t, repo)
			commit("Text.")
			summariesOf(t, repo)
			others()
			if got, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil || got.Status != SyncPushed {
				t.Fatalf("%+v, %v", got, err)
			}
		}},
		{"set back", func() { tree.Git("reset", "-q", "--hard", before) }},
		{"on another line", func() { commit("Yet other text."); tree.Git("reset", "-q", "--hard", "HEAD~2"); commit("Again.") }},
		{"begun anew", func() {
			tree.Git("checkout", "-q", "--orphan", "other")
			commit("Anew.")
			tree.Git("checkout", "-q", "-B", "plans", "other")
		}},
	} {
		step.do()
		cached := summariesOf(t, repo)
		if err := os.RemoveAll(filepath.Join(repo.CommonDir, "git-plan", "cache")); err != nil {
			t.Fatal(err)
		}
		if fresh := summariesOf(t, repo); !slices.Equal(cached, fresh) {
			t.Errorf("%s: with the cache %+v, without %+v", step.name, cached, fresh)
		}
	}
}
