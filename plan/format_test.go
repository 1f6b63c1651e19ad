package plan

import "testing"

func TestFormat(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"canonical stays", "---\nid: a\ntitle: x\n---\n\nb\n", "---\nid: a\ntitle: x\n---\n\nb\n"},
		{"order", "---\nx-b: 1\nstatus: done\nx-a: 2\nid: a\n---\nb", "---\nid: a\nstatus: done\nx-b: 1\nx-a: 2\n---\n\nb\n"},
		{"spacing and quoting", "---\n\"id\":   'a'\n\ntitle:\n  x\n---\n\n\n\n  b\n\nc  \n\n", "---\nid: a\ntitle: x\n---\n\n  b\n\nc\n"},
		{"comments travel", "---\n# top\nstatus: done # s\n\n# of the id\nid: a\n# last\n---\nb\n", "---\n# of the id\nid: a\n# top\nstatus: done # s\n# last\n---\n\nb\n"},
		{"lists", "---\nid: a\ntags:\n  - b\n  - 'c'\nnotes: [d, \"e\"]\n---\nb\n", "---\nid: a\ntags: [b, c]\nnotes:\n  - d\n  - e\n---\n\nb\n"},
		{"folded text", "---\nid: a\nresult: >\n  b\n  c\nerror: |\n  d\n  e\n---\nb\n", "---\nid: a\nresult: \"b c\\n\"\nerror: |\n  d\n  e\n---\n\nb\n"},
		{"no comment", "---\nid: \"a\n# b\"\n# c\ntitle: 'it''s\n\n# d'\n---\nb\n", "---\nid: \"a\n# b\"\n# c\ntitle: 'it''s\n\n# d'\n---\n\nb\n"},
		{"null", "---\nid: a\nagent: ~\ntitle: null\nnotes:   \n---\nb\n", "---\nid: a\ntitle:\nagent:\nnotes:\n---\n\nb\n"},
		{"extensions", "---\nx-a: {b: [1, ~], 'c, d': \"e\"}\nx-c:\n    - f: g\nid: a\n---\nb\n", "---\nid: a\nx-a: {b: [1, ~], 'c, d': \"e\"}\nx-c:\n    - f: g\n---\n\nb\n"},
		{"flow mapping", "---\n{title: x, id: a, notes: [b], agent: , x-a: {b: [1, null, 'c, d'], e: yes}}\n---\nb\n",
			"---\nid: a\ntitle: x\nagent:\nnotes:\n  - b\nx-a: {b: [1, null, \"c, d\"], e: \"yes\"}\n---\n\nb\n"},
		{"empty", "---\n---\n", "---\n---\n"},
		{"no body", "---\nid: a\n---\n\n\n", "---\nid: a\n---\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, _ := parseDocument(taskDoc, "f.md", []byte(c.data))
			e, ok := d.Format()
			if !ok {
				t.Fatal("refused")
			}
			equal(t, "formatted", e.Source, c.want)
			again, ok := e.Format()
			if !ok {
				t.Fatal("refused the second time")
			}
			equal(t, "formatted twice", again.Source, c.want)
		})
	}
}

func TestFormatKeepsTheOddFile(t *testing.T) {
	d, _ := parseDocument(taskDoc, "f.md", []byte(oddFile))
	e, ok := d.Format()
	if !ok {
		t.Fatal("refused")
	}
	for _, f := range d.Fields {
		if g := e.Field(f.Key); g == nil || !g.Value.Equal(f.Value) {
			t.Errorf("`%s` changed: %+v", f.Key, g)
		}
	}
	equal(t, "body", e.Body, "\n# Body\n\n---\nstatus: not a field\n")
}

func TestFormatRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"unreadable":        "---\nid: [\n---\nb\n",
		"set twice":         "---\nid: a\nid: a\n---\nb\n",
		"comments in a map": "---\n{id: a, # c\n title: b}\n---\nb\n",
	} {
		d, _ := parseDocument(taskDoc, "f.md", []byte(data))
		if e, ok := d.Format(); ok || e != d {
			t.Errorf("%s: formatted as %q", name, e.Source)
		}
	}
}
