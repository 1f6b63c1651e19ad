package jsonedit_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/jsonedit"
)

// server is the member that the tests put in.
func server() jsonedit.Object {
	return jsonedit.Object{{Key: "run", Value: "git"}, {Key: "args", Value: jsonedit.List{"a", "b"}}}
}

func TestPutMember(t *testing.T) {
	const inline = `"x": { "run": "git", "args": [ "a", "b" ] }`
	for _, c := range []struct{ name, text, want string }{
		{"new", "", "{\n  \"s\": {\n    \"x\": {\n      \"run\": \"git\",\n      \"args\": [\n        \"a\",\n        \"b\"\n      ]\n    }\n  }\n}\n"},
		{"one line", `{"a":1}`, `{"a":1, "s": { ` + inline + ` }}`},
		{"empty document", "{\n}\n", "{\n\"s\": { " + inline + " }}\n"},
		{"empty object", `{"s":{}, "a": 1}`, `{"s":{` + inline + `}, "a": 1}`},
		{"after others", "\ufeff{\r\n\t\"s\": {\r\n\t\t\"y\": 1 // why\r\n\t}\r\n}", "\ufeff{\r\n\t\"s\": {\r\n\t\t\"y\": 1,\r\n\t\t\"x\": {\r\n\t\t\t\"run\": \"git\",\r\n\t\t\t\"args\": [\r\n\t\t\t\t\"a\",\r\n\t\t\t\t\"b\"\r\n\t\t\t]\r\n\t\t} // why\r\n\t}\r\n}"},
		{"there", `{"s":{"x":{"args":["a","b"],"run":"git"}}}`, `{"s":{"x":{"args":["a","b"],"run":"git"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsonedit.PutMember(c.text, []string{"s", "x"}, server())
			if err != nil || got != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

// A member of somebody else is neither replaced nor taken out.
func TestMemberOfOthers(t *testing.T) {
	for _, text := range []string{
		`{"s":{"x":1}}`,
		`{"s":{"x":{}}}`,
		`{"s":{"x":{"run":"git","args":["a","b"],"env":{}}}}`,
		`{"s":{"x":{"run":"git" /* mine */,"args":["a","b"]}}}`,
	} {
		if got, err := jsonedit.PutMember(text, []string{"s", "x"}, server()); !errors.Is(err, jsonedit.ErrTaken) || got != text {
			t.Errorf("put into %s: %s, %v", text, got, err)
		}
		if got, err := jsonedit.TakeMember(text, []string{"s", "x"}, server()); !errors.Is(err, jsonedit.ErrTaken) || got != text {
			t.Errorf("took from %s: %s, %v", text, got, err)
		}
	}
}

// What cannot be edited without guessing is refused, and named.
func TestMemberRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{\"s\": []}":         "`s` is not an object",
		"[]":                  "the document is not an object",
		"{\"s\": {\"y\":1,}}": "line 1, column 13: a comma follows the last item",
		"\n":                  "line 2, column 1: ",
	} {
		if _, err := jsonedit.PutMember(text, []string{"s", "x"}, server()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("put into %s: %v, want %s", text, err, want)
		}
		if _, err := jsonedit.TakeMember(text, []string{"s", "x"}, server()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("took from %s: %v, want %s", text, err, want)
		}
	}
}

// memberUndone puts a member in and takes it out again. It reports whether it
// could.
func memberUndone(t *testing.T, text string, path []string) bool {
	t.Helper()
	with, err := jsonedit.PutMember(text, path, server())
	if err != nil {
		return false
	}
	if again, err := jsonedit.PutMember(with, path, server()); err != nil || again != with {
		t.Fatalf("put twice into %q: %v\n%s\n%s", text, err, with, again)
	}
	if !strings.Contains(text, "/") && !json.Valid([]byte(strings.TrimPrefix(with, "\ufeff"))) {
		t.Fatalf("%q became no JSON: %s", text, with)
	}
	if with == text {
		return false // somebody wrote just the same
	}
	out, err := jsonedit.TakeMember(with, path, server())
	if err != nil || out != text {
		t.Fatalf("%q became %q (%v)", text, out, err)
	}
	return true
}

// Whatever was there is there again, byte for byte: comments, a BOM, tabs, line
// ends, nested objects, the order of keys.
func TestTakeMemberUndoesPutMember(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range 3000 {
		d := document{random, random.IntN(2) == 0}
		text := d.space() + d.object(0) + d.space()
		if random.IntN(8) == 0 {
			text = "\ufeff" + text
		}
		for _, path := range [][]string{{"mcp"}, {"a", "mcp"}, {"hooks", "a"}, {"b", "c", "mcp"}} {
			if memberUndone(t, text, path) {
				tried++
			}
		}
	}
	if tried < 6000 {
		t.Errorf("only %d edits were possible", tried)
	}
}

// Elements and members in one document go in any order.
func TestMembersBesideElements(t *testing.T) {
	for _, text := range []string{"", "{}", "{ }\n", "{\n\t\"a\": {\n\t}\n}\n", `{"list":[]}`} {
		with, err := jsonedit.Put(text, []string{"list"}, element("x"), mine)
		if err != nil {
			t.Fatal(err)
		}
		if with, err = jsonedit.PutMember(with, []string{"a", "mcp"}, server()); err != nil {
			t.Fatal(err)
		}
		for _, memberFirst := range []bool{true, false} {
			out := with
			if memberFirst {
				out, _ = jsonedit.TakeMember(out, []string{"a", "mcp"}, server())
			}
			out, _ = jsonedit.Take(out, []string{"list"}, mine)
			if !memberFirst {
				out, _ = jsonedit.TakeMember(out, []string{"a", "mcp"}, server())
			}
			if out != text {
				t.Errorf("%q became %q", text, out)
			}
		}
	}
}

func FuzzMemberUndone(f *testing.F) {
	f.Add("{}")
	f.Add("{\n  \"s\": {\"y\": [ ] } // x\n}\n")
	f.Add("\ufeff{\"s\":[1,2],\"a\":{\"b\":{}}}")
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		memberUndone(t, text, []string{"s", "x"})
		memberUndone(t, text, []string{"a", "b", "x"})
	})
}
