package diff

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

var update = flag.Bool("update", false, "write the golden files anew")

// writers are the renderings, by the extension of their golden files.
func writers() map[string]func(io.Writer, *Result) error {
	return map[string]func(io.Writer, *Result) error{
		"text":  func(w io.Writer, r *Result) error { return Text(w, r, &term.Page{}) },
		"color": func(w io.Writer, r *Result) error { return Text(w, r, &term.Page{Palette: term.NewPalette(nil)}) },
		"md":    func(w io.Writer, r *Result) error { return Markdown(w, r, MarkdownSize) },
		"html":  HTML,
		"json": func(w io.Writer, r *Result) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(r)
		},
	}
}

// archives gives the cases in testdata, each a plan before and after.
func archives(t testing.TB) map[string]*Result {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	out := map[string]*Result{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sides := map[string][]plan.File{}
		for _, f := range archive.Files {
			side, path, _ := strings.Cut(f.Name, "/")
			sides[side] = append(sides[side], plan.File{Path: path, Data: f.Data})
		}
		before, _ := plan.Read("demo", "", sides["before"])
		after, _ := plan.Read("demo", "", sides["after"])
		out[strings.TrimSuffix(name, ".txtar")] = compare(before, after)
	}
	out[filepath.Join("testdata", "same")] = compare(files("01-a", "id: a"), files("01-a", "id: a"))
	out[filepath.Join("testdata", "added")] = compare(nil, files("01-a", "id: a", "01-a/01-b", "id: b", "02-c", "id: c\ndepends_on: [a]"))
	out[filepath.Join("testdata", "removed")] = compare(files("01-a", "id: a", "02-c", "id: c\ndepends_on: [a]"), nil)
	return out
}

func TestGolden(t *testing.T) {
	for base, r := range archives(t) {
		for ext, write := range writers() {
			t.Run(filepath.Base(base)+"."+ext, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b, r); err != nil {
					t.Fatal(err)
				}
				golden(t, base+"."+ext, b.Bytes())
			})
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written; -update writes it anew:\n%s", file, got)
	}
}

func TestDocumentHasLists(t *testing.T) {
	data, err := json.Marshal(compare(files("01-a", "id: a"), files("01-a", "id: a\nagent: x")))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "document", string(data), `{"from":"old","to":"new","plans":[{"id":"demo","change":"changed","fields":[],"tasks":[{"id":"a","change":"changed",`+
		`"fields":[{"field":"agent","old":null,"new":"x"}]}],"edges":{"added":[],"removed":[]}}]}`)
}

// A comment stays within its bounds, however much changed, and says how much
// it leaves out.
func TestMarkdownSize(t *testing.T) {
	var pairs []string
	for i := range 90 {
		pairs = append(pairs, "tasks/"+twoDigits(i)+"-a.md", "---\nid: a"+twoDigits(i)+"\n---\n"+strings.Repeat("Long text that goes on and on. ", 300)+"\n")
	}
	r := compare(nil, files(pairs...))
	for _, size := range []int{400, 2_000, 10_000, MarkdownSize} {
		var b strings.Builder
		if err := Markdown(&b, r, size); err != nil {
			t.Fatal(err)
		}
		if b.Len() > size || !strings.Contains(b.String(), ", see `git plan diff`.") || !strings.HasPrefix(b.String(), Marker+"\n") {
			t.Errorf("%d bytes for %d:\n%.300s", b.Len(), size, b.String())
		}
		checkMarkdown(t, b.String())
	}
}

// Large plans leave room for those that come after them, and those that find
// none are named.
func TestMarkdownShares(t *testing.T) {
	states := func(n int) *Result {
		var list []Entry
		for i := range n {
			var pairs []string
			for k := range 60 {
				pairs = append(pairs, "tasks/"+twoDigits(k)+"-a.md", "---\nid: a"+twoDigits(k)+"\n---\n"+strings.Repeat("Text that goes on. ", 30)+"\n")
			}
			list = append(list, Entry{ID: "plan-" + twoDigits(i), Plan: files(pairs...)})
		}
		return Compare(State{Name: "old"}, State{Name: "new", Plans: list})
	}
	for _, c := range []struct{ plans, told int }{{1, 1}, {2, 2}, {8, 8}, {50, 8}} {
		var b strings.Builder
		if err := Markdown(&b, states(c.plans), MarkdownSize); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		checkMarkdown(t, text)
		if told := strings.Count(text, "\n### "); told < c.told || len(text) > MarkdownSize || strings.Count(text, "```mermaid") != told {
			t.Errorf("%d of %d plans are told of, with %d pictures, in %d bytes", told, c.plans, strings.Count(text, "```mermaid"), len(text))
		}
		if c.plans == 50 && !strings.Contains(text, "more plans (<code>plan-") {
			t.Errorf("what is left out is not named: %q", text[len(text)-300:])
		}
	}
}

