package planspec

import (
	"errors"
	"strings"
	"testing"
)

// What the text form cannot hold is refused, all of it at once.
func TestSerializeErrors(t *testing.T) {
	of := func(change func(*Step)) *Plan {
		s := &Step{ID: "1", Name: "n", Type: Act}
		change(s)
		return &Plan{Steps: []*Step{s}}
	}
	less := -1
	cases := []struct {
		plan *Plan
		want string
	}{
		{&Plan{Title: "a\nb"}, "the title has a line break: write it in one line"},
		{&Plan{Title: " a"}, "the title begins with white space: remove it"},
		{&Plan{Goal: "a\u3000"}, "the goal ends with white space: remove it"},
		{&Plan{Goal: "a\xff"}, "the goal is no UTF-8: write it again"},
		{&Plan{GoalDetail: []string{" a", "b "}, Constraints: []string{"c\r"}},
			"line 2 of the goal's detail ends with white space: remove it\nconstraint 1 has a line break: write it in one line"},
		{of(func(s *Step) { s.Outputs = strings.Split("a"+strings.Repeat(",a", maxNames), ",") }), "step 1 (n) has more than 1000 inputs or outputs: put them together"},
		{of(func(s *Step) { s.Name = "a b" }), `step 1 (a b) has name "a b": write names without white space and commas`},
		{of(func(s *Step) { s.Inputs = []string{"a,b", ""} }), `step 1 (n) has input "a,b": write names without white space and commas` + "\n" +
			`step 1 (n) has input "": write names without white space and commas`},
		{of(func(s *Step) { s.Outputs = []string{"a\u00a0b"} }), `step 1 (n) has output "a b": write names without white space and commas`},
		{of(func(s *Step) { s.Type = "a b" }), `step 1 (n) has type "a b", which is no word: use one of reason, act, decide, subtask`},
		{of(func(s *Step) { s.Type = "a]" }), `step 1 (n) has type "a]", which is no word: use one of reason, act, decide, subtask`},
		{of(func(s *Step) { s.Description = "a\nb" }), "step 1 (n): the description has a line break: write it in one line"},
		{of(func(s *Step) { s.Result = "a " }), "step 1 (n): the result ends with white space: remove it"},
		{of(func(s *Step) { s.Detail = []string{"  a", "a\n"} }), "step 1 (n): line 2 of the detail has a line break: write it in one line"},
		{of(func(s *Step) { s.DoneCount = -1 }), "step 1 (n) counts to -1: use 0 to 999999999"},
		{of(func(s *Step) { s.TotalCount = &less }), "step 1 (n) counts to -1: use 0 to 999999999"},
		{of(func(s *Step) { s.ID = "" }), "step  (n) has no number such as 1 or 2.1: give it one"},
		{of(func(s *Step) { s.ID = "1.1" }), "step 1.1 (n) is not where its number says: the tree is read from the numbers"},
		{of(func(s *Step) { s.Children = []*Step{{ID: "1.1"}, {ID: "1.1"}, {ID: "2.1"}} }),
			"step 1.1 is there twice: give each step a number of its own\nstep 2.1 is not where its number says: the tree is read from the numbers"},
		{of(func(s *Step) { s.Description = strings.Repeat("x", MaxText) }), "the plan is over the limit of 4194304 bytes and 100000 lines: split it"},
		{of(func(s *Step) { s.Detail = make([]string, MaxLines) }), "the plan is over the limit of 4194304 bytes and 100000 lines: split it"},
	}
	for _, c := range cases {
		text, err := Serialize(c.plan)
		var bad *TextError
		if !errors.As(err, &bad) || text != "" {
			t.Errorf("%s: %q, %v", c.want, text, err)
			continue
		}
		equal(t, "error", err.Error(), c.want)
	}
}

// Only what would be read otherwise is escaped.
func TestEscapes(t *testing.T) {
	cases := []struct {
		step Step
		want string
	}{
		{Step{Type: Act, Description: "a | b"}, `[act] a \| b`},
		{Step{Type: Act, Description: `a \ b \n \[ \\`}, `[act] a \ b \n \[ \\`},
		{Step{Type: Act, Description: `a \| b`}, `[act] a \\| b`},
		{Step{Type: Act, Description: `a \→ b c`}, `[act] a \\→ b c`},
		{Step{Type: Act, Description: "a → b c"}, "[act] a → b c"},
		{Step{Type: Act, Description: "a → b"}, `[act] a \→ b`},
		{Step{Type: Act, Description: "a → b → c"}, `[act] a → b \→ c`},
		{Step{Type: Act, Description: "a →b→ c"}, `[act] a →b\→ c`},
		{Step{Type: Act, Description: "a →b→c,d →e"}, `[act] a →b→c,d \→e`},
		{Step{Type: Act, Description: "a →b→c,→e"}, `[act] a \→b\→c,\→e`},
		{Step{Type: Act, Description: "a → b →"}, `[act] a → b →`},
		{Step{Type: Act, Description: "a → b", Outputs: []string{"x"}}, "[act] a → b → x"},
		{Step{Type: Act, Outputs: []string{"x→y", "a|b"}}, `[act] → x\→y, a\|b`},
		{Step{Type: Act, Result: "a | b → c"}, "[act] | a | b → c"},
		{Step{Type: Act, Result: "a|b | c"}, `[act] | a\|b | c`},
		{Step{Type: Act, Result: "a |  b | c"}, `[act] | a \|  b \| c`},
		{Step{Type: Act, Result: "| a"}, `[act] | \| a`},
		{Step{Type: Act, Result: "Progress: 1 | Progress: no"}, `[act] | \Progress: 1 | \Progress: no`},
		{Step{Type: Act, Result: "my Progress: 1"}, `[act] | my Progress: 1`},
		{Step{Type: Act, Description: "[x] [act] a"}, "[act] [x] [act] a"},
		{Step{Type: Act, Description: `\[x] a`}, `[act] \\[x] a`},
		{Step{Type: Act, Description: `\[x`}, `[act] \[x`},
		{Step{Description: "[x] a"}, `\[x] a`},
		{Step{Description: "[ ] a"}, `\[ ] a`},
		{Step{Description: "[act] a"}, `\[act] a`},
		{Step{Description: "[two words] a"}, `[two words] a`},
		{Step{Description: "see [act] a"}, `[] see [act] a`},
		{Step{Description: "see, [act] a", Status: Done}, `[x] see, [act] a`},
		{Step{Type: "x", Description: "a"}, `[ ] [x] a`},
		{Step{Type: "x", Name: "n"}, `n [x]`},
		{Step{Type: Act, Name: "[x]|→"}, `\[x]\|\→ [act]`},
		{Step{Name: "n", Description: "a"}, `n [] a`},
		{Step{}, ""},
	}
	for _, c := range cases {
		equal(t, c.step.Description, c.step.summary(), c.want)
	}
	s := Step{Inputs: []string{"a", "←b"}, Detail: []string{"← a", ` ← a`, `\← a`, "a ← b", "> a", `\a`}}
	equal(t, "body", strings.Join(s.body(), "\n"), "← a, ←b\n\\← a\n ← a\n\\\\← a\na ← b\n> a\n\\a")
}
