package plan

import (
	"errors"
	"strings"
	"testing"
)

// Frontmatter that is written in ways few people write it.
func TestEditOddFrontmatter(t *testing.T) {
	const indentedFront = "  # c\n  title: x\n  notes:\n    - a\n  # of id\n  id: a\n"
	cases := []struct {
		name, front string
		edit        func(*Document) (*Document, error)
		want        string
	}{
		{"indented, replace", indentedFront, set("id", "b"), "-  id: a\n+  id: b\n"},
		{"indented, insert", indentedFront, set("status", "done"), "+  status: done\n"},
		{"indented, insert last", indentedFront, set("x-b", []string{"b", "c"}), "+  x-b:\n+    - b\n+    - c\n"},
		{"indented, several lines", indentedFront, set("title", "a\n\nb\n"), "-  title: x\n+  title: |\n+    a\n+\n+    b\n"},
		{"indented, append", indentedFront, push("notes", "b"), "+    - b\n"},
		{"indented, new list", indentedFront, push("evidence", "b"), "+  evidence:\n+    - b\n"},
		{"indented, delete", indentedFront, drop("notes"), "-  notes:\n-    - a\n"},
		{"kept blank lines", "id: a\nagent: |+\n  x\n\n\n", set("status", "done"), "+status: done\n"},
		{"kept blank lines, after", "id: a\nagent: |+\n  x\n\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"kept blank lines, then a comment", "id: a\nagent: |+\n  x\n\n# c\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"kept blank lines, folded", "id: a\nagent: >+\n  x\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"kept blank lines, replaced", "id: a\nagent: |+\n  x\n\ntitle: b\n", set("agent", "z"), "-agent: |+\n-  x\n-\n+agent: z\n"},
		{"kept blank lines, in a list", "id: a\nnotes:\n  - |+\n    x\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"clipped blank lines", "id: a\nagent: |\n  x\n\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"blanks within a block", "id: a\nagent: |\n  x\n   \n\n", set("x-a", "b"), "+x-a: b\n"},
		{"blanks within a block, stripped", "id: a\nagent: |-\n  x\n   \n\n", set("x-a", "b"), "+x-a: b\n"},
		{"an indent of its own", "id: a\nagent: |2\n  x\n\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"an indent of its own, kept", "id: a\nagent: |2+\n  x\n\n\n", set("x-a", "b"), "+x-a: b\n"},
		{"one {…}, replace", "{notes: [b], id: a}\n", set("id", "b"), "-{notes: [b], id: a}\n+id: b\n+notes:\n+  - b\n"},
		{"one {…}, insert", "{\n  id: a,\n}\n", set("status", "done"), "-{\n-  id: a,\n-}\n+id: a\n+status: done\n"},
		{"one {…}, the same", "{id: a}\n", set("id", "a"), ""},
		{"one {…}, append", "{id: a, notes: [b]}\n", push("notes", "c"), "-{id: a, notes: [b]}\n+id: a\n+notes:\n+  - b\n+  - c\n"},
		{"one {…}, delete", "{id: a, x-b: {c: [1, d]}, agent: z}\n", drop("agent"), "-{id: a, x-b: {c: [1, d]}, agent: z}\n+id: a\n+x-b: {c: [1, d]}\n"},
		{"a comment beside the head of a block", "id: a\nresult: |-  # why\n  b\n  c\n", set("result", "d"), "-result: |-  # why\n-  b\n-  c\n+result: d  # why\n"},
		{"the same, with lines", "id: a\nresult: > # why\n  b\n", set("result", "d\ne\n"), "-result: > # why\n-  b\n+result: | # why\n+  d\n+  e\n"},
		{"the same of a list", "id: a\nnotes: # why\n  - b\n", set("notes", []string{"c # d", "e"}), "-  - b\n+  - \"c # d\"\n+  - e\n"},
		{"a block with a number sign in it", "id: a\nresult: |\n  b # c\n", set("result", "d"), "-result: |\n-  b # c\n+result: d\n"},
		{"an ideographic space at the end", "id: a\ntitle: 完成\u3000 # c\n", set("title", "b"), "-title: 完成\u3000 # c\n+title: b # c\n"},
		{"a line separator at the end", "id: a\nestimate: 00\u2028\n", set("estimate", "2d"), "-estimate: 00\u2028\n+estimate: \"2d\"\n"},
		{"no-break spaces around", "id: a\ntitle: \u00a0b\u00a0\n", set("title", "c"), "-title: \u00a0b\u00a0\n+title: c\n"},
		{"a line of blanks", "id: a\n   \n", set("result", "b\nc\n"), "+result: \"b\\nc\\n\"\n"},
		{"a line of blanks, replaced", "id: a\n   \n", set("id", "b\nc"), "-id: a\n+id: \"b\\nc\"\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, _ := parseDocument(taskDoc, "f.md", []byte("---\n"+c.front+"---\nb\n"))
			e, err := c.edit(d)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "lines", lineDiff(d.Source, e.Source), c.want)
		})
	}
}