// What is told of a plan stands below its heading, or is left out.
func TestMarkdownHeadings(t *testing.T) {
	entry := func(id string) Entry {
		return Entry{ID: id, Plan: files("plan.md", "---\ntitle: '"+strings.Repeat("@", 5_000)+"'\n---\nWhy.\n", "01-a", "id: of-"+id)}
	}
	r := Compare(State{Name: "old"}, State{Name: "new", Plans: []Entry{entry("p"), entry("q"), entry("r")}})
	for size := 400; size < 20_000; size += 100 {
		var b strings.Builder
		if err := Markdown(&b, r, size); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"p", "q", "r"} {
			if strings.Contains(b.String(), "of-"+id) && !strings.Contains(b.String(), "### <code>"+id+"</code>") {
				t.Fatalf("with %d bytes, tasks of %s stand below another plan:\n%s", size, id, b.String())
			}
		}
	}
}

// Hosts look for references in what the markup became: what they know those by
// must stand in another element than what follows.
func TestInline(t *testing.T) {
	for _, c := range [][2]string{
		{"a-b is 3-4 of step-x", "a&#45;b is 3&#45;4 of step&#45;x"},
		{"GH-12, JIRA-7", "GH<span>&#45;</span>12&#44; JIRA<span>&#45;</span>7"},
		{"@a #1 org/a!2", "<span>&#64;</span>a <span>&#35;</span>1 org&#47;a<span>&#33;</span>2"},
		{"see https://e.org", "see https<span>&#58;</span>&#47;&#47;e&#46;org"},
		{"fixed in 0123abcd, defaced on 2026", "fixed in <code>0123abcd</code>&#44; defaced on 2026"},
		{"東京 &lt;", "東京 <span>&#38;</span>lt&#59;"},
		{"", ""},
	} {
		equal(t, c[0], inline(c[0]), c[1])
	}
}

func twoDigits(i int) string { return string(rune('0'+i/10)) + string(rune('0'+i%10)) }

// TestMermaidParses gives the pictures to Mermaid itself; see
// [gittest.Mermaid].
func TestMermaidParses(t *testing.T) {
	var texts []string
	for _, r := range archives(t) {
		for i := range r.Plans {
			if p := &r.Plans[i]; p.After == nil {
				continue
			} else if text, _ := graph.MermaidChanges(p.After, changes(p)); text != "" {
				texts = append(texts, text)
			}
		}
	}
	gittest.Mermaid(t, texts...)
}

func FuzzText(f *testing.F) {
	fuzz(f, func(t *testing.T, r *Result) {
		var b strings.Builder
		if err := Text(&b, r, &term.Page{}); err != nil {
			t.Fatal(err)
		}
		checkTerminal(t, b.String())
		b.Reset()
		if err := Text(&b, r, &term.Page{Palette: term.NewPalette(nil)}); err != nil {
			t.Fatal(err)
		}
		checkTerminal(t, regexp.MustCompile("\x1b\\[(1|3[1236])?m").ReplaceAllString(b.String(), ""))
	})
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, func(t *testing.T, r *Result) {
		var b strings.Builder
		if err := Markdown(&b, r, MarkdownSize); err != nil {
			t.Fatal(err)
		}
		checkTerminal(t, b.String())
		checkMarkdown(t, b.String())
	})
}

// checkPicture holds a picture, whose text internal/graph escapes, to elements
// that draw.
func checkPicture(t *testing.T, svg string) {
	t.Helper()
	allowed := []string{"div", "svg", "title", "desc", "g", "rect", "circle", "path", "text"}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && !slices.Contains(allowed, e.Name.Local) {
			t.Errorf("the element %s in a picture", e.Name.Local)
		}
	}
}

