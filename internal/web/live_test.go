package web

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/sample"
)

// stream opens the events of a server.
func stream(t *testing.T, ctx context.Context, f *fixture) (*http.Response, *bufio.Scanner) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer, bufio.NewScanner(answer.Body)
}

// nextTip reads events up to the next that tells where the ref is.
func nextTip(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		if tip, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			return tip
		}
	}
	t.Fatalf("the events ended: %v", lines.Err())
	return ""
}

// A page is told where the ref is, and when it moves.
func TestEvents(t *testing.T) {
	f := newFixture(t, sample.History()...).serve()
	ctx, stop := context.WithTimeout(t.Context(), gittest.Hang)
	defer stop()
	answer, lines := stream(t, ctx, f)
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, %v", answer.StatusCode, answer.Header)
	}
	if tip, want := nextTip(t, lines), f.repo.Git("rev-parse", "plans"); tip != strings.TrimSpace(want) {
		t.Errorf("the page is told %s, want %s", tip, want)
	}
	f.commit(step("search-as-you-type: abandoned", "search-as-you-type/plan.md", doc("No.", "title: Search as you type", "abandoned: true")))
	if tip, want := nextTip(t, lines), f.repo.Git("rev-parse", "plans"); tip != strings.TrimSpace(want) {
		t.Errorf("after a commit the page is told %s, want %s", tip, want)
	}
	if status, page := fetch(t, f.address+"plans/search-as-you-type/"); status != 200 || !strings.Contains(page, "abandoned") {
		t.Errorf("status %d, or the page is old", status)
	}
}

// No more pages than there is room for can wait, and one that leaves makes room.
func TestEventsAreBounded(t *testing.T) {
	f := newFixture(t, sample.History()...).serve()
	var leave context.CancelFunc
	for range maxWatchers {
		ctx, stop := context.WithCancel(t.Context())
		leave = stop
		defer stop()
		_, lines := stream(t, ctx, f)
		nextTip(t, lines)
	}
	answer, _ := stream(t, t.Context(), f)
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, %v", answer.StatusCode, answer.Header)
	}
	leave()
	gittest.Until(t, "the room of a page that left", func() bool {
		answer, _ = stream(t, t.Context(), f)
		return answer.StatusCode == http.StatusOK
	})
}

// While no page waits, nobody looks where the ref is.
func TestNobodyLooksInVain(t *testing.T) {
	f := newFixture(t, sample.History()...)
	f.handler()
	f.server.enter()
	f.server.enter()
	f.server.leave()
	f.server.leave()
	f.server.watch.mu.Lock()
	defer f.server.watch.mu.Unlock()
	if f.server.watch.pages != 0 {
		t.Errorf("%d pages wait", f.server.watch.pages)
	}
}

// The viewer goes on while git packs the repository anew, and after the branch
// was removed and came back.
func TestGoesOn(t *testing.T) {
	f := newFixture(t, sample.History()...).serve()
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
