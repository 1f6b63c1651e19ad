package planspec

import (
	"strings"
	"testing"
)

// A text that could not be read is not written.
func TestSerializeErrors(t *testing.T) {
	for _, step := range []Step{{ID: "1", Description: strings.Repeat("x", MaxText-500)}, {ID: "1", Detail: make([]string, MaxLines)}} {
		p := OutlineOf(Document{Steps: []Step{step}})
		p.Items = append(p.Items, p.Items...)
		text, err := Serialize(p)
		if text != "" || err == nil || err.Error() != "the plan is over the limit of 4194304 bytes and 100000 lines: split it" {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}

// A type that is no word is not written.
func TestSerializeType(t *testing.T) {
	const want = `step 1 (n) has type "a b", which is no word: use one of reason, act, decide, subtask`
	if text, err := Serialize(OutlineOf(Document{Steps: []Step{{ID: "1", Name: "n", Type: "a b"}}})); text != "" || err == nil || err.Error() != want {
		t.Errorf("%q, %v", text, err)
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
		{Step{Description: "[act] a"}, `[] [act] a`},
		{Step{Description: "see [act] a", Status: "done"}, `[x] [] see [act] a`},
		{Step{Type: "?", Name: "n"}, `n [?]`},
		{Step{Type: Act, Name: "[x]|→"}, `\[x]\|\→ [act]`},
		{Step{Name: "n", Description: "a"}, `n [] a`},
		{Step{}, "[]"},
	}
	for _, c := range cases {
		c.step.ID = "1"
		equal(t, c.step.Description, summary(OutlineOf(Document{Steps: []Step{c.step}}).Items[0]), c.want)
	}
	s := Step{ID: "1", Inputs: []string{"a", "←b"}, Detail: []string{"← a", ` ← a`, `\← a`, "a ← b", "> a", `\a`}}
	equal(t, "body", written(t, OutlineOf(Document{Steps: []Step{s}})), "## Steps\n1. []\n  > ← a, ←b\n  > \\← a\n  >  ← a\n  > \\\\← a\n  > a ← b\n  > > a\n  > \\a\n")
}
