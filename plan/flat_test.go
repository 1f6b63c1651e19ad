package plan

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// sameAsParser reads text both ways: the flat reader must give what the parser
// gives to the last position, or decline. It tells which it did.
func sameAsParser(t *testing.T, text string) bool {
	t.Helper()
	got, ok := newYAMLBlock(text, 2, 4).flat()
	if !ok {
		return false
	}
	want, fault := newYAMLBlock(text, 2, 4).parse()
	if fault != nil {
		t.Fatalf("%q: read as %+v, the parser says %+v", text, got, *fault)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\n got  %+v\n want %+v", text, got, want)
	}
	return true
}

// flatPieces are parts of lines to make texts of, good and bad ones.
func flatPieces() []string {
	return []string{
		"id", "x-a", "t", "null", "true", ": ", ":", ":  ", " ", "  ", "\n", "\n\n", "\n  - ", "\n- ", "\n    - ", "# c", " # c: 'd", "- ", "-", "?", "\\",
		"[", "]", "[a, b]", "[]", "[ a,\"b c\" , 'd']", "{a: b}", ",", ", ", "\"a \\\" b\"", "\"\\n\\\\\"", "\"\\x41\"", "'it''s'", "'", "\"", "é", "日本", "\u00a0", "\u2028",
		"a", "a b", "Fix: it", "a:b", "http://x/y", "a#b", "1", "-1", "+5", "007", "0x1f", "0o17", "1.5", ".5", "1e3", "4h", "3/5", "2026-01-31", "1_000", "~", "null", "Null",
		"true", "False", "yes", ".inf", "-.inf", ".nan", "...", "---", "|", ">-", "|+", "&a", "*a", "!x", "@x", "`x`", "%x", "<<", "<<:", "/a/b.go", "./a", "_x", "$x", "(x)", "=", ";",
		"nan", "inf", "Infinity", "0b1", "0_1", "-x", "-.x", "--", "^a", "+", "_", "+.5", "~a",
	}
}

func TestFlatReaderIsTheParser(t *testing.T) {
	pieces := flatPieces()
	flat := 0
	for seed := range uint64(100_000) {
		r := rand.New(rand.NewPCG(seed, 11))
		var b strings.Builder
		for range 1 + r.IntN(4) {
			if r.IntN(8) > 0 {
				b.WriteString([]string{"id: ", "x-a:", "tags: [", "t:\n  - ", "t: \"", "u: ", "# ", "\n"}[r.IntN(8)])
			}
			for range r.IntN(4) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			b.WriteString([]string{"\n", "\n", "\n", "]\n", "\"\n"}[r.IntN(5)])
		}
		if sameAsParser(t, b.String()) {
			flat++
		}
	}
	if flat < 5000 {
		t.Errorf("only %d texts were flat", flat)
	}
}

// What people and this program write is read flat.
func TestFlatReaderTakes(t *testing.T) {
	front, _, _ := strings.Cut(strings.TrimPrefix(typicalTask, "---\n"), "---\n")
	for _, text := range []string{
		front, "title: A plan # why\n\n# c\ngoal: \"a: b\"\n", "id: a\nagent:\nnotes: []\n", "abandoned: true\nversion: 2\ntitle: 日本語\n",
		"a:\n- 'b'\n- c # d\n", "result: 'it''s'\nstarted_at: 2026-01-31T09:30:00Z\nestimate: 4h\n",
	} {
		if !sameAsParser(t, text) {
			t.Errorf("left to the parser: %q", text)
		}
	}
	for _, text := range []string{"", "# c\n", "a: b", "a: |\n  b\n", "a: b\n  c\n", "a: [b,\n  c]\n", "  a: b\n", "{a: b}\n", "a: b\n - c\n", "a: &x b\n", "a: b: c\n", "a:\tb\n"} {
		if _, ok := newYAMLBlock(text, 2, 4).flat(); ok {
			t.Errorf("not left to the parser: %q", text)
		}
	}
}

func FuzzFlatReader(f *testing.F) {
	for _, s := range seedDocuments() {
		f.Add(frontOf(s) + "\n")
	}
	for _, s := range flatPieces() {
		f.Add("a: " + s + "\nb:\n  - " + s + "\nc: [" + s + "]\n" + s + ": d\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxYAML || (&reporter{}).encoding(&Document{Source: text}) >= 0 {
			return
		}
		sameAsParser(t, text)
	})
}
