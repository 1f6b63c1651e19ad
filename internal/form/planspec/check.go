package planspec

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TextError tells of something in a plan that the text form cannot hold.
// [Serialize] joins all there are.
type TextError struct {
	// What names the place, such as "step 2.1: the result".
	What string
	// Reason says what is wrong with it, and what to do.
	Reason string
}

func (e *TextError) Error() string { return e.What + " " + e.Reason }

// checker finds what the text form cannot hold.
type checker struct{ errs []error }

func (c *checker) fail(what, format string, args ...any) {
	if len(c.errs) < maxFindings {
		c.errs = append(c.errs, &TextError{what, fmt.Sprintf(format, args...)})
	}
}

func (c *checker) plan(p *Plan) {
	c.line("the title", p.Title)
	c.line("the goal", p.Goal)
	for i, text := range p.GoalDetail {
		c.indented(fmt.Sprintf("line %d of the goal's detail", i+1), text)
	}
	for i, text := range p.Constraints {
		c.line(fmt.Sprintf("constraint %d", i+1), text)
	}
	c.steps(p.Steps, "")
}

// steps checks the children of the step with the number parent.
func (c *checker) steps(steps []*Step, parent string) {
	seen := map[string]bool{}
	for _, s := range steps {
		c.id(s, parent, seen[s.ID])
		seen[s.ID] = true
		c.step(s)
		c.steps(s.Children, s.ID)
	}
}

func (c *checker) id(s *Step, parent string, again bool) {
	switch {
	case !isID(s.ID):
		c.fail(s.Label(), "has no number such as 1 or 2.1: give it one")
	case parentID(s.ID) != parent:
		c.fail(s.Label(), "is not where its number says: the tree is read from the numbers")
	case again:
		c.fail(s.Label(), "is there twice: give each step a number of its own")
	}
}

func (c *checker) step(s *Step) {
	if s.Name != "" {
		c.name(s, "name", s.Name)
	}
	if len(s.Inputs) > maxNames || len(s.Outputs) > maxNames {
		c.fail(s.Label(), "has more than %d inputs or outputs: put them together", maxNames)
	}
	for _, name := range s.Inputs {
		c.name(s, "input", name)
	}
	for _, name := range s.Outputs {
		c.name(s, "output", name)
	}
	if !isType(s.Type) || !utf8.ValidString(s.Type) {
		c.fail(s.Label(), "has type %q, which is no word: use one of %s", quoteShort(s.Type), strings.Join(Types(), ", "))
	}
	c.line(s.Label()+": the description", s.Description)
	c.line(s.Label()+": the result", s.Result)
	for i, text := range s.Detail {
		c.indented(fmt.Sprintf("%s: line %d of the detail", s.Label(), i+1), text)
	}
	c.count(s, s.DoneCount)
	if s.TotalCount != nil {
		c.count(s, *s.TotalCount)
	}
}

func (c *checker) count(s *Step, n int) {
	if n < 0 || n > maxCount {
		c.fail(s.Label(), "counts to %d: use 0 to %d", n, maxCount)
	}
}

func (c *checker) name(s *Step, what, name string) {
	if !isName(name) || !utf8.ValidString(name) {
		c.fail(s.Label(), "has %s %q: write names without white space and commas", what, quoteShort(name))
	}
}

func (c *checker) line(what, text string) {
	if strings.TrimLeftFunc(text, unicode.IsSpace) != text {
		c.fail(what, "begins with white space: remove it")
	}
	c.indented(what, text)
}

// indented checks a line that may begin with white space.
func (c *checker) indented(what, text string) {
	switch {
	case strings.ContainsAny(text, "\r\n"):
		c.fail(what, "has a line break: write it in one line")
	case !utf8.ValidString(text):
		c.fail(what, "is no UTF-8: write it anew")
	case strings.TrimRightFunc(text, unicode.IsSpace) != text:
		c.fail(what, "ends with white space: remove it")
	}
}
