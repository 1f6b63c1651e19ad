package plan

import (
	"errors"
	"strings"
	"testing"
)

func TestComposeTask(t *testing.T) {
	got, err := ComposeTask("tasks/03-sign.md", map[string]any{
		"title": "Sign: the token", "id": "sign", "depends_on": []string{"store", "keys"}, "context_hints": []string{"Read `a.md`.", "yes", ""},
		"creates": []string{}, "type": "feature", "nonsense": "left out",
	}, "Sign it.\n\n- twice\n")
	if err != nil {
		t.Fatal(err)
	}
	want := `---
id: sign
title: "Sign: the token"
type: feature
depends_on: [store, keys]
context_hints:
  - "Read ` + "`a.md`" + `."
  - "yes"
  - ""
creates: []
---

Sign it.

- twice
`
	if string(got.Data) != want || got.Path != "tasks/03-sign.md" {
		t.Errorf("%s:\n%s", got.Path, got.Data)
	}
}

func TestComposePlan(t *testing.T) {
	got, err := ComposePlan(map[string]any{"title": "Log in", "gates": "strict", "max_replans": 2, "abandoned": false}, "Why.")
	if err != nil {
		t.Fatal(err)
	}
	if want := "---\ntitle: Log in\ngates: strict\nmax_replans: 2\nabandoned: false\n---\n\nWhy.\n"; string(got.Data) != want {
		t.Errorf("%s", got.Data)
	}
}

func TestComposeRefuses(t *testing.T) {
	for name, fields := range map[string]map[string]any{
		"control":  {"title": "a\x07b"},
		"bidi":     {"context_hints": []string{"x\u202ey"}},
		"too long": {"title": strings.Repeat("x", 70<<10)},
	} {
		_, err := ComposeTask("tasks/01-x.md", fields, "x")
		var e *EditError
		if !errors.As(err, &e) || e.Limit != (name == "too long") || fields[e.Key] == nil && !e.Limit {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever text is asked for, what is written says just that.
func FuzzCompose(f *testing.F) {
	for _, s := range seedDocuments() {
		f.Add(s, frontOf(s))
	}
	for _, s := range []string{"- a", "a: b", "---", "'", `"\`, "#", " x ", "a\n---\nb", "| x", "? y", "!t", "&a", "*a", "@", "1e3", "0x1f", "\t"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, value, body string) {
		file, err := ComposeTask("tasks/01-x.md", map[string]any{
			"id": "x", "title": value, "tags": []string{value, "b"}, "notes": []string{body, value}, "result": body,
		}, body)
		if err != nil {
			return
		}
		d, _ := parseDocument(taskDoc, file.Path, file.Data)
		if !d.Readable || d.Text("title") != value || d.Text("result") != body || d.List("tags")[0] != value || d.List("notes")[0] != body {
			t.Errorf("%q and %q became\n%s", value, body, file.Data)
		}
		if strings.Trim(d.Body, "\n") != strings.Trim(body, "\n") {
			t.Errorf("the body %q became %q", body, d.Body)
		}
	})
}

// Fields of any name and value are written so that they read back, in
// canonical order and then as they stand.
func TestComposeAnyField(t *testing.T) {
	text := func(s string) Node { return Node{Kind: String, Text: s} }
	nested := Node{Kind: Map, Fields: []Field{
		{Key: "a b", Value: Node{Kind: List, Items: []Node{text("x, y"), {Kind: Int, Text: "3"}, {Kind: Null}}}},
		{Key: "no", Value: Node{Kind: Map}}, {Key: "q", Value: text("true")}, {Key: "#", Value: text(" # ")},
	}}
	fields := []Field{
		{Key: "x-map", Value: nested}, {Key: "wrong", Value: Node{Kind: Float, Text: "1.5"}}, {Key: "title", Value: text("One: two")},
		{Key: "x-null", Value: Node{Kind: Null}}, {Key: "id", Value: text("one")}, {Key: "x-list", Value: Node{Kind: List, Items: []Node{nested}}},
		{Key: "result", Value: text("a\n---\nb")},
	}
	f, err := Compose("tasks/01-one.md", fields, "\nOne\n")
	if err != nil {
		t.Fatal(err)
	}
	p, found := Read("p", "", []File{f})
	if len(found) != 1 || found[0].Rule != RuleUnknownField {
		t.Errorf("findings %v in\n%s", found, f.Data)
	}
	var order []string
	for _, g := range p.Tasks[0].Doc.Fields {
		order = append(order, g.Key)
	}
	if got := strings.Join(order, " "); got != "id title result x-map wrong x-null x-list" {
		t.Errorf("order %s", got)
	}
	if _, err := Compose("plan.md", []Field{{Key: "title", Value: text("a\x01")}}, "\nOne\n"); err == nil {
		t.Error("a control character is written")
	}
}
