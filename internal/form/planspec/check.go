package planspec

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

// TextError tells of what in a plan the text form cannot hold, all there is.
type TextError struct{ Found []diag.Diagnostic }

func (e *TextError) Error() string {
	var lines []string
	for _, d := range e.Found {
		lines = append(lines, d.Message+": "+d.Hint)
	}
	return strings.Join(lines, "\n")
}

// CheckText gives what of a plan, from JSON say, the text form cannot hold, at the
// places of its steps.
func CheckText(p *Plan) []diag.Diagnostic {
	c := &checker{pos: diag.Pos{Line: 1, Column: 1}}
	c.line("the title", p.Title)
	c.line("the goal", p.Goal)
	for i, text := range p.GoalDetail {
		c.indented(fmt.Sprintf("line %d of the goal's detail", i+1), text)
	}
	for i, text := range p.Constraints {
		c.line(fmt.Sprintf("constraint %d", i+1), text)
	}
	c.steps(p.Steps, "")
	return c.found
}

// checker finds what the text form cannot hold, of the step at pos.
type checker struct {
	findings
	pos diag.Pos
}

func (c *checker) say(what, hint, format string, args ...any) {
	c.fail(c.pos, RuleSyntax, hint, "%s "+format, append([]any{what}, args...)...)
}

// steps checks the children of the step with the number parent.
func (c *checker) steps(steps []*Step, parent string) {
	seen := map[string]bool{}
	for _, s := range steps {
		if s.Pos.Line > 0 {
			c.pos = s.Pos
		}
		switch {
		case !isID(s.ID):
			c.say(s.Label(), "give it one", "has no number such as 1 or 2.1")
		case parentID(s.ID) != parent:
			c.say(s.Label(), "the tree is read from the numbers", "is not where its number says")
		case seen[s.ID]:
			c.say(s.Label(), "give each step a number of its own", "is there twice")
		}
		seen[s.ID] = true
		c.step(s)
		c.steps(s.Children, s.ID)
	}
}

func (c *checker) step(s *Step) {
	if s.Name != "" {
		c.names(s, "name", s.Name)
	}
	if len(s.Inputs) > maxNames || len(s.Outputs) > maxNames {
		c.say(s.Label(), "put them together", "has more than %d inputs or outputs", maxNames)
	}
	c.names(s, "input", s.Inputs...)
	c.names(s, "output", s.Outputs...)
	if !isType(s.Type) || !utf8.ValidString(s.Type) {
		c.say(s.Label(), "use one of "+strings.Join(Types(), ", "), "has type %q, which is no word", quoteShort(s.Type))
	}
	c.line(s.Label()+": the description", s.Description)
	c.line(s.Label()+": the result", s.Result)
	for i, text := range s.Detail {
		c.indented(fmt.Sprintf("%s: line %d of the detail", s.Label(), i+1), text)
	}
	counts := []int{s.DoneCount}
	if s.TotalCount != nil {
		counts = append(counts, *s.TotalCount)
	}
	for _, n := range counts {
		if n < 0 || n > maxCount {
			c.say(s.Label(), fmt.Sprintf("use 0 to %d", maxCount), "counts to %d", n)
		}
	}
}

func (c *checker) names(s *Step, what string, names ...string) {
	for _, name := range names {
		if !isName(name) || !utf8.ValidString(name) {
			c.say(s.Label(), "write names without white space and commas", "has %s %q", what, quoteShort(name))
		}
	}
}

func (c *checker) line(what, text string) {
	if strings.TrimLeftFunc(text, unicode.IsSpace) != text {
		c.say(what, "remove it", "begins with white space")
	}
	c.indented(what, text)
}

// indented checks a line that may begin with white space.
func (c *checker) indented(what, text string) {
	switch {
	case strings.ContainsAny(text, "\r\n"):
		c.say(what, "write it in one line", "has a line break")
	case !utf8.ValidString(text):
		c.say(what, "write it again", "is no UTF-8")
	case strings.TrimRightFunc(text, unicode.IsSpace) != text:
		c.say(what, "remove it", "ends with white space")
	}
}
