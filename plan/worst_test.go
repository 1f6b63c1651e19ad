package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// worstFile is a file as costly as the limits let one be: part of it is
// repeated as often as fits.
type worstFile struct{ name, head, unit, tail string }

// worstFiles are frontmatter that is nearly 64 KiB. Each is accepted as far as
// the limits go; what a field makes of its value is another matter.
func worstFiles() []worstFile {
	deep := strings.Repeat("[", 14)
	return []worstFile{
		{"a long text", "goal: ", "a", ""},
		{"a long text of wide characters", "goal: ", "日", ""},
		{"escapes", `goal: "`, `\u00e9`, `"`},
		{"short escapes", `goal: "`, `\n`, `"`},
		{"quotes in quotes", "goal: '", "''", "'"},
		{"a text of many lines", "goal: a\n", "  b\n", ""},
		{"a literal", "goal: |\n", "  a\n", ""},
		{"a folded text", "goal: >\n", "  a\n\n", ""},
		{"a quoted text of many lines", "goal: \"a\n", "  b\n", "\""},
		{"items in a line", "tags: [a", ",a", "]"},
		{"items a line", "tags:\n", "- a\n", ""},
		{"quoted items", "tags: [a", ",\"a\"", "]"},
		{"lists in a list", "x-a: [a", ",[]", "]"},
		{"deep lists, one after the other", "x-a: [a", "," + deep + strings.Repeat("]", 14), "]"},
		{"lists below lists", "x-a:\n", "- - - - - - a\n", ""},
		{"comments", "", "# a\n", ""},
		{"comments after items", "tags:\n", "- a # b\n", ""},
		{"blank lines", "", "\n", ""},
		{"a literal with empty lines behind it", "goal: |\n", "  a\n", strings.Repeat("\n", maxRun-1)},
		{"a folded text with empty lines behind it", "goal: >\n  ", "ab ", strings.Repeat("\n", maxRun)},
		{"blocks of text with empty lines behind them", "x-a:\n", "  - |\n    a\n" + strings.Repeat("\n", maxRun-1), ""},
		{"signs of less", "goal: ", strings.Repeat("<", maxRun) + "a", ""},
		{"long paths", "creates:\n", "- a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p\n", ""},
	}
}

// filled gives the file with at most size bytes of frontmatter.
func (w worstFile) filled(size int) []byte {
	n := (size - len(w.head) - len(w.tail) - len("title: t\n") - 1) / len(w.unit)
	return []byte("---\ntitle: t\n" + w.head + strings.Repeat(w.unit, n) + w.tail + "\n---\nb\n")
}

// manyKeys is frontmatter of as many keys as there may be, each of a long value.
func manyKeys() []byte {
	var b strings.Builder
	for i := range maxKeysOf {
		fmt.Fprintf(&b, "x-%d: %s\n", i, strings.Repeat("v", 240))
	}
	return []byte("---\ntitle: t\n" + b.String() + "---\nb\n")
}

// maxKeysOf is as many keys as fit beside the title.
const maxKeysOf = 255

