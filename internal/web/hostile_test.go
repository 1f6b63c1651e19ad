package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// attacks are texts that must stay texts wherever they stand in a page. Each
// would call attacked if it came to anything.
func attacks() []string {
	return []string{
		`<script>attacked(1)</script>`, `"><img src=x onerror=attacked(2)>`, `'><svg onload=attacked(3)>`, `</title><script>attacked(4)</script>`,
		`javascript:attacked(5)`, `[x](javascript:attacked(6))`, `![x](https://foreign.example/a.png)`, `<iframe src="https://foreign.example/"></iframe>`,
		`<a href="data:text/html,<script>attacked(7)</script>">x</a>`, `{{.Title}}<!--`, `</script><script>attacked(8)</script>`, `--><script>attacked(9)</script>`,
		`<https://foreign.example/" onmouseover="attacked(10)>`, "`</code><img src=x onerror=attacked(11)>`", `<style>*{display:none}</style>`, `<base href="https://foreign.example/">`,
		`<meta http-equiv=refresh content="0;url=https://foreign.example/">`, `<form action=https://foreign.example/><button>x`, `<link rel=stylesheet href=https://foreign.example/x.css>`,
	}
}

// unseen are characters that change what is read and cannot be seen.
const unseen = "\u202e\u200b\u2066\u00ad\ufeff\u2028\u200d"

// hostileStore makes plans with an attack in every field that there is.
func hostileStore() []sampleCommit {
	var out []sampleCommit
	quote := func(s string) string { return fmt.Sprintf("%q", s) }
	for i, attack := range attacks() {
		text := attack + " " + unseen + strings.Repeat("longword", 60)
		id := fmt.Sprintf("hostile-%02d", i)
		files := []string{
			id + "/plan.md", doc(text+"\n\n# "+text+"\n\n- "+text+"\n\n    "+text, fieldsOf(plan.PlanFields(), quote(text))...),
			id + "/tasks/01-one.md", doc(text, append(fieldsOf(plan.TaskFields(), quote(text)), "id: one")...),
			id + "/tasks/02-two.md", doc(text, "id: two", "title: "+quote(text), "status: failed", "error: "+quote(text), "depends_on: [one, "+quote(text)+"]"),
			id + "/tasks/03-three.md", doc(text, "id: "+quote(text)),
			id + "/signals/s.md", doc(text, append(fieldsOf(plan.SignalFields(), quote(text)), "level: blocker")...),
			id + "/tasks/" + strings.NewReplacer("/", "_", "\x00", "").Replace(attack) + ".md", doc("x", "id: name"),
		}
		for _, status := range []string{"pending", "done"} {
			c := step(attack+"\n\n"+text+"\n\nPlan-Agent: "+attack, files...)
			c.Who = strings.NewReplacer("<", "", ">", "").Replace(attack)
			c.Set[id+"/tasks/04-four.md"] = doc(text+status, "id: four", "status: "+status, "result: "+quote(text))
			out = append(out, c)
		}
	}
	return out
}

// fieldsOf sets every field of a kind of file to a text, whatever it is for.
func fieldsOf(specs []plan.FieldSpec, text string) []string {
	var out []string
	for _, s := range specs {
		switch s.Type() {
		case "list", "paths":
			out = append(out, s.Name+": ["+text+", "+text+"]")
		case "line", "text", "id":
			if s.Name != "id" {
				out = append(out, s.Name+": "+text)
			}
		}
	}
	return append(out, "x-own: "+text, "x-map: {a: "+text+"}")
}

// alive are tags and attributes that no text of a plan can have made.
var alive = regexp.MustCompile(`(?i)<(script|img|iframe|style|base|form|object|embed)\b[^>]*|\son\w+\s*=|href="(javascript|data|//|https?://[^"]*"(?: rel="noopener noreferrer nofollow" target="_blank">)?)|<meta http-equiv="?refresh`)

// innocent are those that the pages have by themselves.
var innocent = regexp.MustCompile(`^(<script src="[./]*assets/app\.js" defer data-(follow|words)="[./]*(tip|assets/words\.js)"|<form class="(search|compare)"[^>]*|<form method="dialog"|href="https?://[^"]*" rel="noopener noreferrer nofollow" target="_blank">)$`)

