// Package diag holds findings about plan files as plain values, and renders
// them.
//
// Start with [Diagnostic]; [Sort] puts findings into reading order and
// [WriteText] prints them the way compilers do. The package knows nothing of
// plans, so that every layer may report through it.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a place in a file. Line and Column are 1-based; Column counts
// characters, not bytes, and a byte order mark does not count. The zero Pos
// means the place is not known.
type Pos struct {
	Line   int
	Column int
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String gives "line:column".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// Compare orders positions by line, then column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Severity says how much a finding weighs.
type Severity int

// The severities, from none to most severe.
const (
	Off Severity = iota
	Warning
	Error
)

// String gives "off", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return "off"
	}
}

// ParseSeverity is the inverse of [Severity.String].
func ParseSeverity(s string) (Severity, bool) {
	for _, v := range []Severity{Off, Warning, Error} {
		if v.String() == s {
			return v, true
		}
	}
	return Off, false
}

// MarshalText makes severities read as words in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Diagnostic is one finding.
type Diagnostic struct {
	// Path names the file: relative to where the user stands for files on
	// disk, "<plan-id>/…" for stored plans. Always with slashes.
	Path string
	Pos  Pos
	// Severity is given by the gate in force, not by who found it.
	Severity Severity
	// Rule is the id of the broken rule.
	Rule string
	// Message says what is wrong, in one line, lower-case.
	Message string
	// Hint says what to do about it; it may be empty.
	Hint string
}

// String gives the one-line form, "path:line:column: severity: message [rule]".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%s: %s: %s [%s]", d.Path, d.Pos, d.Severity, d.Message, d.Rule)
}

// Compare orders findings by file, line, column, rule and message.
func (d Diagnostic) Compare(e Diagnostic) int {
	return cmp.Or(
		cmp.Compare(d.Path, e.Path),
		d.Pos.Compare(e.Pos),
		cmp.Compare(d.Rule, e.Rule),
		cmp.Compare(d.Message, e.Message),
	)
}

// Sort puts findings into reading order.
func Sort(ds []Diagnostic) { slices.SortStableFunc(ds, Diagnostic.Compare) }

// Count tells how many errors and how many warnings ds holds.
func Count(ds []Diagnostic) (errors, warnings int) {
	for _, d := range ds {
		switch d.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		}
	}
	return errors, warnings
}
