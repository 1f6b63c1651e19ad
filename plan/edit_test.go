package plan

import (
	"errors"
	"strings"
	"testing"
)

// oddFile is written the way people write: any order, spacing and quoting,
// with comments everywhere.
const oddFile = `---
# about this task
status:   'pending'   # the state
"title": "An  odd   file"

x-owner: {name: "a # b", teams: [x, 'y']}
x-deep:
    list:
      - one   # first
    map: {a: 1}
# the id comes late
id:       odd-file
tags: [ a,b , "c" ]  # flow
depends_on: []
notes:   # found out
    - 'one'  # 1
    # between
    - two
result: |
    first line

      indented
    last line

error: >-
  folded
  text
agent:   # nobody yet
estimate: 2d
outputs: [
  o1,   # out
  o2
]
---

# Body

---
status: not a field
`

// editCase is an edit and its difference in lines.
type editCase struct {
	name string
	edit func(d *Document) (*Document, error)
	want string
}

// inFlow is a frontmatter whose status cannot be changed: nobody knows what its
// comment belongs to.
func inFlow(id string) string { return "{id: " + id + ", # c\n status: pending}" }

func set(key string, v any) func(*Document) (*Document, error) {
	return func(d *Document) (*Document, error) { return d.Set(key, Value(v)) }
}

func push(key string, items ...string) func(*Document) (*Document, error) {
	return func(d *Document) (*Document, error) { return d.Append(key, items...) }
}

func drop(key string) func(*Document) (*Document, error) {
	return func(d *Document) (*Document, error) { return d.Delete(key) }
}

func editCases() []editCase {
	return []editCase{
		{"single quotes stay", set("status", "done"), "-status:   'pending'   # the state\n+status:   'done'   # the state\n"},
		{"single quotes cannot hold a carriage return", set("status", "a\rb"), "-status:   'pending'   # the state\n+status:   \"a\\rb\"   # the state\n"},
		{"single quotes doubled", set("status", "it's"), "-status:   'pending'   # the state\n+status:   'it''s'   # the state\n"},
		{"double quotes stay", set("title", `a "b" \ c`), "-\"title\": \"An  odd   file\"\n+\"title\": \"a \\\"b\\\" \\\\ c\"\n"},
		{"plain stays plain", set("id", "other"), "-id:       odd-file\n+id:       other\n"},
		{"plain is quoted where it must", set("estimate", "1"), "-estimate: 2d\n+estimate: \"1\"\n"},
		{"the same changes nothing", set("status", "pending"), ""},
		{"the same list changes nothing", set("tags", []string{"a", "b", "c"}), ""},
		{"several lines beside a comment", set("status", "a\nb"), "-status:   'pending'   # the state\n+status:   \"a\\nb\"   # the state\n"},
		{"several lines", set("id", "a\nb"), "-id:       odd-file\n+id: |-\n+  a\n+  b\n"},
		{"empty with a comment", set("agent", "me"), "-agent:   # nobody yet\n+agent: me   # nobody yet\n"},
		{"empty with a comment, list", set("agent", []string{"a", "b, c"}), "-agent:   # nobody yet\n+agent: [a, \"b, c\"]   # nobody yet\n"},
		{"integer and boolean", func(d *Document) (*Document, error) {
			d, _ = d.Set("id", Value(3))
			return d.Set("estimate", Value(true))
		}, "-id:       odd-file\n+id:       3\n-estimate: 2d\n+estimate: true\n"},
		{"literal to scalar", set("result", "ok"), "-result: |\n-    first line\n-\n-      indented\n-    last line\n+result: ok\n"},
		{"folded to literal", set("error", "a\nb\n"), "-error: >-\n-  folded\n-  text\n+error: |\n+  a\n+  b\n"},
		{"flow list stays flow", set("tags", []string{"x y", "z: 1"}), "-tags: [ a,b , \"c\" ]  # flow\n+tags: [x y, \"z: 1\"]  # flow\n"},
		{"flow list emptied", set("tags", []string{}), "-tags: [ a,b , \"c\" ]  # flow\n+tags: []  # flow\n"},
		{"empty list filled", set("depends_on", []string{"a", "b"}), "-depends_on: []\n+depends_on: [a, b]\n"},
		{"block list replaced", set("notes", []string{"x"}), "-    - 'one'  # 1\n-    # between\n-    - two\n+  - x\n"},
		{"new key, in its place", set("started_at", "2026-01-31T09:30:00Z"), "+started_at: 2026-01-31T09:30:00Z\n"},
		{"new key before all others", set("kind", "act"), "+kind: act\n"},
		{"new extension key", set("x-new", []string{"a"}), "+x-new:\n+  - a\n"},
		{"append to flow", push("tags", "d", "e, f"), "-tags: [ a,b , \"c\" ]  # flow\n+tags: [ a,b , \"c\" , d, \"e, f\"]  # flow\n"},
		{"append to block", push("notes", "three: 3", "a\nb"), "+    - \"three: 3\"\n+    - \"a\\nb\"\n"},
		{"append to empty", push("depends_on", "a"), "-depends_on: []\n+depends_on: [a]\n"},
		{"append to none", push("evidence", "a"), "+evidence:\n+  - a\n"},
		{"append to null", push("agent", "a"), "-agent:   # nobody yet\n+agent: [a]   # nobody yet\n"},
		{"append to flow over lines", push("outputs", "o3"), "-]\n+, o3]\n"},
		{"append nothing", push("notes"), ""},
		{"delete a line", drop("status"), "-status:   'pending'   # the state\n"},
		{"delete a block", drop("notes"), "-notes:   # found out\n-    - 'one'  # 1\n-    # between\n-    - two\n"},
		{"delete a map", drop("x-deep"), "-x-deep:\n-    list:\n-      - one   # first\n-    map: {a: 1}\n"},
		{"delete text", drop("result"), "-result: |\n-    first line\n-      indented\n-    last line\n-\n"},
		{"delete none", drop("lease_until"), ""},
	}
}

