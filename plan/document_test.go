package plan

import (
	"fmt"
	"strings"
	"testing"
)

// documentCase is one file and what is found in it; empty, it is read without
// findings.
type documentCase struct {
	name, data string
	kind       docKind
	want       string
}

func fenceCases() []documentCase {
	return []documentCase{
		{"plain", "---\ntitle: x\n---\nb\n", planDoc, ""},
		{"byte order mark", "\uFEFF---\ntitle: x\n---\nb\n", planDoc, ""},
		{"byte order mark, column not counted", "\uFEFFtitle: x\n", planDoc, "1:1 frontmatter"},
		{"two byte order marks", "\uFEFF\uFEFF---\ntitle: x\n---\nb\n", planDoc, "1:1 frontmatter"},
		{"CRLF", "---\r\ntitle: x\r\n---\r\nb\r\n", planDoc, ""},
		{"CRLF and comments keep lines right", "---\r\n# a\r\n# b\r\ntitel: x\r\n---\r\nb\r\n", planDoc, "1:1 title-empty, 4:1 unknown-field"},
		{"blanks after the fences", "---  \ntitle: x\n---\t\nb\n", planDoc, ""},
		{"no final newline", "---\ntitle: x\n---\nb", planDoc, ""},
		{"ends at the fence", "---\ntitle: x\n---", planDoc, "3:1 body-empty"},
		{"body of blanks", "---\ntitle: x\n---\n \n\t\n", planDoc, "3:1 body-empty"},
		{"body with a rule", "---\ntitle: x\n---\na\n---\nb\n", planDoc, ""},
		{"indented rule inside", "---\ntitle: x\ngoal: |\n  a\n  ---\n  b\n---\nb\n", planDoc, "5:1 frontmatter"},
		{"second document", "---\ntitle: x\n--- # x\ngoal: y\n---\nb\n", planDoc, "3:1 yaml-unsafe"},
		{"end of document", "---\ntitle: x\n...\n---\nb\n", planDoc, "3:1 yaml-unsafe"},
		{"unclosed", "---\ntitle: x\nb\n", planDoc, "1:1 frontmatter"},
		{"fence alone", "---", planDoc, "1:1 frontmatter"},
		{"fence and line feed", "---\n", planDoc, "1:1 frontmatter"},
		{"empty file", "", planDoc, "1:1 frontmatter"},
		{"blank line first", "\n---\ntitle: x\n---\nb\n", planDoc, "1:1 frontmatter"},
		{"prose", "# Title\n\ntext\n", planDoc, "1:1 frontmatter"},
		{"indented first fence", " ---\ntitle: x\n---\nb\n", planDoc, "1:1 frontmatter"},
		{"four hyphens", "----\ntitle: x\n----\nb\n", planDoc, "1:1 frontmatter"},
		{"empty frontmatter", "---\n---\nb\n", planDoc, "1:1 title-empty"},
		{"blank frontmatter", "---\n\n  \n# c\n---\nb\n", planDoc, "1:1 title-empty"},
		{"null frontmatter", "---\n~\n---\nb\n", planDoc, "1:1 title-empty"},
		{"scalar frontmatter", "---\nx\n---\nb\n", planDoc, "2:1 frontmatter"},
		{"list frontmatter", "---\n- x\n---\nb\n", planDoc, "2:1 frontmatter"},
		{"flow frontmatter", "---\n{title: x}\n---\nb\n", planDoc, ""},
		{"tabs in a quoted text", "---\ntitle: x\ngoal: \"a\n  b\tc\n\n  d\"\n\n# c\nnote: y\n---\nb\n", planDoc, "9:1 unknown-field"},
		{"wide characters", "---\ntitle: 日本 # é\n\"gоal\": [é, 'ü']\nversion: '日'\n---\nb\n", planDoc, "3:1 unknown-field, 4:10 frontmatter"},
		{"frontmatter only", "---\ntitle: x\n---\n", planDoc, "3:1 body-empty"},
	}
}

func TestParseDocumentFences(t *testing.T) { runDocuments(t, fenceCases()) }

func runDocuments(t *testing.T, cases []documentCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, found := parseDocument(c.kind, "f.md", []byte(c.data))
			equal(t, fmt.Sprint(found), rules(found), c.want)
		})
	}
}

func TestParseDocumentKeepsEverything(t *testing.T) {
	d, _ := parseDocument(planDoc, "f.md", []byte("\uFEFF---\r\n# c\r\n\"title\": 'it''s' # d\r\nx-a: {b: [1, 2.5, yes]}\r\n---\r\n\r\n# H\r\ntext"))
	equal(t, "source", d.Source, "---\n# c\n\"title\": 'it''s' # d\nx-a: {b: [1, 2.5, yes]}\n---\n\n# H\ntext")
	equal(t, "body", d.Body, "\n# H\ntext")
	f := d.Field("title")
	equal(t, "title", fmt.Sprint(f.Value.Text, f.KeyPos, f.Value.Pos), "it's3:1 3:10")
	got := fmt.Sprintf("%v", d.Field("x-a").Value.plain())
	equal(t, "x-a", got, "map[b:[1 2.5 yes]]")
}