// harmless fails for what is alive in a page, and for what cannot be seen in it.
func harmless(t *testing.T, name, page string) {
	t.Helper()
	for _, found := range alive.FindAllString(withoutText(page), -1) {
		if !innocent.MatchString(found) {
			t.Errorf("%s: %q is alive", name, found)
		}
	}
	if strings.ContainsAny(page, unseen) {
		t.Errorf("%s holds what cannot be seen", name)
	}
}

// withoutText leaves out what stands between tags, and what quoted attributes
// hold but links, where nothing is alive.
func withoutText(page string) string {
	return strings.Join(regexp.MustCompile(`<[^>]*>`).FindAllString(quoted.ReplaceAllString(page, `$1=""`), -1), "\n")
}

var quoted = regexp.MustCompile(`\b(aria-label|content|value|title|data-key|data-tip|placeholder)="[^"]*"`)

// pagesOf are the pages of the hostile store.
func pagesOf() []string {
	out := []string{"", "board", "?q=longword", "?q=%3Cscript%3Eattacked(20)%3C/script%3E%22%3E", "plans/%3Cscript%3E/"}
	for i := range attacks() {
		plan := fmt.Sprintf("plans/hostile-%02d/", i)
		out = append(out, plan, plan+"board", plan+"graph", plan+"history", plan+"tasks/one", plan+"tasks/two", plan+"tasks/four", plan+"tasks/_3")
	}
	return out
}

// No text of a plan, a signal, a commit or a file's name becomes markup, and
// none hides.
func TestHostileText(t *testing.T) {
	f := newFixture(t, hostileStore()...)
	h := f.handler()
	for _, path := range pagesOf() {
		w := f.get(h, path)
		if want := map[bool]int{true: 404, false: 200}[path == "plans/%3Cscript%3E/"]; w.Code != want {
			t.Errorf("%s: status %d", path, w.Code)
		}
		harmless(t, path, w.Body.String())
	}
	page := f.body(h, "plans/hostile-00/")
	holds(t, page, `&lt;script&gt;attacked(1)&lt;/script&gt; \u202e\u200b\u2066\u00ad\ufeff\u2028\u200dlongword`)
}

// The same in static pages, the script of words among them.
func TestHostileStatic(t *testing.T) {
	f := newFixture(t, hostileStore()...)
	dir := t.TempDir()
	if _, err := f.viewer.Write(t.Context(), dir, makeFolder); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "plans", "*", "*.html"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		must(t, err)
		harmless(t, name, string(data))
	}
	words, err := os.ReadFile(filepath.Join(dir, "assets", "words.js"))
	must(t, err)
	if text := string(words); strings.ContainsAny(text, unseen+"<>") || strings.Count(text, "gitPlanWords(") != 1 {
		t.Errorf("words.js holds what a page could take for markup: %.300s", text)
	}
}

// A browser makes nothing of it either, and no long word makes a phone scroll.
func TestBrowserHostileText(t *testing.T) {
	p := open(t)
	f := newFixture(t, hostileStore()...).serve()
	must(t, p.Size(390, 800, true))
	for _, path := range pagesOf() {
		if !strings.Contains(path, "hostile-0") && strings.HasPrefix(path, "plans/hostile") {
			continue // each kind of attack once is enough for a browser
		}
		must(t, p.Go(f.address+path))
		var wide int
		must(t, p.Eval("document.documentElement.scrollWidth", &wide))
		if wide > 390 {
			t.Errorf("%s is %d wide on a screen of 390", path, wide)
		}
		is(t, p, "document.querySelectorAll('main script, main img, main iframe, main style, base').length", 0)
	}
	for _, fault := range p.Faults() {
		if !strings.Contains(fault, "404") {
			t.Errorf("the browser says: %s", fault)
		}
	}
	for _, request := range p.Requests() {
		if !strings.HasPrefix(request, f.address) {
			t.Errorf("a page asked for %s", request)
		}
	}
}
