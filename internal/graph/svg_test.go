package graph

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// login is a plan with all that a picture can show.
func login() *plan.Plan {
	p := tasks("01-users", "id: users\ntitle: Write the migration for the table of users\nstatus: done\noutputs: [table]",
		"02-hash", "id: hash\ntitle: Hash passwords\nkind: act\nstatus: in_progress\ninputs: [table]",
		"03-admin", "id: admin\ntitle: 管理者のページを作る\nkind: subtask", "03-admin/01-list", "id: list\ntitle: List the users\ndepends_on: [users]",
		"03-admin/02-ban", "id: ban\ntitle: Ban a user\nstatus: blocked",
		"04-limit", "id: limit\ntitle: Choose how to limit attempts\nkind: decide\nstatus: failed\ndepends_on: [hash]",
		"05-flag", "id: flag\ntitle: Put it behind a flag\nstatus: skipped", "06-release", "id: release\ntitle: Release it\ndepends_on: [admin, limit, flag]")
	files := []plan.File{{Path: "signals/tests.md", Data: []byte("---\nlevel: blocker\ntask: ban\n---\nThe tests fail.\n")},
		{Path: "signals/money.md", Data: []byte("---\nlevel: warning\n---\nThe money is used up.\n")}}
	p, _ = plan.Read("log-in", "", append(files, p.FileList()...))
	return p
}

// replanned gives a plan and what it was before, with a task that came, one
// that went, and what became of the others.
func replanned() (*plan.Plan, *Changes) {
	before := tasks("01-a", "id: a\ntitle: Design\nstatus: done", "02-box", "id: box\ntitle: Build", "02-box/01-b", "id: b\ntitle: Build it by hand\ndepends_on: [a]",
		"02-box/02-c", "id: c\ntitle: Test it\ndepends_on: [b]", "03-d", "id: d\ntitle: Release\ndepends_on: [c]")
	now := tasks("01-a", "id: a\ntitle: Design\nstatus: done", "02-box", "id: box\ntitle: Build", "02-box/02-c", "id: c\ntitle: Test it twice\ndepends_on: [n]",
		"02-box/03-n", "id: n\ntitle: Build it by machine\ndepends_on: [a]", "03-d", "id: d\ntitle: Release\ndepends_on: [c]")
	c := &Changes{Before: before, Now: map[*plan.Task]*plan.Task{}, Marks: map[*plan.Task]Change{now.Task("c"): Changed}}
	for _, t := range before.All() {
		if u := now.Task(t.ID); u != nil {
			c.Now[t] = u
		}
	}
	return now, c
}

func TestSVGGolden(t *testing.T) {
	now, changes := replanned()
	for name, draw := range map[string]func() []byte{
		"login": func() []byte { return SVG(login(), Options{}) },
		"cycle": func() []byte {
			return SVG(plans()["cycle"], Options{Page: true})
		},
		"hostile": func() []byte { return SVG(plans()["hostile"], Options{Page: true}) },
		"changes": func() []byte { return SVG(now, Options{Page: true, Changes: changes}) },
		"inside":  func() []byte { return SVG(plans()["empty"], Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			got := draw()
			golden(t, filepath.Join("testdata", name+".svg"), got)
			checkSVG(t, got)
			for range 3 {
				if string(draw()) != string(got) {
					t.Fatal("the same plan is drawn differently")
				}
			}
		})
	}
}

// checkSVG holds a picture to well-formed XML of few elements and attributes,
// none of which can do or fetch anything.
func checkSVG(t *testing.T, data []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, data)
		}
		switch token := token.(type) {
		case xml.StartElement:
			checkElement(t, token)
		case xml.ProcInst, xml.Directive:
			t.Errorf("%v in the picture", token)
		case xml.CharData:
			checkChars(t, string(token))
		}
	}
}

func checkElement(t *testing.T, e xml.StartElement) {
	t.Helper()
	if !slices.Contains([]string{"svg", "title", "desc", "style", "g", "a", "rect", "circle", "path", "text"}, e.Name.Local) {
		t.Errorf("the element %s", e.Name.Local)
	}
	for _, a := range e.Attr {
		if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
			t.Errorf("the attribute %s of %s", a.Name.Local, e.Name.Local)
		}
		if a.Name.Local != "xmlns" && a.Name.Local != "href" && strings.Contains(a.Value, ":") && e.Name.Local != "a" {
			t.Errorf("%s=%q", a.Name.Local, a.Value)
		}
		if a.Name.Local == "id" && !regexp.MustCompile(`^[A-Za-z0-9-]+$`).MatchString(a.Value) {
			t.Errorf("the id %q", a.Value)
		}
		checkChars(t, a.Value)
	}
}

