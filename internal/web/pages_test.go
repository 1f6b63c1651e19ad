package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

func TestList(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	page := f.body(h, "")
	holds(t, page, "A key for every caller of the API", `href="plans/keys-for-the-api/"`, "1–6 of 6", "1 ready", "<title>Plans · gateway</title>")
	lacks(t, page, "A tour for new people")
	holds(t, f.body(h, "?archived=1"), "A tour for new people", "1–7 of 7")
	page = f.body(h, "?status=replanning")
	holds(t, page, "Move billing to events", "1–1 of 1")
	lacks(t, page, "Refresh the handbook")
	page = f.body(h, "?q=GATEWAYS+revoked")
	holds(t, page, "A key for every caller", "Tell the gateways of revoked keys", "plans/keys-for-the-api/tasks/revoke")
	lacks(t, page, "Make CI twice")
	holds(t, f.body(h, "?q=nothing-is-like-this"), "No plan matches.")
	if w := f.get(h, "?status=odd"); w.Code != http.StatusNotFound {
		t.Errorf("a status that is none: %d", w.Code)
	}
}

func TestPlanPages(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	plan := "plans/keys-for-the-api/"
	page := f.body(h, plan)
	holds(t, page, "version 2", "4 done, 1 skipped, 2 active, 4 pending", "waits for lookup", `aria-expanded="false"`, "<h4>What must not happen</h4>",
		`href="../../plans/keys-for-the-api/tasks/lookup"`, "99.4 of 100 calls", "No call gets slower", "<td class=\"centre\">work</td>", `rel="noopener noreferrer nofollow"`)
	holds(t, f.body(h, plan+"board"), "Tell the gateways of revoked keys", `aria-label="in progress"`)
	holds(t, f.body(h, plan+"history"), "Version 2", "Version 1", "changes/v1..v2", "The check moves behind a cache in each gateway", "claude-2", "replanned")
	page = f.body(h, plan+"changes/v1..v2")
	holds(t, page, "9 tasks added, 1 dropped", "<ins>", `<option value="v1" selected>`)
	holds(t, f.body(h, plan+"changes/v2..v1"), "9 dropped")
	page = f.body(h, plan+"tasks/lookup")
	holds(t, page, "A wrong key takes as long as a right one", "<code>internal/gateway/auth.go</code>", "Needs", "Needed by", "tasks/cache", "tasks/revoke",
		"key table", "tasks/02-gateway/02-lookup.md", "fails on arm64", "<code>4be1c9f02a</code>")
	holds(t, f.body(h, plan+"tasks/schema"), "<code>9f2c4d1b7a</code>", "check passed", "seen by Lin on a copy")
	holds(t, f.body(h, "plans/move-billing-to-events/tasks/consume"), "What went wrong", "Two refunds in one second")
	holds(t, f.body(h, "plans/make-ci-twice-as-fast/tasks/flaky"), `type="checkbox" checked disabled`, "5/7")
	holds(t, f.body(h, "plans/onboarding-tour/"), "archived in <code>archive/2026/onboarding-tour</code>")
	holds(t, f.body(h, "plans/make-ci-twice-as-fast/"), "l-blocker", "The new runners are not paid for yet. <strong>Finance</strong>")
	holds(t, f.body(h, "board"), "Search as you type", `aria-label="replanning"`)
}