func TestEditErrorsSayWhatFits(t *testing.T) {
	var none *Document
	_, err := none.Set("title", Value("a"))
	equal(t, "missing", err.Error(), "plan.md: cannot set `title` in place: the file is missing; write it first")
	for _, c := range []struct {
		front string
		edit  func(*Document) (*Document, error)
		want  string
	}{
		{"{id: \"a\n b\", # c\n title: b}", set("id", "b"), "f.md: cannot set `id` in place: the whole frontmatter is one `{…}`, and it cannot be told where its comments belong; write the frontmatter as plain `key: value` lines first"},
		{"id: a", set("result", "a\x1bb"), "f.md: cannot set `result` in place: the value holds what no plan file can: the control character U+001B; leave it out"},
		{"id: a", push("notes", "b", "\u202e"), "f.md: cannot set `notes` in place: the value holds what no plan file can: the bidirectional control character U+202E; leave it out"},
		{"id: a\nnotes: [b]", push("notes", "\xff"), "f.md: cannot set `notes` in place: the value holds what no plan file can: the byte 0xff is no valid UTF-8; leave it out"},
		{"id: a\nnotes: b", push("notes", "c"), "f.md: cannot set `notes` in place: it is no list; make it one first"},
		{"id: [a", set("id", "b"), "f.md: cannot set `id` in place: the frontmatter cannot be read; mend it first"},
	} {
		d, _ := parseDocument(taskDoc, "f.md", []byte(fenced(c.front)))
		_, err := c.edit(d)
		var x *EditError
		if !errors.As(err, &x) {
			t.Fatalf("%q: %v", c.front, err)
		}
		equal(t, c.front, err.Error(), c.want)
	}
}

func TestCheckText(t *testing.T) {
	for _, s := range append(seedStrings(), "a\r\nb", "\t", "\U0001F680") {
		if err := CheckText(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for s, want := range map[string]string{"a\x1b[31m": "U+001B", "a\rb": "U+000D", "\u0085": "U+0085", "\u2066a": "U+2066", "\xff": "0xff", "\x7f": "U+007F"} {
		if err := CheckText(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "7": 7, "00123": 123, "08": 8, "0o17": 15, "0x1f": 31, "+5": 5, "-5": -5, "-007": -7, "1_000": 1000, "0b11": 3} {
		for _, front := range []string{"x-n: " + text, "x-n: " + text + "\nx-m: |\n  a"} { // read flat, and by the parser
			d, _ := parseDocument(planDoc, "f.md", []byte(fenced(front)))
			v := d.Field("x-n").Value
			if n, ok := v.integer(); !ok || n != want {
				t.Errorf("%s reads as %d, %v (%v)", text, n, ok, v.Kind)
			}
			if got := v.plain(); got != int64(want) {
				t.Errorf("%s is %v for programs", text, got)
			}
		}
	}
	for _, text := range []string{"4294967296", "0o8", "0x", "a", "1.5", "'7'", "99999999999999999999", "0001-02-03"} {
		d, _ := parseDocument(planDoc, "f.md", []byte(fenced("x-n: "+text)))
		if n, ok := d.Field("x-n").Value.integer(); ok {
			t.Errorf("%s reads as %d", text, n)
		}
	}
	d, found := parseDocument(planDoc, "f.md", []byte("---\ntitle: x\nversion: 08\nmax_replans: 0o10\n---\nb\n"))
	p := &Plan{Doc: d}
	if len(found) > 0 || p.Version() != 8 || p.MaxReplans() != 8 {
		t.Errorf("version %d of %d, %v", p.Version(), p.MaxReplans(), found)
	}
}
