package web

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is the browser of all tests: starting one takes a second.
type shared struct {
	once    sync.Once
	browser *chromium
	err     error
}

var browser shared // the one browser of this package's tests

func TestMain(m *testing.M) {
	status := m.Run()
	if browser.browser != nil {
		browser.browser.Close()
	}
	os.Exit(status)
}

// open opens a page in a browser, or skips the test where there is none.
func open(t *testing.T) *browserTab {
	t.Helper()
	browser.once.Do(func() { browser.browser, browser.err = startChromium(context.Background()) })
	if errors.Is(browser.err, errNoChromium) {
		t.Skip(browser.err)
	}
	must(t, browser.err)
	p, err := browser.browser.Open()
	must(t, err)
	must(t, p.Size(1280, 900, false))
	must(t, p.Clock(sampleNow()))
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// is fails unless an expression of the page has a value.
func is[T comparable](t *testing.T, p *browserTab, expression string, want T) {
	t.Helper()
	var got T
	must(t, p.Eval(expression, &got))
	if got != want {
		t.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// clean fails for whatever the browser held against the page, and for requests
// to any other address than ours.
func clean(t *testing.T, p *browserTab, address string) {
	t.Helper()
	for _, fault := range p.Faults() {
		t.Errorf("the browser says: %s", fault)
	}
	for _, request := range p.Requests() {
		if !strings.HasPrefix(request, address) && request != "about:blank" {
			t.Errorf("the page asked for %s", request)
		}
	}
}

// No page asks for anything of somebody else or does what its policy forbids,
// and none is wider than a phone.
func TestBrowserPages(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	plan := "plans/keys-for-the-api/"
	for _, path := range []string{"", "board", "?q=key", plan, plan + "board", plan + "graph", plan + "history", plan + "changes/v1..v2", plan + "tasks/lookup", "nothing"} {
		for _, width := range []int{1280, 390, 320} {
			must(t, p.Size(width, 800, width < 600))
			must(t, p.Go(f.address+path))
			var wide int
			must(t, p.Eval("document.documentElement.scrollWidth", &wide))
			if wide > width {
				t.Errorf("%s is %d wide on a screen of %d", path, wide, width)
			}
			is(t, p, "document.querySelectorAll('h1').length", 1)
			is(t, p, "[...document.querySelectorAll('a,button,input:not([type=checkbox]),select')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels && e.labels.length)).length", 0)
		}
	}
	for _, fault := range p.Faults() {
		if !strings.Contains(fault, "404") { // the page that is not there
			t.Errorf("the browser says: %s", fault)
		}
	}
	for _, request := range p.Requests() {
		if !strings.HasPrefix(request, f.address) {
			t.Errorf("a page asked for %s", request)
		}
	}
}

// The list narrows as the person types and clicks.
func TestBrowserFilter(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	must(t, p.Go(f.address))
	is(t, p, "document.querySelectorAll('#list > li').length", 6)
	must(t, p.Press("/"))
	is(t, p, "document.activeElement.id", "q")
	must(t, p.Type("revoked"))
	// Where typing is slow the page asks for what is there so far.
	must(t, p.Await("location.search === '?q=revoked' && document.querySelectorAll('#list > li').length === 1 && document.querySelector('.hit')"))
	is(t, p, "document.activeElement.id", "q")
	is(t, p, "document.querySelector('#list h2').textContent", "A key for every caller of the API")
	must(t, p.Press("Escape"))
	must(t, p.Await("document.querySelectorAll('#list > li').length === 6 && document.activeElement.id === 'main'"))
	must(t, p.Eval("document.querySelector('[data-key=replanning]').click()", nil))
	must(t, p.Await("document.querySelectorAll('#list > li').length === 1 && document.querySelector('#list h2').textContent === 'Move billing to events'"))
	clean(t, p, f.address)
}

// All is reached by keys, and the focus is seen.
func TestBrowserKeyboard(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	must(t, p.Go(f.address))
	must(t, p.Press("j"))
	must(t, p.Press("j"))
	must(t, p.Press("k"))
	is(t, p, "document.activeElement.textContent", "A key for every caller of the API")
	is(t, p, "document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle", "solid")
	must(t, p.Press("Enter"))
	must(t, p.Await("location.pathname.endsWith('/plans/keys-for-the-api/') && document.readyState === 'complete'"))
	for range 2 {
		must(t, p.Press("ArrowDown"))
	}
	is(t, p, "document.activeElement.closest('li').dataset.key", "gateway")
	must(t, p.Press("ArrowLeft"))
	is(t, p, "document.querySelector('[data-key=gateway]').classList.contains('folded')", true)
	is(t, p, "document.querySelector('[data-key=cache]').offsetParent === null", true)
	is(t, p, "document.querySelector('[data-key=gateway] > .fold').getAttribute('aria-expanded')", "false")
	must(t, p.Press("l"))
	must(t, p.Press("j"))
	is(t, p, "document.activeElement.closest('li').dataset.key", "cache")
	must(t, p.Press("?"))
	is(t, p, "document.getElementById('help').open", true)
	must(t, p.Press("Escape"))
	must(t, p.Await("!document.getElementById('help').open"))
	must(t, p.Press("4"))
	must(t, p.Await("location.pathname.endsWith('/history') && document.readyState === 'complete'"))
	must(t, p.Press("u"))
	must(t, p.Await("document.querySelector('#list')"))
	clean(t, p, f.address)
}

// Any two versions are compared by the form.
func TestBrowserChanges(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	must(t, p.Go(f.address+"plans/keys-for-the-api/history"))
	must(t, p.Eval("document.querySelector('.compare select[name=from]').value = 'v2'; document.querySelector('.compare select[name=to]').value = 'v1'; document.querySelector('.compare button').click()", nil))
	must(t, p.Await("location.pathname.endsWith('/changes/v2..v1') && document.querySelector('.plan-diff del')"))
	is(t, p, "document.querySelector('.said').textContent.includes('9 dropped')", true)
	clean(t, p, f.address)
}

// A page follows the branch, and what the person did to it stays: what is
// folded, where it is scrolled to, and the focus.
func TestBrowserLive(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	must(t, p.Size(1280, 400, false))
	must(t, p.Go(f.address+"plans/keys-for-the-api/"))
	must(t, p.Await("document.getElementById('live').dataset.state === 'on'"))
	must(t, p.Eval(`document.querySelector('[data-key=gateway] > .fold').click();
		document.querySelector('[data-key=console] > .fold').click();
		document.querySelector('[data-key=switch] [data-row]').focus();
		scrollTo(0, 150); window.mine = document.querySelector('[data-key=switch]')`, nil))
	lookup := f.repo.Git("show", "plans:keys-for-the-api/tasks/02-gateway/02-lookup.md")
	f.commit(step("keys-for-the-api: lookup completed", "keys-for-the-api/tasks/02-gateway/02-lookup.md", strings.Replace(lookup, "status: in_progress", "status: done", 1),
		"keys-for-the-api/tasks/07-more.md", doc("More.", "id: more", "title: Something more"), "keys-for-the-api/tasks/01-schema.md", ""))
	must(t, p.Await("document.querySelector('[data-key=more]')"))
	is(t, p, "document.querySelector('[data-key=lookup] .row').classList.contains('s-done')", true)
	is(t, p, "document.querySelector('[data-key=schema]') === null", true)
	is(t, p, "document.querySelector('[data-key=gateway]').classList.contains('folded')", true)
	is(t, p, "document.querySelector('[data-key=console]').classList.contains('folded')", false)
	is(t, p, "document.activeElement.closest('li') === window.mine", true)
	is(t, p, "scrollY", 150)
	is(t, p, "document.querySelector('.plan-head .sub').textContent", "4 done, 1 skipped, 1 active, 5 pending")
	is(t, p, "document.getElementById('said').textContent", "The page was brought up to date.")
	clean(t, p, f.address)
}

// In a list that comes to stand in another order, the focus stays on its plan.
func TestBrowserLiveList(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	must(t, p.Go(f.address))
	must(t, p.Await("document.getElementById('live').dataset.state === 'on'"))
	for _, c := range []struct{ focus, changed string }{
		{"make-ci-twice-as-fast", "search-as-you-type"}, {"search-as-you-type", "keys-for-the-api"}, {"make-ci-twice-as-fast", "make-ci-twice-as-fast"},
	} {
		must(t, p.Eval("window.mine = document.querySelector('[data-key="+c.focus+"] [data-row]'); window.mine.focus()", nil))
		change := step(c.changed+": revised", c.changed+"/plan.md", doc("Other words "+c.focus, "title: Another title of "+c.changed+" "+c.focus))
		change.At = change.At.Add(time.Hour)
		f.commit(change)
		must(t, p.Await("document.querySelector('[data-key="+c.changed+"] h2').textContent === 'Another title of "+c.changed+" "+c.focus+"'"))
		is(t, p, "document.activeElement === window.mine", true)
		is(t, p, "[...document.querySelectorAll('#list > li')].map(e => e.dataset.key).length", 6)
	}
	is(t, p, "new Set([...document.querySelectorAll('#list > li')].map(e => e.dataset.key)).size", 6)
	clean(t, p, f.address)
}

// A name of somebody else that leads to this machine leads to no plan, even
// with the secret.
func TestBrowserForeignHost(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...).serve()
	u, err := url.Parse(f.address)
	must(t, err)
	must(t, p.Go("http://"+foreignHost+":"+u.Port()+u.Path+"plans/keys-for-the-api/"))
	is(t, p, "document.body.textContent.trim()", "this viewer answers to "+u.Host+" only")
}

// Static pages work from a folder: links, the tree, the search.
func TestBrowserStatic(t *testing.T) {
	p := open(t)
	f := newFixture(t, sampleHistory()...)
	dir := t.TempDir()
	_, err := f.viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	root := "file://" + filepath.ToSlash(dir) + "/"
	must(t, p.Size(390, 800, true))
	must(t, p.Go(root+"index.html"))
	is(t, p, "getComputedStyle(document.querySelector('.top')).borderBottomStyle", "solid")
	is(t, p, "document.querySelectorAll('#list > li').length", 7)
	must(t, p.Press("/"))
	must(t, p.Type("revoked"))
	must(t, p.Await("document.querySelectorAll('#found li').length === 1"))
	is(t, p, "document.querySelector('#list').offsetParent === null", true)
	is(t, p, "document.documentElement.scrollWidth", 390)
	must(t, p.Eval("document.querySelector('#found .hit a').click()", nil))
	must(t, p.Await("location.pathname.endsWith('/plans/keys-for-the-api/tasks/revoke.html') && document.readyState === 'complete'"))
	must(t, p.Press("u"))
	must(t, p.Await("document.querySelector('#tree') && document.readyState === 'complete'"))
	must(t, p.Eval("document.querySelector('[data-key=gateway] > .fold').click()", nil))
	is(t, p, "document.querySelector('[data-key=cache]').offsetParent === null", true)
	must(t, p.Go(root+"index.html"))
	must(t, p.Eval("document.querySelector('[data-key=archived]').click()", nil))
	must(t, p.Await("document.querySelectorAll('#found li').length === 1 && document.querySelector('#found h2').textContent === 'A tour for new people'"))
	clean(t, p, root)
}

// A plan of 500 tasks is drawn, layout and all, and how soon is told; on a quiet
// machine that is well within a second of being asked for.
func TestBrowserLargePlan(t *testing.T) {
	p := open(t)
	f := newFixture(t, many(0, 500)...).serve()
	must(t, p.Go(f.address+"plans/large/")) // templates are parsed, the store is read
	for path, drawn := range map[string]string{
		"plans/large/":      "document.querySelectorAll('#tree [data-key]').length === 525",
		"plans/large/graph": "document.querySelectorAll('svg a').length >= 500",
	} {
		must(t, p.Go(f.address+path))
		var took float64
		must(t, p.Eval(`new Promise(done => requestAnimationFrame(() => setTimeout(() => { document.body.getBoundingClientRect();
			done(performance.getEntriesByType("navigation")[0].loadEventEnd) })))`, &took))
		is(t, p, drawn, true)
		t.Logf("%s was there after %.0f ms", path, took)
	}
	clean(t, p, f.address)
}
