package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func small() Bounds {
	return Bounds{plan.Bounds{Bytes: 1 << 12, Keys: 40, Items: 60}, 6}
}

// Values come with their places, and a text that is no object with the place of
// the fault.
func TestReadJSON(t *testing.T) {
	fields, found := ReadJSON(small(), "a.json", []byte("\ufeff{\"a\": 1,\r\n  \"中\": [\"x\", {\"b\": null}], \"a\": -2.5e3}\n"))
	if len(found) > 0 || len(fields) != 3 {
		t.Fatal(fields, found)
	}
	inner := fields[1].Value.Items[1].Fields[0]
	if got := fmt.Sprint(fields[0].Value.Pos, fields[1].KeyPos, fields[1].Value.Pos, inner.KeyPos, inner.Value.Pos, fields[2].KeyPos); got != "1:7 2:3 2:8 2:15 2:20 2:28" {
		t.Errorf("places %s", got)
	}
	if fields[2].Value.Kind != plan.Float || inner.Value.Kind != plan.Null {
		t.Errorf("kinds %v %v", fields[2].Value.Kind, inner.Value.Kind)
	}
	for text, want := range map[string]string{
		"":                               "1:1: bad JSON: the file ends too early",
		"{\"a\": \n tru}":                "2:5: bad JSON: invalid character '}' in literal true (expecting 'e')",
		"{\"a\": \xff}":                  "1:7: the text is no valid UTF-8",
		`{"a": "\ud800"}`:                "1:7: the text holds an escape that stands for no character",
		`[1]`:                            "1:1: expected an object, not a list",
		`{} {}`:                          "1:4: something follows the object",
		`{"a": [[[[[[[1]]]]]]]}`:         "1:13: nested deeper than 6 levels",
		"{" + strings.Repeat(" ", 1<<12): "1:1: file of 4097 bytes is over the limit of 4096",
		`{"a":[` + strings.Repeat("1,", 60) + `1]}`:   "1:127: more than 60 items of lists",
		`{` + strings.Repeat(`"a":1,`, 40) + `"a":1}`: "1:242: more than 40 keys",
	} {
		_, found := ReadJSON(small(), "a", []byte(text))
		if len(found) != 1 || found[0].Pos.String()+": "+found[0].Message != want {
			t.Errorf("%.30q: %v, want %s", text, found, want)
		}
	}
}

// A repeated key is told once each time, and in no more time than there are.
func TestRepeatedKeys(t *testing.T) {
	var b strings.Builder
	for range 50_000 {
		b.WriteString(`,"a":1`)
	}
	fields, found := ReadJSON(Bounds{plan.Bounds{Bytes: 1 << 20, Keys: 1 << 20, Items: 1}, 1}, "a", []byte("{"+b.String()[1:]+"}"))
	if len(found) > 0 {
		t.Fatal(found)
	}
	d := &Decoder{Path: "a"}
	var n int
	d.Object("it", diag.Pos{Line: 1, Column: 1}, fields, []Key{d.Number("a", &n, 0, 5)})
	if len(d.Found) != 49_999 {
		t.Errorf("%d findings", len(d.Found))
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": "\u00e9\ud83d\ude00"}], "c": null}`))
	f.Add([]byte("{\r\n\"a\":tru"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fields, found := ReadJSON(small(), "a", data)
		for _, x := range found {
			if x.Pos.Line < 1 || x.Pos.Column < 1 {
				t.Fatalf("a finding has no place: %v", x)
			}
		}
		var want map[string]any
		valid := json.Unmarshal(plan.Normalize(data), &want) == nil && want != nil
		if len(found) == 0 && !valid {
			t.Fatalf("taken, and no JSON object: %q", data)
		}
		if len(found) == 0 && len(fields) < len(want) {
			t.Fatalf("%d of %d keys", len(fields), len(want))
		}
	})
}