func checkChars(t *testing.T, s string) {
	t.Helper()
	for _, r := range s {
		if r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200d || r == 0xfffe || r == 0xffff {
			t.Errorf("the character %U in %q", r, s)
		}
	}
}

func TestSVGSaysItAll(t *testing.T) {
	got := string(SVG(login(), Options{}))
	for _, want := range []string{
		`role="img" aria-labelledby="plan-graph-title"`, "<title id=\"plan-graph-title\">log-in: A plan</title>", "prefers-color-scheme:dark",
		"8 tasks: 1 done, 1 in progress, 1 blocked, 1 failed, 3 pending, 1 skipped.", "3.1 list: List the users, ready, after users.",
		"2 hash: Hash passwords; in progress; act", "blocker tests: The tests fail.", "warning money: The money is used up.",
		"users → hash, by what it gives: table", "list → ban, by the order of files", "by the order of files, critical path", "管理者のページを作る",
		"pg-edge-flow", "pg-edge-order", "pg-dot-failed", "↓ in this order", "gives what the other takes", "open signal",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if bare := string(SVG(login(), Options{Page: true, ID: "a b<c>", Title: "T<"})); strings.Contains(bare, "<style") || strings.Contains(bare, "pg-head") ||
		!strings.Contains(bare, `<title id="abc-title">T&lt;</title>`) {
		t.Errorf("a bare picture is\n%s", bare)
	}
}

// CSS is what a page brings for a picture without a style sheet.
func TestSVGStyles(t *testing.T) {
	css := CSS()
	if strings.ContainsAny(css, "<&$") {
		t.Errorf("the style sheet is\n%s", css)
	}
	for _, class := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(string(SVG(login(), Options{Page: true})), -1) {
		for _, name := range strings.Fields(class[1]) {
			if !strings.Contains(css, "."+name+"{") {
				t.Errorf("the class %s has no style", name)
			}
		}
	}
}

func TestSVGLinks(t *testing.T) {
	link := func(t *plan.Task) string {
		return map[string]string{"a": "tasks/a.html?x=1&y=\"2\"", "b": "javascript:alert(1)", "c": "https://example.org/c", "d": "data:text/html,x"}[t.ID]
	}
	got := string(SVG(tasks("01-a", "id: a", "02-b", "id: b", "03-c", "id: c", "04-d", "id: d"), Options{Link: link}))
	checkSVG(t, []byte(got))
	if strings.Count(got, "<a ") != 2 || !strings.Contains(got, `href="tasks/a.html?x=1&amp;y=&quot;2&quot;" aria-label="1 a, ready"`) || !strings.Contains(got, `role="group"`) {
		t.Errorf("links:\n%s", got)
	}
}

func TestSVGChanges(t *testing.T) {
	now, changes := replanned()
	got := string(SVG(now, Options{Page: true, Changes: changes}))
	for want, n := range map[string]int{`class="pg-box pg-added"`: 1, `class="pg-box pg-removed"`: 1, `class="pg-box pg-changed"`: 1, `class="pg-box pg-plain"`: 2,
		`class="pg-edge pg-edge-added"`: 3, `class="pg-edge pg-edge-removed"`: 3, "by hand": 3, "dependency removed": 1} {
		if strings.Count(got, want) != n {
			t.Errorf("%d times %q, not %d", strings.Count(got, want), want, n)
		}
	}
}

// Of a large plan that changed, what changed is drawn, and what is next to it.
func TestSVGFocus(t *testing.T) {
	now := bushy(1, 300)
	c := &Changes{Before: now, Now: map[*plan.Task]*plan.Task{}, Marks: map[*plan.Task]Change{now.Task("t7"): Changed}}
	for _, t := range now.All() {
		c.Now[t] = t
	}
	p := newPicture(now, c)
	p.focus(maxFocus, maxTasks)
	if len(p.nodes) > 40 || len(p.nodes) < 2 || p.tasks != len(now.All()) {
		t.Errorf("%d of %d tasks are drawn", len(p.nodes), p.tasks)
	}
	if got := string(SVG(now, Options{Changes: c})); !strings.Contains(got, "tasks are drawn: those that changed") {
		t.Error("the picture does not say what it leaves out")
	}
}

// Every plan is drawn well, each of its tasks once, whatever changed in it.
func TestSVGRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		before, now := randomPlan(r, 1+r.IntN(30)), randomPlan(r, 1+r.IntN(30))
		c := &Changes{Before: before, Now: map[*plan.Task]*plan.Task{}}
		for _, t := range before.All() {
			if u := now.Task(t.ID); u != nil {
				c.Now[t] = u
			}
		}
		gone := len(before.All()) - len(c.Now)
		for want, o := range map[int]Options{len(now.All()): {}, len(now.All()) + gone: {Changes: c}} {
			got := SVG(now, o)
			checkSVG(t, got)
			if n := strings.Count(string(got), "<g><title>") - strings.Count(string(got), "</title><path d=\"M"); n != want && gone > 0 {
				t.Errorf("seed %d: %d tasks are drawn of %d", seed, n, want)
			}
		}
	}
}