// work counts what reading a file allocates: how often, and how much. Unlike
// time it is the same on every machine.
func work(read func()) (times, size uint64) {
	var before, after runtime.MemStats
	read() // what is made once is made now
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

// most is what the worst file may allocate while it is read, all told: a bound
// on its peak, too.
const most = 64 << 20

// What is within the limits is read at a cost that grows as it does, and no
// faster: twice the file, about twice the work.
func TestWorstFiles(t *testing.T) {
	for _, w := range worstFiles() {
		read := func(size int) (times, bytes uint64) {
			data := w.filled(size)
			d, _ := parseDocument(planDoc, "plan.md", data)
			if !d.Readable {
				t.Errorf("%s: refused at %d bytes", w.name, size)
			}
			return work(func() { parseDocument(planDoc, "plan.md", data) })
		}
		half, _ := read(maxYAML / 2)
		times, bytes := read(maxYAML)
		if bytes > most {
			t.Errorf("%s: reading it takes %d MiB", w.name, bytes>>20)
		}
		if times > 3*half+1000 {
			t.Errorf("%s: %d allocations for half of it, %d for the whole", w.name, half, times)
		}
	}
	for name, data := range map[string][]byte{"keys": manyKeys(), "text": []byte("---\ntitle: t\n---\n" + strings.Repeat("a\n", (MaxFile-30)/2))} {
		d, found := parseDocument(planDoc, "plan.md", data)
		if _, bytes := work(func() { parseDocument(planDoc, "plan.md", data) }); bytes > most || !d.Readable || len(found) > 0 {
			t.Errorf("%s: %d MiB, %v", name, bytes>>20, found)
		}
	}
}

// What the lexer takes long to read is refused before it sees it; the same in
// the body, or in a text with no block, costs nothing.
func TestRunsAreRefused(t *testing.T) {
	less, empty := strings.Repeat("<", maxRun+1), strings.Repeat("\n", maxRun+1)
	for front, want := range map[string]string{
		"title: t\ngoal: é" + less:              "3:8: more than 100 times `<` in a row",
		"title: t\ngoal: |\n  x\n" + empty:      "105:1: more than 100 empty lines in a row",
		"title: t\ngoal: >+\n  x\n" + empty:     "105:1: more than 100 empty lines in a row",
		"title: t\ngoal: |\n  x" + empty[1:]:    "",
		"title: t\ngoal: 'é" + less + "'":       "",
		"title: t\n" + empty + "goal: x\n  y":   "",
		"title: t\ngoal: \"x" + empty + "  y\"": "",
	} {
		_, found := parseDocument(planDoc, "plan.md", []byte("---\n"+front+"\n---\n"+less+empty+"b\n"))
		got := ""
		for _, d := range found {
			got += fmt.Sprintf("%s: %s", d.Pos, d.Message)
			if d.Rule != RuleLimits || d.Hint == "" {
				t.Errorf("%q: %s, %q", front, d.Rule, d.Hint)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", front, got, want)
		}
	}
}

// What is written by an edit is never one of them.
func TestRunsAreWritten(t *testing.T) {
	d, _ := parseDocument(planDoc, "plan.md", []byte("---\ntitle: t\n---\nb\n"))
	less, empty := "a"+strings.Repeat("<", maxRun+1), "a"+strings.Repeat("\n", maxRun+2)+"b"
	if len(tooManyAngles) != maxRun+1 {
		t.Errorf("%d", len(tooManyAngles))
	}
	for _, text := range []string{less, empty, less + "\n" + less} {
		if e, err := d.Set("goal", Value(text)); err != nil || e.Text("goal") != text {
			t.Errorf("%.60q: %v", text, err)
		}
		if e, err := d.Set("tags", Value([]string{text})); err != nil || e.List("tags")[0] != text {
			t.Errorf("%.60q: %v", text, err)
		}
		if f, err := ComposePlan(map[string]any{"title": "t", "goal": text}, "b"); err != nil {
			t.Errorf("%.60q: %v, %s", text, err, f.Data)
		}
	}
}

// Where a field stands is told from its key, not counted from the top.
func TestFormatIsQuick(t *testing.T) {
	gittest.Linear(t, "keys below empty lines", 60_000, func(n int) func() {
		var b strings.Builder
		for i := range n / 250 {
			fmt.Fprintf(&b, "x-%d: 1\n", i)
		}
		d, _ := parseDocument(planDoc, "plan.md", []byte("---\ntitle: t\n"+strings.Repeat("\n", n)+b.String()+"---\nb\n"))
		return func() {
			for range 10 {
				d.Format()
			}
		}
	})
}

// BenchmarkWorstFiles tells how long each takes: the slowest should stay below
// a tenth of a second.
func BenchmarkWorstFiles(b *testing.B) {
	cases := map[string][]byte{"keys": manyKeys()}
	for _, w := range worstFiles() {
		cases[w.name] = w.filled(maxYAML)
	}
	for name, data := range cases {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parseDocument(planDoc, "plan.md", data)
			}
		})
	}
}
