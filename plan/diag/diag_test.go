package diag

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestSort(t *testing.T) {
	at := func(path string, line, column int, rule, message string) Diagnostic {
		return Diagnostic{Path: path, Pos: Pos{line, column}, Rule: rule, Message: message}
	}
	want := []Diagnostic{
		at("a", 1, 1, "a", "a"), at("a", 1, 1, "a", "b"), at("a", 1, 1, "b", "a"), at("a", 1, 2, "a", "a"),
		at("a", 2, 1, "a", "a"), at("a", 10, 1, "a", "a"), at("a/b", 1, 1, "a", "a"), at("b", 1, 1, "a", "a"),
	}
	got := []Diagnostic{want[7], want[5], want[3], want[1], want[0], want[6], want[2], want[4]}
	Sort(got)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
	if want[0].Compare(want[0]) != 0 || want[0].Compare(want[1]) >= 0 || want[1].Compare(want[0]) <= 0 {
		t.Error("Compare is no order")
	}
}

func TestStrings(t *testing.T) {
	d := Diagnostic{"auth/plan.md", Pos{3, 14}, Error, "title-empty", "the plan has no title", ""}
	if got, want := d.String(), "auth/plan.md:3:14: error: the plan has no title [title-empty]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if (Pos{}).IsValid() || !(Pos{1, 1}).IsValid() {
		t.Error("the zero Pos is no place")
	}
	for s, want := range map[Severity]string{Off: "off", Warning: "warning", Error: "error", 7: "off"} {
		if s.String() != want {
			t.Errorf("severity %d is %q", int(s), s)
		}
	}
	for _, s := range []Severity{Off, Warning, Error} {
		if got, ok := ParseSeverity(s.String()); !ok || got != s {
			t.Errorf("ParseSeverity(%q) = %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "Error", "fatal"} {
		if got, ok := ParseSeverity(s); ok || got != Off {
			t.Errorf("ParseSeverity(%q) = %v, %v", s, got, ok)
		}
	}
}

func TestCount(t *testing.T) {
	errs, warnings := Count([]Diagnostic{{Severity: Error}, {Severity: Warning}, {Severity: Off}, {Severity: Error}})
	if errs != 2 || warnings != 1 {
		t.Errorf("%d errors, %d warnings", errs, warnings)
	}
}

func TestPrintable(t *testing.T) {
	cases := []struct{ in, line, text string }{
		{"plain é 日 \U0001F680", "plain é 日 \U0001F680", "plain é 日 \U0001F680"},
		{"", "", ""},
		{"a\tb\nc", `a\tb\nc`, "a\tb\nc"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"\x1b\n\t", `\x1b\n\t`, "\\x1b\n\t"},
		{"a\rb\x00\x07\x7f", `a\x0db\x00\x07\x7f`, `a\x0db\x00\x07\x7f`},
		{"\u0085\u009b", `\x85\x9b`, `\x85\x9b`},
		{"a\u202eb\u2066c\u2069", `a\u202eb\u2066c\u2069`, `a\u202eb\u2066c\u2069`},
		{"a\u200bb\u200dc\ufeffd\u00ade\u200e", `a\u200bb\u200dc\ufeffd\u00ade\u200e`, `a\u200bb\u200dc\ufeffd\u00ade\u200e`},
		{"a\u2028b\u2029", `a\u2028b\u2029`, `a\u2028b\u2029`},
		{"tag\U000E0041", `tag\U000e0041`, `tag\U000e0041`},
		{"\xff\xfe", `\xff\xfe`, `\xff\xfe`},
		{"a\xef", `a\xef`, `a\xef`},
		{"a\xe2\x82b", `a\xe2\x82b`, `a\xe2\x82b`},
		{"a\uFFFDb", "a\uFFFDb", "a\uFFFDb"},
		{"\uFFFD\xef\uFFFD", "\uFFFD\\xef\uFFFD", "\uFFFD\\xef\uFFFD"},
	}
	for _, c := range cases {
		if got := Printable(c.in); got != c.line {
			t.Errorf("Printable(%q) = %q, want %q", c.in, got, c.line)
		}
		if got := PrintableText(c.in); got != c.text {
			t.Errorf("PrintableText(%q) = %q, want %q", c.in, got, c.text)
		}
		if Printable(c.line) != c.line {
			t.Errorf("printable twice: %q", c.line)
		}
	}
}

func TestIsBidi(t *testing.T) {
	for _, r := range "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		if !IsBidi(r) || !IsInvisible(r) {
			t.Errorf("%U", r)
		}
	}
	for _, r := range "a\u2029\u202f\u2065\u206a\u200e" {
		if IsBidi(r) {
			t.Errorf("%U", r)
		}
	}
}

func found() []Diagnostic {
	return []Diagnostic{
		{"p/plan.md", Pos{1, 1}, Error, "title-empty", "no title", "add one"},
		{"p/tasks/01-a.md", Pos{2, 5}, Warning, "x", "odd \x1b[1m", "see\n\u202ethis"},
		{"p/tasks/01-b.md", Pos{3, 1}, Off, "y", "off", ""},
	}
}

func TestWriteText(t *testing.T) {
	var b strings.Builder
	if err := WriteText(&b, found()); err != nil {
		t.Fatal(err)
	}
	want := "p/plan.md:1:1: error: no title [title-empty]\n\thint: add one\n" +
		"p/tasks/01-a.md:2:5: warning: odd \\x1b[1m [x]\n\thint: see\\n\\u202ethis\n" +
		"p/tasks/01-b.md:3:1: off: off [y]\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if err := WriteText(failing{}, found()); !errors.Is(err, errFull) {
		t.Errorf("a writer's error is lost: %v", err)
	}
}

var errFull = errors.New("no room")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestLines(t *testing.T) {
	if got := fmt.Sprintf("%q", Lines(found())); got != `["p/plan.md:1:1: no title [title-empty]"]` {
		t.Error(got)
	}
	if Lines(nil) == nil {
		t.Error("nil lines")
	}
}

func TestFindingsJSON(t *testing.T) {
	got, err := json.Marshal(Findings(found()[:1]))
	want := `[{"path":"p/plan.md","line":1,"column":1,"severity":"error","rule":"title-empty","message":"no title","hint":"add one"}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if got, _ := json.Marshal(Findings(nil)); string(got) != "[]" {
		t.Errorf("no findings: %s", got)
	}
}

func TestPiped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"👩\u200d💻 می\u200cخواهم\n\tx": "👩\u200d💻 می\u200cخواهم\n\tx",
		"\x1b[31m\u202ex\u0085\xff":   `\x1b[31m\u202ex\x85\xff`,
	} {
		if got := Piped(text); got != want {
			t.Errorf("Piped(%q) = %q, want %q", text, got, want)
		}
	}
}
