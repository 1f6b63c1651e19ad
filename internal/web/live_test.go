package web

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A page is told where the ref is, and when it moves, however many ask at once.
func TestTip(t *testing.T) {
	f := newFixture(t, sampleHistory()...).serve()
	tells := func() bool {
		status, tip := fetch(t, f.address+"tip")
		return status == http.StatusOK && tip == strings.TrimSpace(f.repo.Git("rev-parse", "plans"))
	}
	if !tells() {
		t.Error("the page is told something else")
	}
	f.commit(step("search-as-you-type: abandoned", "search-as-you-type/plan.md", doc("No.", "title: Search as you type", "abandoned: true")))
	gittest.Until(t, "the page to be told of a commit", tells)
	if status, page := fetch(t, f.address+"plans/search-as-you-type/"); status != 200 || !strings.Contains(page, "abandoned") {
		t.Errorf("status %d, or the page is old", status)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { fetch(t, f.address+"tip") })
	}
	all.Wait()
}

// All pages that ask within half a second are told what the server saw once.
func TestTipIsBounded(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	f.body(h, "tip")
	f.server.look.at = f.server.look.at.Add(time.Hour)
	f.server.look.tip = "as it was seen"
	if got := f.body(h, "tip"); got != "as it was seen" {
		t.Errorf("the server looked again: %q", got)
	}
}

// The viewer goes on while git packs the repository anew, and after the branch
// was removed and came back.
func TestGoesOn(t *testing.T) {
	f := newFixture(t, sampleHistory()...).serve()
	page := f.address + "plans/keys-for-the-api/"
	check := func(when, want string) {
		t.Helper()
		if _, text := fetch(t, page); !strings.Contains(text, want) {
			t.Errorf("%s the page does not hold %q", when, want)
		}
	}
	check("at first", "A key for every caller")
	f.repo.Git("gc", "-q", "--prune=now")
	f.repo.Git("pack-refs", "--all")
	check("after git gc", "A key for every caller")
	f.commit(step("keys-for-the-api: revised", "keys-for-the-api/plan.md", doc("Other words.", "title: Another title")))
	f.repo.Git("repack", "-qad")
	check("after a commit and git repack", "Another title")
	tip := strings.TrimSpace(f.repo.Git("rev-parse", "plans"))
	f.repo.Git("update-ref", "-d", "refs/heads/plans")
	check("without the branch", "Not found")
	f.repo.Git("update-ref", "refs/heads/plans", tip+"~1")
	check("after the branch was set back", "A key for every caller")
}
