package plan

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan/diag"
)

// slowest is processor time, far above what any file within the limits may take to
// read, also with the race detector on.
const slowest = 10 * time.Second

func FuzzDocument(f *testing.F) {
	for _, s := range seedDocuments() {
		f.Add(s)
		f.Add(frontOf(s))
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, kind := range []docKind{planDoc, taskDoc, signalDoc} {
			readAny(t, kind, data)
			readAny(t, kind, fenced(data))
		}
	})
}

// fenced makes a file of text that a fuzzer wrote for frontmatter: few of its
// changes to a whole file would leave the fences as they are.
func fenced(front string) string { return "---\n" + front + "\n---\nbody\n" }

// frontOf gives what stands between the fences of a seed, or all of it.
func frontOf(s string) string {
	front, _, _ := strings.Cut(strings.TrimPrefix(s, "---\n"), "\n---")
	return front
}

// readAny reads a file and holds what came of it against what every reader of
// a document relies on.
func readAny(t *testing.T, kind docKind, data string) {
	t.Helper()
	var d *Document
	var found []diag.Diagnostic
	if took := gittest.Spent(func() { d, found = parseDocument(kind, "f.md", []byte(data)) }); took > slowest {
		t.Fatalf("reading %d bytes took %v", len(data), took)
	}
	for _, x := range found {
		insideFile(t, d, x.Pos)
		if strings.Contains(x.Message, "\n") || x.Rule == "" {
			t.Errorf("finding %+v", x)
		}
	}
	if !d.Readable && (len(found) == 0 || len(d.Fields) > 0) {
		t.Fatalf("unreadable with %d findings and %d fields", len(found), len(d.Fields))
	}
	if d.Readable && !strings.HasSuffix(d.Source, d.Body) {
		t.Fatal("the body is not the end of the source")
	}
	for i := range d.Fields {
		insideFile(t, d, d.Fields[i].KeyPos)
		standsThere(t, d, &d.Fields[i])
		insideFile(t, d, d.Fields[i].Value.Pos)
		if !d.flow { // no edit goes there, and `{a::}` means something only there
			rereads(t, d, d.Fields[i].Value, false)
		}
	}
}

func insideFile(t *testing.T, d *Document, p diag.Pos) {
	t.Helper()
	lines := strings.Split(d.Source, "\n")
	if p.Line < 1 || p.Line > len(lines)+1 || p.Column < 1 {
		t.Fatalf("position %v in a file of %d lines: %q", p, len(lines), d.Source)
	}
	if p.Line <= len(lines) && p.Column > utf8.RuneCountInString(lines[p.Line-1])+1 {
		t.Errorf("position %v is beyond the line %q", p, lines[p.Line-1])
	}
}

// standsThere requires that the file has the key where it is said to be.
func standsThere(t *testing.T, d *Document, f *Field) {
	t.Helper()
	line := strings.Split(d.Source, "\n")[f.KeyPos.Line-1]
	at := string([]rune(line)[f.KeyPos.Column-1:])
	first, _ := utf8.DecodeRuneInString(f.Key) // a tab in a key is lost
	if c, _ := utf8.DecodeRuneInString(at); c != first && c != '"' && c != '\'' {
		t.Fatalf("`%s` does not stand at %v in %q", f.Key, f.KeyPos, d.Source)
	}
}

// rereads requires that the bytes a value is said to stand on mean that value.
func rereads(t *testing.T, d *Document, v Node, inFlow bool) {
	t.Helper()
	raw := d.Source[v.start:v.end]
	for _, it := range v.Items {
		rereads(t, d, it, strings.HasPrefix(raw, "["))
	}
	if v.end == 0 || strings.HasPrefix(raw, "%") { // a lexer may take it for a directive, by its column
		return
	}
	within := raw
	if inFlow { // where - is a text
		within = "[" + raw + "]"
	}
	again, _ := parseDocument(planDoc, "f.md", []byte("---\nx-a: "+within+"\n---\nb\n"))
	g := again.Field("x-a")
	if g == nil || inFlow && (len(g.Value.Items) != 1 || !g.Value.Items[0].Equal(v)) || !inFlow && !g.Value.Equal(v) {
		t.Errorf("bytes %q do not read as %+v but %+v in\n%s", raw, v, g, d.Source)
	}
}

