package ci

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxSummary bounds a job's summary in bytes. GitHub drops one over 1 MiB as a
// whole, so there is room left.
const maxSummary = 1<<20 - 1<<12

// summary tells an answer as markdown, in at most limit bytes: first how many,
// then a table of the findings, as many as there is room for.
func summary(a report.Document, targets []string, limit int) string {
	var b strings.Builder
	verdict := "Passed"
	if a.Errors > 0 {
		verdict = "Refused"
	}
	fmt.Fprintf(&b, "### git plan check\n\n**%s:** %s.\n\nChecked: %s\n", verdict, counts(a), markdown(strings.Join(targets, " ")))
	if len(a.Findings) == 0 {
		return b.String()
	}
	b.WriteString("\n| | where | what | rule |\n|---|---|---|---|\n")
	for i, f := range a.Findings {
		line := row(f)
		left := len(a.Findings) - i
		rest := fmt.Sprintf("\n%s more left out here: `git plan check` has them all.\n", words.Count(left, "finding"))
		if b.Len()+len(line)+len(rest)+8 > limit { // the count of the next row may be longer by no digit
			b.WriteString(rest)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// row is a finding as a line of the table.
func row(f report.Finding) string {
	what := markdown(f.Message)
	if f.Hint != "" {
		what += "<br>" + markdown(f.Hint)
	}
	commit := ""
	if f.Commit != "" {
		commit = "<br>in " + markdown(fmt.Sprintf("%.12s", f.Commit))
	}
	return fmt.Sprintf("| %s | %s:%d:%d%s | %s | %s |\n", markdown(f.Severity.String()), markdown(f.Path), f.Line, f.Column, commit, what, markdown(f.Rule))
}

// markdown writes text that others wrote so that it reads as it is, in one line
// of a table: nothing in it is markup, a link, a mention or a cell's end.
func markdown(s string) string {
	var b strings.Builder
	s = diag.Printable(s)
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]()<>#|!@&~:$^=+\"'", r),
			r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"): // would become a link
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