func TestNoSuchPage(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	for _, path := range []string{
		"nothing", "plans/", "plans/none/", "plans/..%2fmain/", "plans/keys-for-the-api/tasks/none", "plans/keys-for-the-api/changes/v1..v9", "plans/keys-for-the-api/changes/v1",
		"plans/keys-for-the-api/changes/main..v1", "plans/keys-for-the-api/changes/-v..v1", "plans/archive/", "assets/", "assets/none", "assets/..%2fweb.go", "plans/README.md/",
	} {
		if w := f.get(h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
	holds(t, f.get(h, "nothing").Body.String(), "Not found", "Plans at")
	for path, want := range map[string]string{"plans/keys-for-the-api": "plans/keys-for-the-api/", "plans//keys-for-the-api/../none/": "plans/none/"} {
		if w := f.get(h, path); w.Header().Get("Location") != "/"+f.server.secret+"/"+want {
			t.Errorf("%s: status %d to %s", path, w.Code, w.Header().Get("Location"))
		}
	}
	w := f.get(h, "plans/keys-for-the-api/changes?from=v1&to=%2F%2Fevil.example")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "changes/v1..%2F%2Fevil.example" {
		t.Errorf("status %d to %s", w.Code, w.Header().Get("Location"))
	}
}

// Every page that can be reached by links is there.
func TestLinks(t *testing.T) {
	f := newFixture(t, sampleHistory()...).serve()
	seen := map[string]bool{f.address: true}
	href := regexp.MustCompile(`(?:href|src|action)="([^"#]+)"`)
	for queue := []string{f.address}; len(queue) > 0; queue = queue[1:] {
		status, page := fetch(t, queue[0])
		if status != http.StatusOK {
			t.Errorf("%s: status %d", queue[0], status)
		}
		for _, m := range href.FindAllStringSubmatch(page, -1) {
			link := strings.ReplaceAll(m[1], "&amp;", "&")
			to := resolve(t, queue[0], link)
			if strings.HasSuffix(to, "/changes") || strings.HasPrefix(link, "https://") {
				continue // a form, a link of the narrative
			}
			if !strings.HasPrefix(to, f.address) {
				t.Errorf("%s leads away to %s", queue[0], to)
			} else if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	if len(seen) < 80 {
		t.Errorf("%d pages", len(seen))
	}
}

// Of many tasks that can be begun some are named, and the rest are counted.
func TestReadyIsCounted(t *testing.T) {
	set := map[string]string{"gates.yaml": "format: 1\n", "wide/plan.md": doc("Why.", "title: Wide")}
	for i := range 20 {
		set[fmt.Sprintf("wide/tasks/%02d-one.md", i+1)] = doc("How.", fmt.Sprintf("id: t%d", i))
	}
	f := newFixture(t, sampleCommit{At: sampleNow(), Who: "Ada Byron", Message: "Wide", Set: set})
	holds(t, f.body(f.handler(), "plans/wide/"), "and 12 more")
}

// many makes plans, and one with many tasks.
func many(plans, tasks int) []sampleCommit {
	set := map[string]string{"gates.yaml": "format: 1\n"}
	for i := range plans {
		id := fmt.Sprintf("plan-%05d", i)
		set[id+"/plan.md"] = doc("Why.", fmt.Sprintf("title: Plan number %d", i))
		for j := range 10 {
			set[fmt.Sprintf("%s/tasks/%02d-task.md", id, j+1)] = doc("How.", fmt.Sprintf("id: task-%d", j), fmt.Sprintf("title: Do thing %d", j*i))
		}
	}
	set["large/plan.md"] = doc("Why.", "title: Many tasks")
	for i := range tasks {
		group := fmt.Sprintf("large/tasks/%02d-group", i/20+1)
		if i%20 == 0 {
			set[group+".md"] = doc("A group.", fmt.Sprintf("id: group-%d", i/20))
		}
		fields := []string{fmt.Sprintf("id: t%d", i), "type: feature", "title: Something of the usual length that is to be done"}
		if i > 0 {
			fields = append(fields, fmt.Sprintf("depends_on: [t%d]", i-1))
		}
		set[fmt.Sprintf("%s/%02d-one.md", group, i%20+1)] = doc("Words about it.\n\n- one\n- two", fields...)
	}
	return []sampleCommit{{At: sampleNow(), Who: "Ada Byron", Message: "Many", Set: set}}
}

// Pages of many plans, and of a plan of many tasks, cost what grows with them and
// no more.
func TestTimeOfLargePages(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many plans")
	}
	// Viewers of n plans, and of n/2 tasks.
	type viewer struct {
		*fixture
		http.Handler
	}
	viewers := map[int]viewer{}
	for _, n := range []int{250, 1000} {
		f := newFixture(t, many(n, n/2)...)
		viewers[n] = viewer{f, f.handler()}
	}
	for _, path := range []string{"", "?q=number+77", "?page=3", "plans/large/", "plans/large/board", "plans/large/graph"} {
		gittest.Linear(t, path, 1000, func(n int) func() {
			v := viewers[n]
			v.body(v, path) // templates are parsed, the store is read
			return func() { v.body(v, path) }
		})
	}
}
