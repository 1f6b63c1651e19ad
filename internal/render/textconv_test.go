package render

import "testing"

func TestTextconv(t *testing.T) {
	rows := []struct{ name, in, want string }{
		{"a task", "---\nstatus: done # at last\nid: one\ntags: [a, \"b\"]\ndepends_on: []\nresult: |\n  It works.\n  Well.\nx-own: 3\n---\n\nDo it.\n",
			"id: one\nstatus: done\ndepends_on:\ntags: a\ntags: b\nresult: It works.\n    Well.\nx-own: 3\n\nDo it.\n"},
		{"a plan", "---\ngoal: G\ntitle: T\nversion: 2\n---\n\nText.\n", "title: T\ngoal: G\nversion: 2\n\nText.\n"},
		{"a signal", "---\ntask: one\nlevel: blocker\n---\nNo.\n", "level: blocker\ntask: one\n\nNo.\n"},
		{"a field that no file has", "---\nid: one\nwrong: 1\n---\n\nDo it.\n", "---\nid: one\nwrong: 1\n---\n\nDo it.\n"},
		{"no plan file", "# Plans\n\x1b[31m\n", "# Plans\n\\x1b[31m\n"},
		{"broken", "---\nid: [\n---\n", "---\nid: [\n---\n"},
	}
	for _, row := range rows {
		if got := Textconv([]byte(row.in)); got != row.want {
			t.Errorf("%s: %q\nwant %q", row.name, got, row.want)
		}
	}
}
