package plan

import (
	"encoding/json"
	"testing"
)

func TestValues(t *testing.T) {
	d, _ := parseDocument(taskDoc, "f.md", []byte(`---
x-a: {b: [1, 2.5, .inf, true, ~, "1"], c: {}}
progress: 3/5
started_at: 2026-01-31T09:30:00+02:00
completed_at: 2026-01-31
lease_until: soon
id: a
agent:
notes: []
tags: [b, c]
x-n: 0x10
---
b
`))
	got, err := json.Marshal(d.Values())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "values", string(got), `[{"Name":"id","Value":"a"},{"Name":"tags","Value":["b","c"]},{"Name":"progress","Value":"3/5"},`+
		`{"Name":"started_at","Value":"2026-01-31T07:30:00Z"},{"Name":"completed_at","Value":"2026-01-31T00:00:00Z"},{"Name":"lease_until","Value":"soon"},{"Name":"notes","Value":[]},`+
		`{"Name":"x-a","Value":{"b":[1,2.5,".inf",true,null,"1"],"c":{}}},{"Name":"x-n","Value":16}]`)
	var none *Document
	if none.Values() != nil {
		t.Error("values of no document")
	}
}

func TestReadMapping(t *testing.T) {
	fields, found := ReadMapping("gates.yaml", []byte("\uFEFFformat: 1\r\n\"rules\": {a: off, b: warning}\r\n# end\r\n"), Bounds{})
	if len(found) > 0 || len(fields) != 2 {
		t.Fatalf("%v %v", fields, found)
	}
	equal(t, "keys", fields[0].Key+fields[0].KeyPos.String()+" "+fields[1].Key+fields[1].Value.Fields[1].KeyPos.String(), "format1:1 rules2:19")
	for data, want := range map[string]string{
		"": "", "# c\n": "", "a: 1\na: 2\n": "2:1 duplicate-field", "x: {a: 1, a: 2}": "1:11 duplicate-field", "a: [": "1:4 frontmatter", "- a\n": "1:1 frontmatter",
		"a: &x 1": "1:4 yaml-unsafe", "---\na: 1": "1:1 yaml-unsafe", "a: \x1b": "1:4 encoding", "a": "1:1 frontmatter",
	} {
		_, found := ReadMapping("gates.yaml", []byte(data), Bounds{})
		equal(t, data, rules(found), want)
		if len(found) > 0 && found[0].Path != "gates.yaml" {
			t.Errorf("path %q", found[0].Path)
		}
	}
}
