package diag

import (
	"fmt"
	"io"
	"strings"
)

// WriteText prints one line a finding, and its hint on an indented line of its
// own when it has one.
func WriteText(w io.Writer, ds []Diagnostic) error {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(Printable(d.String()))
		b.WriteByte('\n')
		if d.Hint != "" {
			fmt.Fprintf(&b, "\thint: %s\n", Printable(d.Hint))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Lines gives each finding as "path:line:column: message [rule]", the form of
// the details of an error document.
func Lines(ds []Diagnostic) []string {
	out := make([]string, 0, len(ds))
	for _, d := range ds {
		if d.Severity == Error {
			out = append(out, fmt.Sprintf("%s:%s: %s [%s]", d.Path, d.Pos, d.Message, d.Rule))
		}
	}
	return out
}

// Finding is the JSON form of a [Diagnostic].
type Finding struct {
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// Findings converts ds to their JSON form; the result is never nil.
func Findings(ds []Diagnostic) []Finding {
	out := make([]Finding, 0, len(ds))
	for _, d := range ds {
		out = append(out, Finding{d.Path, d.Pos.Line, d.Pos.Column, d.Severity, d.Rule, d.Message, d.Hint})
	}
	return out
}