func FuzzHTML(f *testing.F) {
	picture := regexp.MustCompile(`(?s)<div class="picture">.*?</div>\n`)
	allowed := regexp.MustCompile(`</?(section|details( open)?|summary( class="[a-z]+")?|h[12]( class="[a-z]+")?|p( class="(task )?[a-z]+( d[0-9])?")?|span class="mark"|span|ins|del|code)>`)
	fuzz(f, func(t *testing.T, r *Result) {
		var b strings.Builder
		if err := HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(b.String(), "<body class=\"plan-diff\">")
		body, _, _ = strings.Cut(body, "</body>")
		body = picture.ReplaceAllStringFunc(body, func(svg string) string {
			checkPicture(t, svg)
			return ""
		})
		if rest := allowed.ReplaceAllString(body, ""); strings.ContainsAny(rest, "<>\x1b\u202e") {
			t.Errorf("markup out of a plan: %q", rest)
		}
	})
}

func FuzzDocument(f *testing.F) {
	fuzz(f, func(t *testing.T, r *Result) {
		data, err := json.Marshal(r)
		var doc any
		if err != nil || json.Unmarshal(data, &doc) != nil {
			t.Errorf("%v: %s", err, data)
		}
	})
}

// fuzz compares plans with any frontmatter and text, both ways.
func fuzz(f *testing.F, check func(*testing.T, *Result)) {
	f.Add("id: a\ntitle: x", "One ``` line", "id: a\ntitle: '<b>'", "One line\n```\nmore @x #1")
	f.Add("id: a\ndepends_on: [b]\ntags: [x, y]", "", "id: z\ndepends_on: [c, b]\ntags: [y]", "</details>\x1b[31m\u202e\u200b")
	f.Add("id: a\nsubtasks: ['[ ] a']\nx-a: {b: [1]}", "東京 \\ \xff", "id: a\nsubtasks: ['[x] a', 'b']\nx-a: 2.5\nstatus: done", "京都 | `x` {{.}} <!-- -->")
	f.Fuzz(func(t *testing.T, front, text, newFront, newText string) {
		// Text that no file may hold comes in by a path that reading does not
		// refuse: renderers rely on nothing.
		a := files("plan.md", "---\ntitle: t\n---\n"+text, "01-a", front, "tasks/02-b.md", "---\nid: b\n---\n"+text, "signals/s.md", "---\nlevel: info\n---\n"+text)
		b := files("plan.md", "---\ntitle: u\n---\n"+newText, "01-a", newFront, "tasks/03-b.md", "---\nid: b\n---\n"+newText)
		for _, p := range []*plan.Plan{a, b} {
			p.Doc.Body += newText
		}
		if !compare(a, a).Empty() {
			t.Error("a plan differs from itself")
		}
		check(t, compare(a, b))
		check(t, compare(b, a))
		mirror(t, a, b)
	})
}

// checkTerminal finds what a terminal would obey.
func checkTerminal(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b {
			t.Fatalf("the character %U in %q", r, text)
		}
	}
	if !utf8.ValidString(text) {
		t.Fatalf("no UTF-8: %q", text)
	}
}

// checkMarkdown reads markdown as a host does: what is outside of code blocks
// must be our own markup, and blocks must end where we end them.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	own := regexp.MustCompile(`</?(details|summary|code|span)>|&#?[a-z0-9]+;`)
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			if what := line[len(ticks):]; what != "diff" && what != "mermaid" {
				t.Fatalf("a block of %q", what)
			}
		case fence != "" && line == fence:
			fence = ""
		case fence != "" && len(ticks) >= len(fence):
			t.Fatalf("the block is ended by %q", line)
		case fence == "" && line != Marker && !strings.Contains(line, "see `git plan diff`"):
			rest := strings.TrimPrefix(own.ReplaceAllString(line, ""), "### ")
			if strings.HasPrefix(line, "**") {
				rest = strings.ReplaceAll(rest, "**", "")
			}
			if strings.ContainsAny(rest, "<>`[]*_~@#|\\!") {
				t.Fatalf("markup out of a plan: %q", line)
			}
		}
	}
	if fence != "" {
		t.Fatal("a block does not end")
	}
}
