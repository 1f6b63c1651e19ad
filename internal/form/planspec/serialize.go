package planspec

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
)

// TextError tells why a plan cannot be written as text.
type TextError struct{ Reason string }

func (e *TextError) Error() string { return e.Reason }

// Serialize writes a plan so that [Parse] reads the same again. The error is a
// [*TextError].
func Serialize(o *form.Outline) (string, error) {
	return write(o, func(*form.Item) (body, children bool) { return true, true })
}

// SerializeFolded writes a plan for a model to read: what is folded away is left
// out.
func SerializeFolded(o *form.Outline, folds Folds) (string, error) { return write(o, folds.Shows) }

func write(o *form.Outline, shows func(*form.Item) (body, children bool)) (string, error) {
	for _, it := range o.All() { // of a plan that the gate has not seen
		if typ := it.Get("kind"); !isType(typ) {
			return "", &TextError{fmt.Sprintf("%s has type %q, which is no word: use one of %s", Label(it), quoteShort(typ), strings.Join(Types(), ", "))}
		}
	}
	w := &writer{shows: shows}
	w.plan(o)
	if w.full() {
		return "", &TextError{fmt.Sprintf("the plan is over the limit of %d bytes and %d lines: split it", MaxText, MaxLines)}
	}
	return w.String(), nil
}

type writer struct {
	strings.Builder
	lines int
	shows func(*form.Item) (body, children bool)
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

func (w *writer) plan(o *form.Outline) {
	title, goal, about, constraints := o.Plan.Title(), o.Plan.Get("goal"), o.Plan.List("goal_detail"), o.Plan.List("constraints")
	if title != "" {
		w.item("", "# Plan:", title)
	}
	if goal != "" || len(about) > 0 {
		w.item("", "Goal:", goal)
	}
	for _, line := range about {
		w.item("", ">", line)
	}
	if len(constraints) > 0 {
		w.item("", "Constraints:", "")
	}
	for _, text := range constraints {
		w.item("", "-", text)
	}
	if len(o.Items) > 0 {
		w.item("", "## Steps", "")
	}
	w.steps(o.Items, "")
}

func (w *writer) steps(items []*form.Item, indent string) {
	for _, it := range items {
		if w.full() {
			return
		}
		body, children := w.shows(it)
		w.item(indent, it.Number+".", summary(it))
		if body {
			w.body(it, indent+"  ")
		}
		if children {
			w.steps(it.Children, indent+"  ")
		}
	}
}

func (w *writer) body(it *form.Item, indent string) {
	if inputs := it.List("inputs"); len(inputs) > 0 {
		w.item(indent, ">", inputArrow+" "+strings.Join(inputs, ", "))
	}
	for _, line := range Detail(it) {
		w.item(indent, ">", escapeLead(line, true, leadsInputs))
	}
}

// summary gives what follows the number in a step's line.
func summary(it *form.Item) string {
	var parts []string
	if s := StatusOf(it); s.Task != plan.Pending {
		parts = append(parts, s.Marker)
	}
	if name := it.Get("step_name"); name != "" {
		parts = append(parts, escapeLead(escapeName(name), true, leadsBracket))
	}
	parts = append(parts, "["+it.Get("kind")+"]")
	outputs, result, progress, encode := it.List("outputs"), it.Get("result"), it.Get("progress"), escapeProse
	if len(outputs) > 0 {
		encode = escapeHeadRuns
	}
	if text := escapeLead(encode(it.Title()), false, leadsBracket); text != "" {
		parts = append(parts, text)
	}
	if len(outputs) > 0 {
		parts = append(parts, outputArrow, escapeName(strings.Join(outputs, ", ")))
	}
	if result != "" {
		parts = append(parts, "|", escapeResult(result))
	}
	if progress != "" {
		parts = append(parts, "|", progressWord, progress)
	}
	return strings.Join(parts, " ")
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