// Lines that others imply are left out, also through containers.
func TestReduce(t *testing.T) {
	for _, tt := range []struct {
		p    *plan.Plan
		want string
	}{
		{tasks("01-a", "id: a", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [a, b]"), "a-b b-c"},
		{tasks("01-a", "id: a", "02-x", "id: x\ndepends_on: [a]", "02-x/01-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [x, b, a]"), "a-x x-c"},
		{tasks("01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [a]"), "b-a a-b"},
	} {
		var got []string
		p := newPicture(tt.p, nil)
		p.reduce(p.order())
		for _, w := range p.wires {
			got = append(got, p.nodes[w.from].task.ID+"-"+p.nodes[w.to].task.ID)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v, not %s", got, tt.want)
		}
	}
}

func TestSVGWrap(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want string
	}{
		{"short", "short"},
		{"Refuse requests without a valid token", "Refuse requests without|a valid token"},
		{strings.Repeat("w", 80), ""},
		{"internal/store/transport/very/long/path.go", ""},
		{"正しいパスワードにはトークンで答える、期限は一時間とする", ""},
		{strings.Repeat("many words ", 40), ""},
	} {
		got := wrap(tt.s, fontSize, textRoom, 3)
		if tt.want != "" && strings.Join(got, "|") != tt.want {
			t.Errorf("%q", got)
		}
		for _, line := range got {
			if textWidth(line, fontSize) > textRoom || len(got) > 3 {
				t.Errorf("%q is %d wide", line, textWidth(line, fontSize))
			}
		}
	}
}

// bushy is a plan of containers of ten tasks, each of which waits for some
// before it.
func bushy(seed uint64, n int) *plan.Plan {
	r := rand.New(rand.NewPCG(seed, 1))
	files := []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: A plan\n---\nWhy.\n")}}
	add := func(path, front string) {
		files = append(files, plan.File{Path: "tasks/" + path + ".md", Data: []byte("---\n" + front + "\n---\nDo it.\n")})
	}
	for i := range n {
		top, mid := fmt.Sprintf("%02d-s", i/100), fmt.Sprintf("%02d-p", i/10%10)
		if i%100 == 0 {
			add(top, fmt.Sprintf("id: s%d\ntitle: Part %d", i/100, i/100))
		}
		if i%10 == 0 {
			add(top+"/"+mid, fmt.Sprintf("id: p%d\ntitle: Phase %d of the work", i/10, i/10))
		}
		needs := ""
		for range r.IntN(3) {
			if i > 0 {
				needs += fmt.Sprintf(", t%d", i-1-r.IntN(min(i, 15)))
			}
		}
		add(fmt.Sprintf("%s/%s/%02d-t", top, mid, i%10), fmt.Sprintf("id: t%d\ntitle: Do number %d of the many things\ndepends_on: [%s]", i, i, strings.TrimPrefix(needs, ", ")))
	}
	p, _ := plan.Read("bushy", "", files)
	return p
}

// A plan of five hundred tasks is drawn quickly, and of more than can be drawn the
// picture says how many are.
func TestSVGLarge(t *testing.T) {
	var drawn []byte
	took := gittest.Spent(func() { drawn = SVG(bushy(1, 500), Options{}) })
	checkSVG(t, drawn)
	if took > 10*time.Second { // a slow machine is no failure
		t.Errorf("500 tasks took %v", took)
	}
	if testing.Short() {
		return
	}
	if got := SVG(bushy(2, 6000), Options{}); !strings.Contains(string(got), "only the first 5000 of 6660 tasks are drawn") {
		t.Error("nothing says what is left out")
	}
}

func BenchmarkSVG(b *testing.B) {
	for _, n := range []int{60, 500, 4500} {
		p := bushy(1, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				SVG(p, Options{})
			}
		})
	}
}

func FuzzSVG(f *testing.F) {
	fuzz(f, func(w io.Writer, p *plan.Plan) error {
		_, err := w.Write(SVG(p, Options{Link: func(t *plan.Task) string { return t.Title() }}))
		return err
	}, func(t *testing.T, s string) { checkSVG(t, []byte(s)) })
}
