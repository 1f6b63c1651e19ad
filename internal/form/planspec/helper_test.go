package planspec

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan/diag"
)

// fixture reads a file of testdata.
func fixture(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// parse reads a text that has nothing wrong with it.
func parse(t testing.TB, text string) *form.Outline {
	t.Helper()
	p, found := Parse(text)
	if len(found) > 0 {
		t.Fatalf("Parse(%q): %v", quoteShort(text), found)
	}
	return p
}

// written gives the text of a plan that can be written.
func written(t testing.TB, p *form.Outline) string {
	t.Helper()
	text, err := Serialize(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Equal reports whether two plans say the same.
func Equal(p, q *form.Outline) bool { return bytes.Equal(EncodeJSON(p), EncodeJSON(q)) }

// OutlineOf gives the plan that a document is.
func OutlineOf(d Document) *form.Outline {
	o := &form.Outline{Items: itemsOf(d.Steps)}
	say(&o.Plan, "title", d.Title)
	say(&o.Plan, "goal", d.Goal)
	o.Plan.Say("goal_detail", d.GoalDetail)
	o.Plan.Say("constraints", d.Constraints)
	return o
}

func itemsOf(steps []Step) (out []*form.Item) {
	for _, s := range steps {
		it := &form.Item{Number: s.ID, Children: itemsOf(s.Children)}
		say(it, "step_name", s.Name)
		say(it, "kind", s.Type)
		say(it, "title", s.Description)
		say(it, "result", s.Result)
		it.Say("inputs", s.Inputs)
		it.Say("outputs", s.Outputs)
		SetDetail(it, s.Detail)
		counted(it, s.DoneCount, s.TotalCount)
		for _, status := range Statuses() {
			if status.Word == s.Status {
				mark(it, status)
			}
		}
		out = append(out, it)
	}
	return out
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// told gives findings as lines, "line:column: severity: message".
func told(found []diag.Diagnostic) string {
	var out []string
	for _, d := range found {
		out = append(out, d.Pos.String()+": "+d.Severity.String()+": "+d.Message)
	}
	return strings.Join(out, "\n")
}

// generator makes plans whose text is full of what the format is made of.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 7))} }

func (g generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) fragment() string {
	return g.pick("|", " | ", "→", " → ", "→ ", "\\", "\\\\", "\\|", "\\→", "[x]", "[ ]", "[act]", "[]", "[>]", "[X] ", "[", "]",
		"Progress:", "Progress: 3/4", "\\Progress: 1", "←", "← a, b", "\\← a", ">", "> x", "# Plan:", "## Steps", "Goal:", "**Goal**:",
		"Constraints:", "- ", "1.", "2.1. ", "a", "word", " ", "  ", ",", ", ", "中文", "\u3000", "🙂", "e\u0301", "\u00a0", "PLAN_CMD: ",
		"\t", "\ufeff", "\u200b", "\u2028", "é", "1.[x]")
}

func (g generator) raw() string {
	var b strings.Builder
	for range g.IntN(7) {
		b.WriteString(g.fragment())
	}
	return b.String()
}

func (g generator) text() string { return strings.TrimSpace(g.raw()) }

func (g generator) indented() string { return strings.TrimRightFunc(g.raw(), unicode.IsSpace) }

func (g generator) name() string {
	name := strings.Map(func(r rune) rune {
		if r == ',' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, g.raw())
	if name == "" {
		return "n" + strconv.Itoa(g.IntN(9))
	}
	return name
}

func (g generator) list(most int, item func() string) []string {
	var out []string
	for range g.IntN(most + 1) {
		out = append(out, item())
	}
	return out
}

func (g generator) plan() *form.Outline {
	return OutlineOf(Document{Title: g.text(), Goal: g.text(), GoalDetail: g.list(2, g.indented), Constraints: g.list(2, g.text), Steps: g.steps("", 3)})
}

func (g generator) steps(parent string, deep int) []Step {
	if deep == 0 {
		return nil
	}
	var out []Step
	n := 0
	for range g.IntN(4) {
		n += 1 + g.IntN(5)/4*g.IntN(20)
		out = append(out, g.step(form.Below(parent, n), deep))
	}
	return out
}

func (g generator) step(id string, deep int) Step {
	s := Step{ID: id, Type: g.pick(Reason, Act, Decide, Subtask, Reason, Act, Decide, Subtask, "", "", "LLM", "xx", "分析"),
		Description: g.text(), Status: Statuses()[g.IntN(5)].Word, Detail: g.list(3, g.indented)}
	if g.IntN(2) == 0 {
		s.Outputs = g.list(3, g.name)
	}
	if g.IntN(2) == 0 {
		s.Inputs, s.Result = g.list(3, g.name), g.text()
	}
	if g.IntN(4) == 0 {
		s.Name = g.name()
	}
	if g.IntN(4) == 0 {
		s.DoneCount = g.IntN(5)
	}
	if g.IntN(4) == 0 {
		total := g.IntN(5)
		s.TotalCount = &total
	}
	s.Children = g.steps(id, deep-1)
	return s
}