func TestEditInPlace(t *testing.T) {
	for _, source := range []string{oddFile, strings.TrimSuffix(oddFile, "\n"), strings.ReplaceAll(oddFile, "\n", "\r\n")} {
		for _, c := range editCases() {
			t.Run(c.name, func(t *testing.T) {
				d, _ := parseDocument(taskDoc, "f.md", []byte(source))
				e, err := c.edit(d)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "lines", lineDiff(d.Source, e.Source), c.want)
				equal(t, "body", e.Body, d.Body)
			})
		}
	}
}

// lineDiff gives the lines that differ, by a longest common subsequence.
func lineDiff(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	same := make([][]int, len(a)+1)
	for i := range same {
		same[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			same[i][j] = max(same[i+1][j], same[i][j+1])
			if a[i] == b[j] {
				same[i][j] = same[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && same[i+1][j] >= same[i][j+1]:
			out.WriteString("-" + a[i])
			i++
		default:
			out.WriteString("+" + b[j])
			j++
		}
	}
	return out.String()
}

func TestEditRefuses(t *testing.T) {
	cases := []struct {
		name, front string
		edit        func(*Document) (*Document, error)
		want        string
	}{
		{"flow mapping with comments, two lines", "{id: \"a\n b\", # c\n notes: [b]}", set("id", "b"), "one `{…}`"},
		{"flow mapping with comments, append", "{id: a, # c\n notes: [b,\n c]}", push("notes", "b"), "one `{…}`"},
		{"flow mapping with comments, delete", "{id: \"a\n b\", # c\n}", drop("id"), "one `{…}`"},
		{"control character", "id: a", set("result", "a\x1bb"), "control character"},
		{"mixed list", "id: a\nnotes: [1, b]", push("notes", "c"), ""},
		{"append to a string", "id: a\nnotes: b", push("notes", "c"), "it is no list"},
		{"set twice", "id: a\nid: b", drop("id"), "read back differently"},
		{"a map, in place of nothing", "id: a", func(d *Document) (*Document, error) {
			return d.Set("x-a", Node{Kind: Map, Fields: []Field{{Key: "b"}}})
		}, "read back differently"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, _ := parseDocument(taskDoc, "f.md", []byte(fenced(c.front)))
			e, err := c.edit(d)
			if c.want == "" {
				if err != nil || len(e.Field("notes").Value.Items) != 3 {
					t.Fatalf("%v, %v", e, err)
				}
				return
			}
			var x *EditError
			if !errors.As(err, &x) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A value for which there is no room is told from one that cannot be edited in.
func TestEditOverALimit(t *testing.T) {
	file, err := ComposeTask("tasks/01-a.md", map[string]any{"id": "a"}, "Text.")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := parseDocument(taskDoc, file.Path, file.Data)
	for notes, want := range map[string]bool{strings.Repeat("long ", 20_000): true, "a\x00b": false} {
		var e *EditError
		if _, err := d.Set("result", Value(notes)); !errors.As(err, &e) || e.Limit != want {
			t.Errorf("%.10q: %v", notes, err)
		}
	}
}

func TestWithBody(t *testing.T) {
	for _, tail := range []string{"", "\n", "\nold\n"} {
		d, _ := parseDocument(taskDoc, "f.md", []byte("---\nid: a # c\n---"+tail))
		e, err := d.WithBody("new\r\n---\n")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "source", e.Source, "---\nid: a # c\n---\nnew\n---\n")
	}
	d, _ := parseDocument(taskDoc, "f.md", []byte("no frontmatter"))
	if _, err := d.WithBody("b"); err == nil {
		t.Error("a body for a file that cannot be read")
	}
}

func TestValuePanicsOnOtherTypes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a value of a type that frontmatter does not hold")
		}
	}()
	Value(1.5)
}

// Items are added to a flow list as it stands, over several lines and with its
// comments too.
func TestAppendKeepsComments(t *testing.T) {
	for front, want := range map[string]string{
		"notes: [one, # why one\n  two]  # end":   "notes: [one, # why one\n  two, three]  # end",
		"notes: [one, # keep me\n  ]":             "notes: [one, # keep me\n   three]",
		"notes: [\n  one, # a ]\n  two # b\n]":    "notes: [\n  one, # a ]\n  two # b\n, three]",
		"notes: [one,\n  two\n] # no ] more":      "notes: [one,\n  two\n, three] # no ] more",
		"notes: [one,\n  two,\n]":                 "notes: [one,\n  two,\n three]",
		"notes: [\"a]b\",\n  '[]' # ]\n  ,c]\n#x": "notes: [\"a]b\",\n  '[]' # ]\n  ,c, three]\n#x",
	} {
		d, _ := parseDocument(taskDoc, "f.md", []byte(fenced("id: a\n"+front)))
		if !d.Readable {
			t.Fatalf("%q cannot be read", front)
		}
		e, err := d.Append("notes", "three")
		if err != nil || frontOf(e.Source) != "id: a\n"+want {
			t.Errorf("%q: %v\n%s", front, err, e.Source)
		}
	}
}
