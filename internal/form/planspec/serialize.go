package planspec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// Serialize writes a plan so that [Parse] reads the same again. It fails with
// a [TextError] where there is something that the text form cannot hold.
func Serialize(p *Plan) (string, error) { return serialize(p, false) }

// SerializeFolded writes a plan for a model to read: what a step's [Fold], or
// else its status, folds away is left out.
func SerializeFolded(p *Plan) (string, error) { return serialize(p, true) }

// Shows tells what of a step a folded plan shows.
func (s *Step) Shows() (body, children bool) {
	switch s.Fold {
	case Expanded:
		return true, true
	case Collapsed:
		return false, false
	default:
		return s.Status == Active || s.Status == Blocked, true
	}
}

func serialize(p *Plan, fold bool) (string, error) {
	if found := CheckText(p); len(found) > 0 {
		return "", &TextError{found}
	}
	w := &writer{fold: fold}
	w.plan(p)
	if w.full() {
		f := &findings{}
		f.fail(diag.Pos{Line: 1, Column: 1}, RuleSyntax, "split it", "the plan is over the limit of %d bytes and %d lines", MaxText, MaxLines)
		return "", &TextError{f.found}
	}
	return w.String(), nil
}

type writer struct {
	strings.Builder
	lines int
	fold  bool
}

// full reports whether the text cannot be read any more.
func (w *writer) full() bool { return w.Len() > MaxText || w.lines > MaxLines }

// item writes a line: a lead and, if there is any, text after a space.
func (w *writer) item(indent, lead, text string) {
	w.WriteString(indent)
	w.WriteString(lead)
	if text != "" {
		w.WriteByte(' ')
		w.WriteString(text)
	}
	w.WriteByte('\n')
	w.lines++
}

func (w *writer) plan(p *Plan) {
	if p.Title != "" {
		w.item("", "# Plan:", p.Title)
	}
	if p.Goal != "" || len(p.GoalDetail) > 0 {
		w.item("", "Goal:", p.Goal)
	}
	for _, line := range p.GoalDetail {
		w.item("", ">", line)
	}
	if len(p.Constraints) > 0 {
		w.item("", "Constraints:", "")
	}
	for _, text := range p.Constraints {
		w.item("", "-", text)
	}
	if len(p.Steps) > 0 {
		w.item("", "## Steps", "")
	}
	w.steps(p.Steps, "")
}

func (w *writer) steps(steps []*Step, indent string) {
	for _, s := range steps {
		if w.full() {
			return
		}
		body, children := true, true
		if w.fold {
			body, children = s.Shows()
		}
		w.item(indent, s.ID+".", s.summary())
		if body {
			w.body(s, indent+"  ")
		}
		if children {
			w.steps(s.Children, indent+"  ")
		}
	}
}

func (w *writer) body(s *Step, indent string) {
	for _, line := range s.body() {
		w.item(indent, ">", line)
	}
}

// body gives the lines of the step's body as they are written after ">".
func (s *Step) body() []string {
	var out []string
	if len(s.Inputs) > 0 {
		out = append(out, inputArrow+" "+strings.Join(s.Inputs, ", "))
	}
	for _, line := range s.Detail {
		out = append(out, escapeLead(line, true, leadsInputs))
	}
	return out
}

// summary gives what follows the number in the step's line.
func (s *Step) summary() string {
	var parts []string
	if s.Status != Pending || s.Name == "" && typeIsMarker(s.Type) {
		parts = append(parts, s.Status.Marker())
	}
	parts = append(parts, s.anchor()...)
	return strings.Join(append(parts, s.tail()...), " ")
}

// tail gives what the step's line holds after the description.
func (s *Step) tail() []string {
	var parts []string
	if len(s.Outputs) > 0 {
		parts = append(parts, outputArrow+" "+escapeName(strings.Join(s.Outputs, ", ")))
	}
	if s.Result != "" {
		parts = append(parts, "| "+escapeResult(s.Result))
	}
	if s.DoneCount != 0 || s.TotalCount != nil {
		parts = append(parts, "| "+progressWord+" "+s.count())
	}
	return parts
}

func (s *Step) count() string {
	if s.TotalCount == nil {
		return strconv.Itoa(s.DoneCount)
	}
	return fmt.Sprintf("%d/%d", s.DoneCount, *s.TotalCount)
}

// typeIsMarker reports whether a type would be read as a status.
func typeIsMarker(typ string) bool {
	_, ok := cutStatus("[" + typ + "]")
	return ok
}

// anchor gives name, type and description. Without a type, empty brackets
// stand in its place where another word would be taken for it.
func (s *Step) anchor() []string {
	encode := escapeProse
	if len(s.Outputs) > 0 {
		encode = escapeHeadRuns
	}
	text := encode(s.Description)
	var parts []string
	if s.Name != "" {
		parts = append(parts, escapeLead(escapeName(s.Name), true, leadsBracket))
	}
	bare := escapeLead(text, true, leadsBracket)
	if _, _, rest := cutAnchor(bare); s.Type == "" && s.Name == "" && rest == bare {
		text = bare
	} else {
		parts = append(parts, "["+s.Type+"]")
		text = escapeLead(text, false, leadsBracket)
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}

// escapeResult writes a result. A bar between spaces is read as itself; any
// other is escaped.
func escapeResult(result string) string {
	segments := strings.Split(result, " | ")
	for _, segment := range segments {
		if segment == "" || segment != strings.TrimSpace(segment) {
			segments = []string{result}
			break
		}
	}
	for i, segment := range segments {
		segments[i] = escapeBars(escapeLead(segment, true, leadsProgress))
	}
	return strings.Join(segments, " | ")
}
