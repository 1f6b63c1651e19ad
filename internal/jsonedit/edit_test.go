package jsonedit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/jsonedit"
)

// element is what the tests put in, and mine how they know it again.
func element(command string) jsonedit.Object {
	return jsonedit.Object{{Key: "name", Value: "ours"}, {Key: "run", Value: jsonedit.List{command, "<&>"}}}
}

func mine(v any) bool {
	m, _ := v.(map[string]any)
	return m["name"] == "ours"
}

func paths() [][]string {
	return [][]string{{"hooks", "start"}, {"hooks", "stop"}, {"list"}, {"a", "b", "c"}}
}

func TestPut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"new", "", "{\n  \"hooks\": {\n    \"start\": [\n      {\n        \"name\": \"ours\",\n        \"run\": [\n          \"x\",\n          \"<&>\"\n        ]\n      }\n    ]\n  }\n}\n"},
		{"tabs", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"start\": [\n\t\t\t{\n\t\t\t\t\"name\": \"ours\",\n\t\t\t\t\"run\": [\n\t\t\t\t\t\"x\",\n\t\t\t\t\t\"<&>\"\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n"},
		{"one line", `{"a":1}`, `{"a":1, "hooks": { "start": [ { "name": "ours", "run": [ "x", "<&>" ] } ] }}`},
		{"empty", `{"hooks":{}}`, `{"hooks":{"start": [ { "name": "ours", "run": [ "x", "<&>" ] } ]}}`},
		{"beside others", "{\r\n  \"hooks\": {\"start\": [\r\n    1 // one\r\n  ]}}", "{\r\n  \"hooks\": {\"start\": [\r\n    1,\r\n    {\r\n      \"name\": \"ours\",\r\n      \"run\": [\r\n        \"x\",\r\n        \"<&>\"\r\n      ]\r\n    } // one\r\n  ]}}"},
		{"replaced", `{"hooks":{"start":[{"name":"ours"},2]}}`, `{"hooks":{"start":[{ "name": "ours", "run": [ "x", "<&>" ] },2]}}`},
		{"the same", `{"hooks":{"start":[{"run":["x","<&>"],"name":"ours"}]}}`, `{"hooks":{"start":[{"run":["x","<&>"],"name":"ours"}]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsonedit.Put(c.text, []string{"hooks", "start"}, element("x"), mine)
			if err != nil || got != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

// What cannot be edited without guessing is refused, and named.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{":                         "line 1, column 2: ",
		"{\n\"a\": 1,\n}":           "line 2, column 7: a comma follows the last item",
		"[1,]":                      "line 1, column 3: a comma follows the last item",
		"[,]":                       "line 1, column 2: ",
		"{\"a\":1,\n\"a\":2}":       "line 2, column 1: the key \"a\" is there twice",
		"{} x":                      "line 1, column 4: ",
		"{\n\"a\": 'x'}":            "line 2, column 6: ",
		"{\"a\": \"x}":              "line 1, column 10: ",
		"{/* \n":                    "line 1, column 2: ",
		"[]":                        "the document is not an object",
		"{\"hooks\": []}":           "`hooks` is not an object",
		"{\"hooks\":{\"start\":1}}": "`hooks.start` is not a list",
		" ":                         "line 1, column 2: ",
		strings.Repeat("[", 1000):   "line 1, column 1001: ",
		strings.Repeat("[", 1e6):    "the document has too many lists and objects",
	} {
		_, err := jsonedit.Put(text, []string{"hooks", "start"}, element("x"), mine)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// What the user added beside ours stays, comments included.
func TestTakeKeepsOthers(t *testing.T) {
	const ours = `{"name":"ours"}`
	for _, c := range []struct{ text, want string }{
		{`{"l":[` + ours + `, 2]}`, `{"l":[2]}`},
		{`{"l":[1, ` + ours + `, 2]}`, `{"l":[1, 2]}`},
		{`{"l":[1, /* a */ ` + ours + ` /* b */ ]}`, `{"l":[1 /* a */  /* b */ ]}`},
		{`{"l":[ ` + ours + ` /* b */ , 2]}`, `{"l":[  /* b */  2]}`},
		{`{"l":[ ` + ours + `, ` + ours + ` ], "x": 1}`, `{"x": 1}`},
		{`{"x": 1, "l":[ /* why */ ` + ours + ` ]}`, `{"x": 1, "l":[ /* why */  ]}`},
		{"// head\n{\n \"l\": [ " + ours + " ]\n}\n", "// head\n{}\n"},
		{`{"l":[1]}`, `{"l":[1]}`},
		{`{"x":1}`, `{"x":1}`},
	} {
		got, err := jsonedit.Take(c.text, []string{"l"}, mine)
		if err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.text, got, err, c.want)
		}
	}
}

// document makes a random document with random white space and comments.
type document struct {
	*rand.Rand
	comments bool
}

func (d document) space() string {
	spaces := []string{"", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", "// c\n", "/* c */"}
	if !d.comments {
		spaces = spaces[:7]
	}
	return spaces[d.IntN(len(spaces))]
}

func (d document) value(depth int) string {
	switch kind := d.IntN(6); {
	case kind < 2 && depth < 4:
		return d.object(depth)
	case kind == 2 && depth < 4:
		var items []string
		for range d.IntN(3) {
			items = append(items, d.space()+d.value(depth+1)+d.space())
		}
		return d.enclose("[", items, "]")
	}
	plain := []string{"1", "-2.5e3", "true", "null", `"a \" b"`, `"// no"`, `"é\u00e9"`, `{"name":"theirs"}`}
	return plain[d.IntN(len(plain))]
}

func (d document) object(depth int) string {
	keys := []string{"hooks", "start", "stop", "list", "a", "b", "c", "d"}
	d.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var items []string
	for _, key := range keys[:d.IntN(4)] {
		items = append(items, fmt.Sprintf("%s%q%s:%s%s%s", d.space(), key, d.space(), d.space(), d.value(depth+1), d.space()))
	}
	return d.enclose("{", items, "}")
}

func (d document) enclose(open string, items []string, shut string) string {
	if len(items) == 0 {
		return open + d.space() + shut
	}
	return open + strings.Join(items, ",") + shut
}

// Whatever was there is there again, byte for byte, in whatever order ours go.
func TestTakeUndoesPut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for range 3000 {
		d := document{random, random.IntN(2) == 0}
		text := d.space() + d.object(0) + d.space()
		tried += undone(t, text, random.Perm(len(paths())))
	}
	if tried < 2000 {
		t.Errorf("only %d edits were possible", tried)
	}
}

// undone puts elements in at each path where it can, and takes them out in the
// given order. It gives how many there were.
func undone(t *testing.T, text string, order []int) int {
	t.Helper()
	with, put := text, 0
	for _, path := range paths() {
		next, err := jsonedit.Put(with, path, element("x"), mine)
		if err != nil {
			continue
		}
		put++
		if again, err := jsonedit.Put(next, path, element("x"), mine); err != nil || again != next {
			t.Fatalf("put twice into %q: %v\n%s\n%s", text, err, next, again)
		}
		if next, err = jsonedit.Put(next, path, element("y"), mine); err != nil {
			t.Fatalf("replace in %q: %v", text, err)
		}
		if !strings.Contains(text, "/") && !json.Valid([]byte(strings.TrimPrefix(next, "\ufeff"))) {
			t.Fatalf("%q became no JSON: %s", text, next)
		}
		with = next
	}
	if put == 0 {
		return 0 // no document
	}
	for _, i := range order {
		next, err := jsonedit.Take(with, paths()[i], mine)
		if err != nil && strings.Contains(err.Error(), " is not ") {
			continue
		}
		if err != nil {
			t.Fatalf("take from %q: %v", with, err)
		}
		with = next
	}
	if with != text {
		t.Fatalf("%q became %q", text, with)
	}
	return put
}

func FuzzUndone(f *testing.F) {
	f.Add("{}", uint8(0))
	f.Add("{\n  \"hooks\": {\"start\": [ ] } // x\n}\n", uint8(3))
	f.Add("\ufeff{\"list\":[1,2],\"a\":{\"b\":{}}}", uint8(9))
	f.Fuzz(func(t *testing.T, text string, seed uint8) {
		if text == "" || strings.Contains(text, "ours") || strings.Contains(text, `\u`) {
			return
		}
		undone(t, text, rand.New(rand.NewPCG(uint64(seed), 0)).Perm(len(paths())))
	})
}
