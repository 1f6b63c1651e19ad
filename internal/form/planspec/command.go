package planspec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The operations of commands. The first three say how steps stand, the next
// three change the plan, the last two how it is shown.
const (
	OpDone     = "DONE"
	OpBlocked  = "BLOCKED"
	OpSkip     = "SKIP"
	OpAdd      = "ADD"
	OpRevise   = "REVISE"
	OpReplan   = "REPLAN"
	OpExpand   = "EXPAND"
	OpCollapse = "COLLAPSE"
)

// Ops lists the operations.
func Ops() []string {
	return []string{OpDone, OpBlocked, OpSkip, OpAdd, OpRevise, OpReplan, OpExpand, OpCollapse}
}

// All is the StepID of a REPLAN of the whole plan.
const All = "ALL"

// MaxCommands is how many commands one text may give.
const MaxCommands = 1000

// commandLead begins each line that is a command.
const commandLead = "PLAN_CMD:"

// Command is one PLAN_CMD line with the lines that continue it.
type Command struct {
	// Pos is where the command stands in its text.
	Pos diag.Pos
	// Op is one of [Ops], or what stands in its place.
	Op string
	// StepID is the number of a step, or [All].
	StepID string

	// Step is what ADD and REVISE say of the step.
	Step *form.Item
	// HasBody tells that lines with ">" follow: REVISE replaces the body.
	HasBody bool

	// Result is the result of DONE, the reason of BLOCKED, SKIP and REPLAN.
	Result string

	// Skipped says why the command is passed over; empty for others.
	Skipped string
	// Fault says why it cannot be carried out; empty if it is well formed.
	Fault string
}

// ParseCommands finds the commands in any text, such as a model's answer, and
// ignores the rest of it. A command begins in the first column, outside of fenced
// code, so that one that is only spoken of is none. Findings tell of what is too
// much to read.
//
// Unknown operations and a REPLAN that names neither a step nor ALL come as
// commands to skip. Commands that are malformed come with their Fault.
func ParseCommands(text string) ([]Command, []diag.Diagnostic) {
	r := &reader{}
	if len(text) > MaxText {
		r.limit(len(text))
		return nil, r.found
	}
	var cmds []Command
	var open body // of the command that ">" lines continue
	fence := ""
	for i, raw := range lines(text) {
		r.no, r.raw = i+1, strings.TrimRightFunc(raw, unicode.IsSpace)
		line := strings.TrimLeftFunc(r.raw, unicode.IsSpace)
		rest, isCommand := strings.CutPrefix(r.raw, commandLead)
		fenced := fence != ""
		fence = plan.FenceAfter(fence, r.raw)
		switch {
		case fenced || fence != "":
			open = open.end()
		case isCommand && len(cmds) == MaxCommands:
			open.end()
			r.fail(r.at(line), plan.RuleLimits, "give the commands in several texts", "more than %d commands", MaxCommands)
			return cmds, r.found
		case isCommand:
			open = open.end()
			c := parseCommand(strings.TrimSpace(rest))
			c.Pos, open.item = r.at(line), c.Step
			cmds = append(cmds, c)
		case open.item != nil && strings.HasPrefix(line, ">"):
			c := &cmds[len(cmds)-1]
			c.HasBody = true
			if open.line(strings.TrimPrefix(line[1:], " ")); !utf8.ValidString(line) {
				c.Fault = "the command's detail is no UTF-8: write it anew"
			}
		default:
			open = open.end()
		}
	}
	open.end()
	return cmds, r.found
}

// parseCommand reads what follows PLAN_CMD: in its line.
func parseCommand(text string) Command {
	verb, rest := cutWord(text)
	c := Command{Op: strings.ToUpper(verb)}
	if !slices.Contains(Ops(), c.Op) {
		c.Op, c.Skipped = quoteShort(verb), fmt.Sprintf("unknown operation %q", quoteShort(verb))
		return c
	}
	if !utf8.ValidString(text) {
		c.Fault = "the command is no UTF-8: write it anew"
		return c
	}
	id, after := cutWord(rest)
	c.StepID = strings.TrimSuffix(id, ".")
	switch c.Op {
	case OpAdd, OpRevise:
		c.readStep(after)
	case OpReplan:
		c.readReplan(rest)
	default:
		c.readReason(after)
	}
	if c.Skipped == "" && c.Fault == "" && c.StepID != All && !isID(c.StepID) {
		c.Fault = c.Op + " names no step"
		if c.StepID != "" {
			c.Fault += fmt.Sprintf(", but %q", quoteShort(c.StepID))
		}
		c.Fault += ": write its number, such as 2.1"
	}
	return c
}

// cutWord cuts text at its first white space, or at a bar.
func cutWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '|' })
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimLeftFunc(text[end:], unicode.IsSpace)
}

// readStep reads what ADD and REVISE say: a step's line without status,
// result and progress, which are none of theirs.
func (c *Command) readStep(text string) {
	head, _, more := cutBar(text)
	c.Step = &form.Item{Number: c.StepID}
	readHead(c.Step, head)
	status := StatusOf(c.Step)
	switch {
	case more:
		c.Fault = c.Op + ` takes no result and no progress: write \| for a bar within the text`
	case status.Task != plan.Pending:
		c.Fault = fmt.Sprintf("%s takes no status %s: use DONE, BLOCKED or SKIP", c.Op, status.Marker)
	}
}

// readReplan reads a REPLAN. One without a step is passed over: only the word
// ALL may discard a whole plan.
func (c *Command) readReplan(text string) {
	_, after := cutWord(text)
	switch {
	case strings.EqualFold(c.StepID, All):
		c.StepID = All
	case !isID(c.StepID):
		c.StepID, c.Skipped = "", "it names neither a step nor ALL"
		return
	}
	c.readReason(after)
}

// readReason reads what may follow the step: a bar and text.
func (c *Command) readReason(text string) {
	reason, ok := strings.CutPrefix(text, "|")
	if !ok && text != "" {
		c.Fault = fmt.Sprintf("%s is followed by %q: write `%s <step> | <text>`", c.Op, quoteShort(text), c.Op)
		return
	}
	var result strings.Builder
	for more := ok; more; {
		var part string
		part, reason, more = cutBar(reason)
		addResult(&result, strings.TrimSpace(part))
	}
	c.Result = result.String()
}