func encodingCases() []documentCase {
	front := func(s string) string { return "---\ntitle: é" + s + "\ngoal: [\n---\nb\n" }
	body := func(s string) string { return "---\ntitle: x\n---\né" + s + "\n" }
	cases := []documentCase{
		{"UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00", planDoc, "1:1 encoding, 1:4 encoding, 1:6 encoding, 1:8 encoding, 2:1 encoding"},
		{"NUL in an unclosed file", "---\ntitle: \x00\n", planDoc, "2:8 encoding"},
		{"body fault beside others", "---\ntitel: x\n---\nb\x1b\n", planDoc, "1:1 title-empty, 2:1 unknown-field, 4:2 encoding"},
		{"every fault in the body", "---\ntitel: x\n---\nb\x1b[0m \x1b\n\xff\n", planDoc, "1:1 title-empty, 2:1 unknown-field, 4:2 encoding, 4:7 encoding, 5:1 encoding"},
		{"before and below the fence", "---\ntitle: \x07\n---\nb\x1b\n", planDoc, "2:8 encoding, 4:2 encoding"},
		{"several in a row", "---\ntitle: x\n---\nb\x1b\x1b\xff\u202e b \xff\n", planDoc, "4:2 encoding, 4:9 encoding"},
		{"not before the mark", "\uFEFF---\ntitle: \x00\n---\nb\n", planDoc, "2:8 encoding"},
		{"replacement character", "---\ntitle: \uFFFD\n---\nb \uFFFD\n", planDoc, ""},
		{"joined emoji and soft hyphen", "---\ntitle: 👩\u200d💻 \u00ad\n---\nb\n", planDoc, ""},
	}
	for what, s := range map[string]string{
		"invalid byte": "\xff", "cut sequence": "\xe2\x82", "truncated EF": "\xef", "escape": "\x1b", "NUL": "\x00", "lone CR": "\ra",
		"DEL": "\x7f", "C1": "\u0085", "override": "\u202e", "isolate": "\u2066", "surrogate": "\xed\xa0\x80",
	} {
		cases = append(cases,
			documentCase{what + " in front", front(s), planDoc, "2:9 encoding"},
			documentCase{what + " in the body", body(s), planDoc, "4:2 encoding"})
	}
	return cases
}

func TestParseDocumentEncoding(t *testing.T) { runDocuments(t, encodingCases()) }

// What stands in a list beside texts does not move the places of those.
func TestTexts(t *testing.T) {
	d, _ := parseDocument(taskDoc, "f.md", []byte(fenced("notes: [\"\", 5, zz, true, b]\nid: a")))
	var got []string
	for i, text := range d.Texts("notes") {
		got = append(got, fmt.Sprintf("%q at %v", text, d.ItemPos("notes", i)))
	}
	equal(t, "texts", strings.Join(got, ", "), `"" at 2:9, "zz" at 2:16, "b" at 2:26`)
	for range d.Texts("none") {
		t.Error("there is no such list")
	}
}

func TestDocumentAccessors(t *testing.T) {
	d, _ := parseDocument(taskDoc, "f.md", []byte("---\nid: a\ntitle: ~\nnotes:\n  - x\n  - 2\nresult: \"\"\n---\nb\n"))
	equal(t, "text", d.Text("id")+"|"+d.Text("title")+"|"+d.Text("notes")+"|"+d.Text("agent"), "a|||")
	equal(t, "list", strings.Join(d.List("notes"), ","), "x")
	equal(t, "has", fmt.Sprint(d.Has("id"), d.Has("title"), d.Has("result"), d.Has("agent")), "true false true false")
	equal(t, "positions", fmt.Sprint(d.Pos("id"), d.Pos("agent"), d.ItemPos("notes", 1), d.ItemPos("notes", 2), d.ItemPos("agent", 0)),
		"2:5 1:1 6:5 5:3 1:1")
	var none *Document
	equal(t, "no document", fmt.Sprint(none.Text("id"), none.List("id"), none.Has("id"), none.Pos("id")), "[] false 1:1")
}

// TestEncodingCounts holds that what is no text at all is told in a few lines,
// which say how much there is.
func TestEncodingCounts(t *testing.T) {
	_, found := parseDocument(planDoc, "plan.md", []byte("---\ntitle: x\n---\n"+strings.Repeat("b\x1b\n", 25)))
	if len(found) != 10 {
		t.Fatalf("got %d findings, want 10", len(found))
	}
	if got, want := found[9].Message, "the control character U+001B; 15 more like it follow"; got != want {
		t.Errorf("the last says %q, want %q", got, want)
	}
}
