package llm_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func TestJSON(t *testing.T) {
	for name, c := range map[string]struct{ answer, object, prose string }{
		"alone":             {`{"a": 1}`, `{"a": 1}`, ""},
		"white space":       {"\ufeff \r\n{ \"a\" : {\"b\": []} }\r\n\n", `{ "a" : {"b": []} }`, ""},
		"fence":             {"```json\n{\"a\": 1}\n```\n", `{"a": 1}`, ""},
		"prose":             {"I looked at it.\r\n\r\nSo:  \n{\"a\": 1}\nThat is all.\n", `{"a": 1}`, "I looked at it.\n\nSo:\n\nThat is all."},
		"prose and fence":   {"Here:\n\n```\n{\"a\": 1}\n```\nDone.", `{"a": 1}`, "Here:\n\nDone."},
		"braces in prose":   {"`func main() {}` and {x} and [1]\n{\"a\": 1}", `{"a": 1}`, "`func main() {}` and {x} and [1]"},
		"braces in strings": {`{"a": "}{\"b\": 1}]"}`, `{"a": "}{\"b\": 1}]"}`, ""},
		"repeated":          {"{\"a\": 1}\nor, again:\n{\"a\":1}", `{"a": 1}`, "or, again:\n{\"a\":1}"},
		"thinking":          {"<think>maybe {\"a\": 2}? {\"</think>\n{\"a\": 1}", `{"a": 1}`, `maybe {"a": 2}? {"`},
		"control in prose":  {"so\x1b[31m\u202e be it\x00\n{\"a\": 1}", `{"a": 1}`, "so be it"},
	} {
		object, prose, err := llm.JSON(c.answer)
		if err != nil || string(object) != c.object || prose != c.prose {
			t.Errorf("%s: %s, %q, %v", name, object, prose, err)
		}
	}
}

func TestJSONRefused(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"nothing":            {"", "no JSON object"},
		"prose":              {"I cannot do that.", "no JSON object"},
		"empty":              {"{}", "no JSON object"},
		"list":               {`[{"a": 1}]`, "stands inside other brackets []"},
		"in what is no JSON": {`{answer: {"a": 1}}`, "stands inside other brackets {}"},
		"text":               {`"{x"`, "no JSON object"},
		"cut off":            {`{"a": "b`, "it ends too early"},
		"comma":              {`{"a": {"b": 1},}`, `looking for beginning of object key string, before "}"`},
		"comment":            {"{\"a\": 1 // so\n}", `before "// so }"`},
		"rubbish inside":     {`{"a": 1 "b": 2}`, `after object key:value pair, before "\"b\": 2}"`},
		"one too many":       {`{"a": 1}}`, "stands inside other brackets {}"},
		"two":                {`{"a": 1} {"a": 2}`, "two different objects"},
		"key twice":          {`{"a": 1, "b": 2, "a": 3}`, `the key "a" stands twice`},
		"deep key twice":     {`{"a": [{"b": {"c": 1, "\u0063": 2}}]}`, `the key "c" stands twice`},
		"bytes":              {"{\"a\": \"\xff\xfe\"}", "no valid UTF-8"},
		"half a pair":        {`{"a": "\ud800"}`, "stands for no character"},
		"deep":               {strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), "nested deeper"},
		"deeper":             {strings.Repeat(`{"a":[`, 100_000), "what begins like an object is no JSON"},
	} {
		object, _, err := llm.JSON(c.answer)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 {
			t.Errorf("%s: %.100s, %v", name, object, err)
		}
	}
}

// answer is what the tests of Decode take.
type answer struct {
	Text  string
	Lines []string
}

func decode(object string) (a answer, err error) {
	err = llm.Decode([]byte(object), func(d *form.Decoder) []form.Key {
		return []form.Key{d.Line("text", &a.Text).Must(), d.Texts("lines", &a.Lines)}
	})
	return a, err
}

func TestDecode(t *testing.T) {
	if got, err := decode(`{"text": "x", "lines": ["a", "b"]}`); err != nil || got.Text != "x" || len(got.Lines) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	for object, want := range map[string]string{
		`{"lines": []}`:              "the answer has no `text`: add `text`",
		`{"text": null}`:             "`text` of the answer must be set",
		`{"text": 1}`:                "`text` must be a string",
		`{"text": "x", "Text": "y"}`: "the answer has no key `Text`",
		`{"text": "x", "line": []}`:  "did you mean \"lines\"?",
		`{"text": "x", "lines": {}}`: "`lines` must be a list",
		`{"text": 1, "other": 1}`:    "must be a string, not an integer: quote it: \"1\"; the answer has no key `other`",
		`{"text": "a\u0000b"}`:       "`text`",
	} {
		if got, err := decode(object); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", object, got, err)
		}
	}
	if _, err := decode("{" + strings.Repeat(`"x":1,`, 1000) + `"text":"x"}`); err == nil || len(err.Error()) > 4000 {
		t.Errorf("%v", err)
	}
}

// Whatever a model says, what is taken of it is JSON that has each key once,
// and prose that can be shown and stored.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"is_approved": true, "feedback": "ok"}`, "```json\n{\"a\": [1, {\"b\": null}]}\n```", "<think>{\"</think>{\"a\":1}", `{"a":1,"a":2}`,
		"so {} and {\"x\"} {\"a\": \"\\ud83d\"}", "\xff{\"a\": 1}", `{"":6E66666666}`, ">_\u2029m{\"a\":1}", "[{\"a\":1}]", "\u202e\x1b[0m{\"a\":1}", "\u200b\x1b[0m{\"a\":1}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, prose, err := llm.JSON(text)
		if err != nil {
			if object != nil || prose != "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("%q, %q, %v", object, prose, err)
			}
			return
		}
		var into map[string]json.RawMessage // numbers may be of any size
		if err := json.Unmarshal(object, &into); err != nil || len(into) == 0 {
			t.Fatalf("%q: %v", object, err)
		}
		if diag.PrintableText(prose) != prose || plan.CheckText(prose) != nil || len(prose) > llm.MaxProse+len("…") {
			t.Fatalf("%q cannot be shown", prose)
		}
		if again, _, err := llm.JSON(string(object)); err != nil || string(again) != string(object) {
			t.Fatalf("%q: %v", again, err)
		}
		_, _ = decode(string(object))
	})
}

// No answer within the limit takes long to read, whatever it is made of.
func TestJSONIsQuick(t *testing.T) {
	fill := func(part string) string { return strings.Repeat(part, llm.MaxAnswer/len(part)) }
	for name, answer := range map[string]string{
		"braces": fill("{"), "open objects": fill(`{"a":`), "objects": fill(`{"a":1}`), "objects in prose": fill("{ }\n{x}\n"), "escapes": fill("\x1b]0;"), "colours": fill("\x1b[1m"),
		"keys": "{" + fill(`"a":1,`) + `"b":1}`, "strings": `{"a":"` + fill(`\u00e9`) + `"}`, "lists": `{"a":` + fill("[") + "}", "wide": `{"a":[` + fill("1,") + "1]}",
		"thoughts": "<think>" + fill("{\"") + "</think>{\"a\":1}", "fences": fill("```\n") + `{"a":1}`, "spaces": "{" + fill(" ") + `"a":1}`,
	} {
		if took := gittest.Spent(func() { _, _, _ = llm.JSON(answer) }); took > 5*time.Second {
			t.Errorf("%s: %s", name, took)
		} else {
			t.Logf("%s: %s", name, took)
		}
	}
}
