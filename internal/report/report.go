// Package report writes what a check found, for people and for the programs
// that show it to them.
//
// Fill a [Report] and call [Write] with one of [Formats]. Whatever plans and
// paths hold is data: each format escapes it, so that no text of a plan becomes
// a command, markup or a control sequence where the report is shown.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan/diag"
)

// Report is all that one check found.
type Report struct {
	Groups []Group
	// Version is that of the program that checked.
	Version string
}

// Group are findings that belong together: those of a commit, or all that are
// of none.
type Group struct {
	// Commit is the name of the commit and Subject the first line of its
	// message; both are "" for what is no commit.
	Commit, Subject string
	// Plans are the folders of the plans that were looked at, as they stand at
	// the beginning of paths; "." is the folder that paths are relative to.
	Plans []string
	// Findings are sorted.
	Findings []diag.Diagnostic
	// Base is the folder, from the top of the project, that relative paths
	// begin in.
	Base string
	// Source gives the text that a path had when it was looked at; nil where no
	// text is at hand.
	Source func(path string) (text string, ok bool)
}

// Count tells how many errors and how many warnings were found.
func (r Report) Count() (errors, warnings int) {
	for _, g := range r.Groups {
		e, w := diag.Count(g.Findings)
		errors, warnings = errors+e, warnings+w
	}
	return errors, warnings
}

// Plans tells how many plans were looked at, one as often as it was.
func (r Report) Plans() int {
	n := 0
	for _, g := range r.Groups {
		n += len(g.Plans)
	}
	return n
}

// Commits tells how many commits were looked at.
func (r Report) Commits() int {
	n := 0
	for _, g := range r.Groups {
		if g.Commit != "" {
			n++
		}
	}
	return n
}

// Formats are the names of the formats, the default first.
func Formats() []string { return []string{"text", "json", "sarif", "github", "junit"} }

// Options say how a report is written.
type Options struct {
	// Format is one of [Formats].
	Format string
	// Carets shows in text the line that a finding is about, as a person at a
	// terminal likes it.
	Carets bool
	// Palette paints text, for a terminal that is so many columns wide; 0 breaks
	// no line.
	Palette term.Palette
	Columns int
}

// Write writes a report.
func Write(w io.Writer, r Report, o Options) error {
	switch o.Format {
	case "text":
		return writeText(w, r, o)
	case "json":
		return writeJSON(w, NewDocument(r))
	case "sarif":
		return writeJSON(w, newSARIF(r))
	case "github":
		return writeGitHub(w, r)
	case "junit":
		return writeJUnit(w, r)
	}
	return fmt.Errorf("there is no format %q; there are %s", o.Format, strings.Join(Formats(), ", "))
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(diag.JSONWriter(w))
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Document is a report as one JSON document.
type Document struct {
	// Status is "error" if there is an error, else "ok".
	Status   string    `json:"status"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Plans    int       `json:"plans"`
	Findings []Finding `json:"findings"`
}

// Finding is a finding in JSON, with the name of the commit that it is about.
type Finding struct {
	diag.Finding
	Commit string `json:"commit,omitempty"`
}

// NewDocument gives the JSON form of a report.
func NewDocument(r Report) Document {
	d := Document{Status: "ok", Plans: r.Plans(), Findings: []Finding{}}
	if d.Errors, d.Warnings = r.Count(); d.Errors > 0 {
		d.Status = "error"
	}
	for _, g := range r.Groups {
		for _, f := range diag.Findings(g.Findings) {
			d.Findings = append(d.Findings, Finding{f, g.Commit})
		}
	}
	return d
}

// fromTop gives a path of the group from the top of the project.
func (g Group) fromTop(p string) string {
	if path.IsAbs(p) {
		return p
	}
	return path.Join(g.Base, p)
}

// shortName is as much of a commit's name as people are shown.
func shortName(commit string) string { return commit[:min(len(commit), 12)] }
