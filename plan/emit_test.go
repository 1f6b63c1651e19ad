package plan

import (
	"strings"
	"testing"
)

func TestEmitScalar(t *testing.T) {
	for s, want := range map[string]string{
		"plain": "plain", "two words": "two words", "a/b_c.go": "a/b_c.go", "./x": "./x", "é": "é", "a (b) = c; <d>": "a (b) = c; <d>", "2026-01-31T09:30:00Z": "2026-01-31T09:30:00Z",
		"": `""`, "yes": `"yes"`, "Null": `"Null"`, "y": `"y"`, "1": `"1"`, ".5": `".5"`, "3/5": `"3/5"`, "a: b": `"a: b"`, "a #b": `"a #b"`, "- a": `"- a"`,
		"it's": `"it's"`, `a "b"`: `"a \"b\""`, `a\b`: `"a\\b"`, "a\nb": `"a\nb"`, "a\tb": `"a\tb"`, " a": `" a"`, "a ": `"a "`, "...": `"..."`, "@a": `"@a"`, "2026-01-31": `"2026-01-31"`,
	} {
		equal(t, "scalar", emitScalar(s), want)
	}
	equal(t, "flow list", emitFlowList([]string{"a", "b,c", "[d]", "e f"}), `[a, "b,c", "[d]", e f]`)
}

func TestEmitReadsBack(t *testing.T) {
	for _, s := range seedStrings() {
		readsBack(t, s)
	}
}

func TestEmitField(t *testing.T) {
	long := strings.Repeat("word ", 20) + "end"
	cases := []struct {
		v    any
		flow bool
		want string
	}{
		{"a", false, "k: a\n"},
		{3, false, "k: 3\n"},
		{true, false, "k: true\n"},
		{"a\nb", false, "k: |-\n  a\n  b\n"},
		{"a\n\nb\n", false, "k: |\n  a\n\n  b\n"},
		{"a\nb \nc", false, "k: \"a\\nb \\nc\"\n"},
		{"a\n---\nc", false, "k: \"a\\n---\\nc\"\n"},
		{"a\r\nb", false, "k: \"a\\r\\nb\"\n"},
		{[]string{}, false, "k: []\n"},
		{[]string{"a", "b"}, true, "k: [a, b]\n"},
		{[]string{"a", "b: c"}, false, "k:\n  - a\n  - \"b: c\"\n"},
		{[]string{"a", long}, true, "k:\n  - a\n  - " + long + "\n"},
	}
	for _, c := range cases {
		equal(t, "field", emitField("k", Value(c.v), c.flow), c.want)
	}
}
