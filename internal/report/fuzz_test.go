package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

// FuzzWrite holds each format to its form, whatever a plan says of itself.
func FuzzWrite(f *testing.F) {
	for _, d := range append(hostile().Groups[0].Findings, small().Groups[0].Findings...) {
		f.Add(d.Path, d.Rule, d.Message, d.Hint, "a\tb\u202e日本", 3)
	}
	f.Fuzz(func(t *testing.T, path, rule, message, hint, line string, column int) {
		if path == "" {
			return // no finding is without
		}
		d := diag.Diagnostic{Path: path, Pos: diag.Pos{Line: 1, Column: max(column, 1)}, Severity: diag.Error, Rule: rule, Message: message, Hint: hint}
		r := Report{Groups: []Group{{
			Commit: strings.Repeat("a", 40), Subject: message, Plans: []string{path}, Findings: []diag.Diagnostic{d},
			Source: func(string) (string, bool) { return line, true },
		}}}
		if doc := parseJUnit(t, write(t, r, "junit")); len(doc.Suites) != 1 || len(doc.Suites[0].Cases) != 1 || doc.Failures != 1 {
			t.Errorf("%+v", doc)
		}
		if log := parseSARIF(t, write(t, r, "sarif")); len(log.Runs[0].Results) != 1 {
			t.Errorf("%+v", log.Runs[0].Results)
		} else {
			checkURI(t, log.Runs[0].Results[0].Locations[0].Physical.Artifact.URI, false)
		}
		if text := write(t, r, "github"); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "::error file=") {
			t.Errorf("%q", text)
		}
		var b strings.Builder
		if err := Write(&b, r, Options{Format: "text", Carets: true}); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.ContainsAny(text, "\x1b\x00\r\u202e") || !utf8.ValidString(text) || strings.Count(text, "\n") > 6 {
			t.Errorf("%q", text)
		}
	})
}
