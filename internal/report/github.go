package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxAnnotations is how many errors, and how many warnings, GitHub takes of one
// step. It drops the others without a word.
const maxAnnotations = 10

// writeGitHub writes workflow commands, which GitHub shows beside the lines they
// are about. What is over the limit is counted in a notice, which has a limit
// of its own.
func writeGitHub(w io.Writer, r Report) error {
	var b strings.Builder
	told, more := map[diag.Severity]int{}, map[diag.Severity]int{}
	for _, g := range r.Groups {
		for _, d := range g.Findings {
			if told[d.Severity] == maxAnnotations {
				more[d.Severity]++
				continue
			}
			told[d.Severity]++
			writeAnnotation(&b, g, d)
		}
	}
	if errs, warnings := more[diag.Error], more[diag.Warning]; errs+warnings > 0 {
		fmt.Fprintf(&b, "::notice title=git plan check::+%d more: %s and %s are not shown here\n",
			errs+warnings, words.Count(errs, "error"), words.Count(warnings, "warning"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeAnnotation(b *strings.Builder, g Group, d diag.Diagnostic) {
	text := diag.Printable(d.Message)
	if g.Commit != "" {
		text = "commit " + shortName(g.Commit) + ": " + text
	}
	if d.Hint != "" {
		text += "\nhint: " + diag.Printable(d.Hint)
	}
	fmt.Fprintf(b, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", d.Severity,
		escapeProperty(diag.Printable(g.fromTop(d.Path))), d.Pos.Line, d.Pos.Column, escapeProperty(diag.Printable(d.Rule)), escapeData(text))
}

// escapeData makes text fit for the message of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty makes text fit for the value of a property.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
