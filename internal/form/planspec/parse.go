package planspec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Read parses a text and judges the plan: [Parse], then [Validate]. The
// findings are in reading order and name path.
func Read(path, text string) (*form.Outline, []diag.Diagnostic) {
	o, found := Parse(text)
	if len(text) <= MaxText {
		found = append(found, Validate(o)...)
	}
	for i := range found {
		found[i].Path = path
	}
	diag.Sort(found)
	return o, found
}

// Parse reads a PlanSpec. It always returns the plan it understood; what it
// did not understand, or cannot be, is a finding. Text without any line is
// the empty plan, and no finding: [Validate] tells what that lacks.
func Parse(text string) (*form.Outline, []diag.Diagnostic) {
	r := &reader{plan: &form.Outline{}, steps: map[string]*form.Item{}}
	if len(text) > MaxText {
		r.limit(len(text))
		return r.plan, r.found
	}
	text = strings.TrimPrefix(text, "\ufeff")
	valid := utf8.ValidString(text)
	for i, raw := range lines(text) {
		r.no, r.raw = i+1, strings.TrimRightFunc(raw, unicode.IsSpace)
		if r.no > MaxLines {
			r.fail(diag.Pos{Line: r.no, Column: 1}, plan.RuleLimits, "split the plan", "the text has more than %d lines; the rest is not read", MaxLines)
			break
		}
		if !valid {
			r.decode()
		}
		r.line(strings.TrimLeftFunc(r.raw, unicode.IsSpace))
	}
	r.step.end()
	r.plan.Plan.Say("goal_detail", r.about)
	r.plan.Plan.Say("constraints", r.constraints)
	return r.plan, r.found
}

// lines gives the lines of a text. Each of LF, CRLF and CR ends one.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(lineFeeds(text), "\n"), "\n")
}

// lineFeeds gives a text each line of which ends in LF.
func lineFeeds(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// section is the part of a text that a line stands in.
type section int

const (
	inHead section = iota
	inGoal         // right below the goal
	inConstraints
	inSteps
)

// reader is a text being parsed.
type reader struct {
	findings
	plan              *form.Outline
	section           section
	hasTitle, hasGoal bool
	// steps are those read so far by number, orphans too.
	steps map[string]*form.Item
	// step is the one whose body may follow. It need not be in the plan.
	step body
	// about are the lines that explain the goal, and the constraints.
	about, constraints []string

	no  int    // number of the line at hand
	raw string // the line, without white space at its end
}

// at gives the place where rest, the end of the line at hand, begins.
func (r *reader) at(rest string) diag.Pos {
	return diag.Pos{Line: r.no, Column: 1 + utf8.RuneCountInString(r.raw[:len(r.raw)-len(rest)])}
}

// decode reports and replaces what is no UTF-8 in the line at hand.
func (r *reader) decode() {
	for i, c := range r.raw {
		if c != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(r.raw[i:]); size == 1 {
			r.fail(r.at(r.raw[i:]), plan.RuleEncoding, "save the file as UTF-8", "invalid UTF-8")
			r.raw = strings.ToValidUTF8(r.raw, "\ufffd")
			return
		}
	}
}

// line reads one line; text is the line at hand without its indentation.
func (r *reader) line(text string) {
	switch {
	case text == "":
	case text[0] == '>':
		r.body(text)
	case r.stepLine(text):
	case r.section != inSteps && r.header(text):
	case r.section == inSteps:
		r.fail(r.at(text), RuleSyntax, r.hint(text), "%q is no step", quoteShort(text))
	default:
		r.fail(r.at(text), RuleSyntax, r.hint(text), "%q is no part of a PlanSpec", quoteShort(text))
	}
}

// hint says what may stand where a line stands that cannot be read.
func (r *reader) hint(text string) string {
	switch {
	case strings.HasPrefix(text, "```"):
		return "remove the fence: the text is the plan alone"
	case r.section == inSteps:
		return "write a step as `1. [act] …`, and its details below it as `> …`"
	case r.section == inConstraints:
		return "write each constraint as `- …`, and `## Steps` after the last"
	default:
		return "write `# Plan: …`, `Goal: …`, `Constraints:` with a `- …` for each, then `## Steps` with steps as `1. [act] …`"
	}
}

// body reads a line that begins with ">".
func (r *reader) body(text string) {
	content := strings.TrimPrefix(text[1:], " ")
	switch {
	case r.section == inGoal:
		r.about = append(r.about, content)
	case r.section != inSteps:
		r.fail(r.at(text), RuleSyntax, "put it below the goal or a step", "%q explains neither the goal nor a step", quoteShort(text))
	case r.step.item != nil && !r.step.line(content):
		r.warn(r.at(text), RuleSyntax, "separate names by commas, with no white space in them, or write `\\←`",
			"`←` is followed by text, not by names; the line is read as a detail")
	}
}

// header reads a line above the steps, and reports whether it is part of a
// PlanSpec.
func (r *reader) header(text string) bool {
	switch {
	case text == "## Steps", text == "## Steps:":
		r.section = inSteps
	case isConstraints(text):
		r.section = inConstraints
	case r.section == inConstraints && (text == "-" || strings.HasPrefix(text, "- ")):
		r.constraints = append(r.constraints, strings.TrimSpace(text[1:]))
	case text == "#" || strings.HasPrefix(text, "# "):
		r.title(text)
	default:
		return r.goal(text)
	}
	return true
}

func isConstraints(text string) bool {
	switch text {
	case "Constraints:", "**Constraints**:", "**Constraints:**", "## Constraints", "## Constraints:":
		return true
	}
	return false
}

func (r *reader) title(text string) {
	if r.hasTitle {
		r.fail(r.at(text), RuleSyntax, "keep one", "a second title")
		return
	}
	title := strings.TrimSpace(text[1:])
	say(&r.plan.Plan, "title", strings.TrimSpace(strings.TrimPrefix(title, "Plan:")))
	r.hasTitle, r.section = true, inHead
}

func (r *reader) goal(text string) bool {
	for _, lead := range []string{"Goal:", "**Goal**:", "**Goal:**"} {
		goal, ok := strings.CutPrefix(text, lead)
		if !ok {
			continue
		}
		if r.hasGoal {
			r.fail(r.at(text), RuleSyntax, "keep one, and explain it below in lines that begin with `>`", "a second goal")
			return true
		}
		say(&r.plan.Plan, "goal", strings.TrimSpace(goal))
		r.hasGoal, r.section = true, inGoal
		return true
	}
	return false
}
