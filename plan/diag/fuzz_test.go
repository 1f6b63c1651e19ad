package diag

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzPrintable escapes anything: what comes out is text of which a terminal
// obeys nothing, on one line or as many as there were, and is left alone the
// second time.
func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"plain", "日本", "\x1b[31m\a", "\u009b\u202e\u200d", "\xff\xc3(", "\U000e0001", "a\nb\tc\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, text := Printable(s), PrintableText(s)
		for _, out := range []string{line, text} {
			if !utf8.ValidString(out) || strings.ContainsFunc(out, func(r rune) bool { return unsafeRune(r) && r != '\n' && r != '\t' }) {
				t.Fatalf("%q is printed as %q", s, out)
			}
		}
		if strings.ContainsAny(line, "\n\t") || strings.Count(text, "\n") != strings.Count(s, "\n") || Printable(line) != line || PrintableText(text) != text {
			t.Fatalf("%q is printed as %q and %q", s, line, text)
		}
	})
}

// FuzzDiagnostic writes findings with any words, for people and for programs.
func FuzzDiagnostic(f *testing.F) {
	f.Add("a/b.md", "rule", "message", "hint", 1, 1)
	f.Add("\x1b[31m\n", "\u202e", "a\nb\xff", "\r", -1, 0)
	f.Fuzz(func(t *testing.T, path, rule, message, hint string, line, column int) {
		d := Diagnostic{Path: path, Pos: Pos{line, column}, Severity: Error, Rule: rule, Message: message, Hint: hint}
		var b strings.Builder
		if err := WriteText(&b, []Diagnostic{d}); err != nil {
			t.Fatal(err)
		}
		if out := b.String(); PrintableText(out) != out {
			t.Fatalf("%q", out)
		}
		if data, err := json.Marshal(d); err != nil || !json.Valid(data) {
			t.Fatalf("%s, %v", data, err)
		}
	})
}