func FuzzSet(f *testing.F) {
	for _, s := range seedDocuments() {
		s = frontOf(s)
		f.Add(s, "status", "in_progress", byte(0))
		f.Add(s, "title", "it's: a \"title\"", byte(1))
		f.Add(s, "notes", "one\ntwo\n", byte(2))
		f.Add(s, "x-a", " # no\ttext", byte(3))
	}
	f.Fuzz(func(t *testing.T, data, key, text string, how byte) {
		d, _ := parseDocument(taskDoc, "f.md", []byte(fenced(data)))
		if !d.Readable || strings.Contains(d.Source, "\r") {
			return
		}
		e, err := edited(d, key, text, how)
		if err != nil {
			if x, ok := err.(*EditError); !ok || x.Key != key || x.Reason == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if e.Body != d.Body {
			t.Errorf("the body changed from %q to %q", d.Body, e.Body)
		}
		if x, y := without(d.Fields, key), without(e.Fields, key); !slices.EqualFunc(x, y, Field.Equal) {
			t.Errorf("other fields changed:\n%s\n%s", d.Source, e.Source)
		}
		again, _ := parseDocument(taskDoc, "f.md", []byte(e.Source))
		if !again.Readable || !slices.EqualFunc(again.Fields, e.Fields, Field.Equal) || again.Source != e.Source {
			t.Errorf("reads back differently:\n%s", e.Source)
		}
	})
}

func without(fields []Field, key string) []Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f.Key == key })
}

// edited makes one of the edits that how names.
func edited(d *Document, key, text string, how byte) (*Document, error) {
	switch how % 5 {
	case 0:
		return d.Set(key, Value(text))
	case 1:
		return d.Set(key, Value(strings.Split(text, "\n")))
	case 2:
		return d.Append(key, strings.Split(text, "\n")...)
	case 3:
		return d.Set(key, Value(len(text)))
	default:
		return d.Delete(key)
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range seedDocuments() {
		f.Add(s)
		f.Add(frontOf(s))
	}
	f.Fuzz(func(t *testing.T, data string) {
		d, _ := parseDocument(taskDoc, "f.md", []byte(fenced(data)))
		e, ok := d.Format()
		if !ok || strings.Contains(d.Source, "\r") {
			if !ok && e != d {
				t.Fatal("refused, and changed")
			}
			return
		}
		if len(e.Fields) != len(d.Fields) {
			t.Fatalf("%d fields became %d", len(d.Fields), len(e.Fields))
		}
		for i := range d.Fields {
			if g := e.Field(d.Fields[i].Key); g == nil || !g.Value.Equal(d.Fields[i].Value) {
				t.Errorf("`%s` changed:\n%s\n%s", d.Fields[i].Key, d.Source, e.Source)
			}
		}
		if strings.TrimSpace(e.Body) != strings.TrimSpace(d.Body) {
			t.Errorf("the body changed from %q to %q", d.Body, e.Body)
		}
		again, ok := e.Format()
		if !ok || again.Source != e.Source {
			t.Errorf("formatting twice:\n%q\n%q\n%q", d.Source, e.Source, again.Source)
		}
	})
}

func FuzzEmit(f *testing.F) {
	for _, s := range seedStrings() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || len(s) > 8<<10 || strings.ContainsFunc(s, func(r rune) bool {
			return r != '\n' && badRune(string(r), r) != ""
		}) {
			return
		}
		readsBack(t, s)
	})
}

// readsBack writes s in every way there is and requires that each reads as s.
func readsBack(t *testing.T, s string) {
	t.Helper()
	reads(t, "emitScalar", "x-a: "+emitScalar(s)+"\n", s)
	reads(t, "emitItem", "x-a:\n  - "+emitItem(s)+"\n", s)
	reads(t, "emitFlow", "x-a: ["+emitFlow(s)+", "+emitFlow(s)+"]\n", s)
	reads(t, "emitField", emitField("x-a", Value(s), false), s)
	reads(t, "emitLike", "x-a: "+emitLike("'x'", Value(s))+" # c\n", s)
	if block, ok := emitLiteral(s); ok {
		reads(t, "emitLiteral", "x-a: "+block, s)
	}
}

// reads requires that a field reads as s, alone or as each item of a list.
func reads(t *testing.T, what, field, s string) {
	t.Helper()
	d, found := parseDocument(taskDoc, "f.md", []byte("---\nid: a\n"+field+"title: t\n---\nb\n"))
	if len(found) > 0 || len(d.Fields) != 3 || d.Text("title") != "t" || d.Body != "b\n" {
		t.Fatalf("%s(%q) breaks the file: %q %v", what, s, d.Source, found)
	}
	v := d.Field("x-a").Value
	if v.Kind == String && v.Text != s || v.Kind != String && v.Kind != List {
		t.Fatalf("%s(%q) reads as %v %q in %q", what, s, v.Kind, v.Text, d.Source)
	}
	for _, it := range v.Items {
		if it.Kind != String || it.Text != s {
			t.Fatalf("%s(%q) reads as item %v %q", what, s, it.Kind, it.Text)
		}
	}
}
