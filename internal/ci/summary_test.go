package ci

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/plan/diag"
)

func TestSummary(t *testing.T) {
	a := report.Document{Errors: 1, Warnings: 1, Plans: 1, Findings: []report.Finding{
		{Finding: diag.Finding{Path: "auth/plan.md", Line: 3, Column: 14, Severity: diag.Error, Rule: "title-empty", Message: "no title", Hint: "add one"}, Commit: strings.Repeat("a", 40)},
		{Finding: diag.Finding{Path: "auth/tasks/01-a.md", Line: 1, Column: 1, Severity: diag.Warning, Rule: "hint-path", Message: "a `b` | [c](http://d) <img> @e *f* www.g.h\nx\u202e"}},
	}}
	want := `### git plan check

**Refused:** 1 error, 1 warning in 1 plan.

Checked: a..b

| | where | what | rule |
|---|---|---|---|
| error | auth/plan.md:3:14<br>in aaaaaaaaaaaa | no title<br>add one | title-empty |
| warning | auth/tasks/01-a.md:1:1 | a &#96;b&#96; &#124; &#91;c&#93;&#40;http&#58;//d&#41; &#60;img&#62; &#64;e &#42;f&#42; www&#46;g.h&#92;nx&#92;u202e | hint-path |
`
	if got := summary(a, []string{"a..b"}, maxSummary); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := summary(report.Document{Plans: 2}, []string{"plans"}, maxSummary); !strings.Contains(got, "**Passed:** 0 errors, 0 warnings in 2 plans.") || strings.Contains(got, "|") {
		t.Errorf("nothing found:\n%s", got)
	}
}

// However much was found, the summary stays below its limit, ends with a whole
// line and says how much is missing.
func TestSummaryIsBounded(t *testing.T) {
	a := report.Document{}
	for range 12_000 {
		a.Findings = append(a.Findings, report.Finding{Finding: diag.Finding{Path: "auth/plan.md", Line: 3, Column: 14, Severity: diag.Error, Rule: "title-empty", Message: strings.Repeat("<", 40)}})
	}
	for _, limit := range []int{400, 1000, 1001, 1050, 1100, maxSummary} {
		got := summary(a, nil, limit)
		rows := strings.Count(got, "\n| error |")
		if len(got) > limit || !strings.HasSuffix(got, " findings more left out here: `git plan check` has them all.\n") {
			t.Errorf("limit %d: %d bytes, ends with %q", limit, len(got), got[max(0, len(got)-80):])
		}
		if limit > 1000 && rows == 0 {
			t.Errorf("limit %d: no finding at all", limit)
		}
	}
	if got := len(summary(a, nil, maxSummary)); got < maxSummary*9/10 || got >= 1<<20 {
		t.Errorf("%d bytes", got)
	}
}

// Text of others keeps a row a row.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"", "a|b", "\n|---|\n", "<script>", "&amp;", "\xff", "\u2028", "WWW.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := markdown(s); strings.ContainsAny(got, "|<>\r\n`[]@*\\") || strings.Contains(strings.ToLower(got), "www.") {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}
