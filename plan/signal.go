package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// ReplanSignal is the id of the signal that asks for another version of the plan. A
// plan that has it may be replanned though no task of it failed.
const ReplanSignal = "replan"

// Report is what somebody outside of the plan says to it, such as that the
// tests fail: what [Plan.OpenSignal] makes a signal of.
type Report struct {
	// ID names the signal in its plan.
	ID string
	// Level is blocker, warning or info.
	Level string
	// Task is the id of a task of the plan, or empty for the plan as a whole.
	Task string
	// Message is the signal's text.
	Message string
	// Source names what reports; nothing else may change or clear the signal.
	Source string
	// Code and Branch say what was looked at; they may be empty.
	Code, Branch string
	// At and By stamp the signal.
	At time.Time
	By string
}

// SourceError is returned when a signal is to be changed or cleared by another
// source than the one that opened it. Nothing was changed.
type SourceError struct {
	Signal string
	// Opened is who opened it, Asked who wanted to change it.
	Opened, Asked string
	// Clearing tells the two apart.
	Clearing bool
}

func (e *SourceError) Error() string {
	if e.Clearing {
		return fmt.Sprintf("signal `%s` was opened by source %q, not %q: clear it with --source %s, or with --force", e.Signal, e.Opened, e.Asked, e.Opened)
	}
	return fmt.Sprintf("signal `%s` was opened by source %q, not %q: give this one another id", e.Signal, e.Opened, e.Asked)
}

// SignalLevels are the levels that a signal may have, the gravest first.
func SignalLevels() []string { return []string{"blocker", "warning", "info"} }

// OpenSignal opens a signal, or brings the open one of that id up to date. One
// that says the same already is left as it is, times included.
func (p *Plan) OpenSignal(r Report) error {
	r.Message = string(Normalize([]byte(strings.TrimSpace(r.Message))))
	old := p.Signal(r.ID)
	if old == nil {
		s, err := r.signal()
		if err == nil {
			p.Signals = append(p.Signals, s)
			slices.SortFunc(p.Signals, bySignalID)
		}
		return err
	}
	if old.Source() != r.Source {
		return &SourceError{Signal: r.ID, Opened: old.Source(), Asked: r.Source}
	}
	if old.Level == r.Level && old.Task == r.Task && old.Message() == r.Message {
		return nil
	}
	return old.rewrite(r)
}

func bySignalID(a, b *Signal) int { return strings.Compare(a.ID, b.ID) }

// ClearSignal removes an open signal, which only its source may do unless it
// is forced; without one of that id there is nothing to do.
func (p *Plan) ClearSignal(id, source string, force bool) error {
	s := p.Signal(id)
	if s == nil {
		return nil
	}
	if !force && s.Source() != source {
		return &SourceError{Signal: id, Opened: s.Source(), Asked: source, Clearing: true}
	}
	p.Signals = slices.DeleteFunc(p.Signals, func(x *Signal) bool { return x == s })
	return nil
}

// DefaultSource is the source of a signal that does not name another.
const DefaultSource = "manual"

// Source says what opened the signal.
func (s *Signal) Source() string {
	if source := s.Doc.Text("source"); source != "" {
		return source
	}
	return DefaultSource
}

// fields gives the signal's frontmatter in its canonical order.
func (r Report) fields() map[string]string {
	return map[string]string{
		"level": r.Level, "task": r.Task, "opened_at": FormatTime(r.At), "opened_by": r.By,
		"source": r.Source, "code": r.Code, "branch": r.Branch,
	}
}

// signal writes the file of a new signal.
func (r Report) signal() (*Signal, error) {
	var b strings.Builder
	b.WriteString("---\n")
	values := r.fields()
	for _, spec := range signalFields {
		if v := values[spec.Name]; v != "" {
			b.WriteString(emitField(spec.Name, Value(v), false))
		}
	}
	b.WriteString("---\n\n" + r.Message + "\n")
	doc, found := parseDocument(signalDoc, "signals/"+r.ID+".md", []byte(b.String()))
	if len(found) > 0 {
		return nil, unreadable(doc.Path, "signal", "", found)
	}
	s := &Signal{ID: r.ID}
	s.refresh(doc)
	return s, nil
}

// rewrite changes the file of an open signal in place.
func (s *Signal) rewrite(r Report) error {
	e := &editor{doc: s.Doc, finish: s.refresh}
	values := r.fields()
	for _, spec := range signalFields {
		if v := values[spec.Name]; v != "" {
			e.set(spec.Name, v)
		} else {
			e.drop(spec.Name)
		}
	}
	if e.err != nil {
		return e.err
	}
	doc, err := e.doc.WithBody("\n" + r.Message + "\n")
	if err == nil {
		s.refresh(doc)
	}
	return err
}
