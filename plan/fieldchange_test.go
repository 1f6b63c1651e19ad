package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestFieldChanges(t *testing.T) {
	cases := []struct{ name, before, after, want string }{
		{"nothing", "id: a", "id: a", ""},
		{"spelling, order and comments", "id: a\ntitle: \"x\"\ntags: [a]", "title: x # y\nid: a\ntags:\n  - a", ""},
		{"an empty list, a null and defaults mean nothing", "id: a\ntags: []\nagent:\nstatus: pending\npriority: medium", "id: a", ""},
		{"set, changed, dropped, in canonical order", "id: a\nestimate: 1h\nagent: x", "id: a\nagent: y\ntitle: t",
			"title: <nil> -> t, agent: x -> y, estimate: 1h -> <nil>"},
		{"lists as wholes", "id: a\ntags: [a, b]", "id: a\ntags: [b, a]", "tags: [a b] -> [b a]"},
		{"free fields by name, last", "id: a\nx-b: 1", "id: a\nx-a: {k: [1]}\nagent: z", "agent: <nil> -> z, x-a: <nil> -> map[k:[1]], x-b: 1 -> <nil>"},
		{"one time in two zones", "id: a\nstarted_at: 2026-01-01T02:00:00+02:00", "id: a\nstarted_at: 2026-01-01T00:00:00Z", ""},
		{"a status", "id: a\nstatus: done", "id: a", "status: done -> <nil>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before, after := build(t, "01-a", c.before).Task("a").Doc, build(t, "01-a", c.after).Task("a").Doc
			equal(t, "changes", changes(before, after), c.want)
			back := changes(after, before)
			if (back == "") != (c.want == "") {
				t.Errorf("the other way round: %s", back)
			}
		})
	}
	odd, _ := Read("p", "", fileList("01-a", "id: a\nx-z: 1\ncolour: red\nstatus: bogus\nOwner:\nempty: []\ncolour: blue"))
	equal(t, "fields that there are none of", changes(build(t, "01-a", "id: a").Task("a").Doc, odd.All()[0].Doc),
		"status: <nil> -> bogus, colour: <nil> -> red, x-z: <nil> -> 1")
	doc := build(t).Doc
	equal(t, "a file that came", changes(nil, doc), "title: <nil> -> A plan")
	equal(t, "a file that went", changes(doc, nil), "title: A plan -> <nil>")
	equal(t, "no file", changes(nil, nil), "")
}

func changes(before, after *Document) string {
	var out []string
	for _, c := range FieldChanges(before, after) {
		out = append(out, fmt.Sprintf("%s: %v -> %v", c.Name, c.Old, c.New))
	}
	return strings.Join(out, ", ")
}
