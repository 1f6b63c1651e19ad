package planspec

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
)

func TestValidate(t *testing.T) {
	cases := []struct{ text, want string }{
		{"Goal: g\n1. [act] a", ""},
		{"", "plan has no steps\nplan has no goal"},
		{"Goal: g\n1. foo [LLM] a", "step 1 (foo): invalid type 'LLM'"},
		{"Goal: g\n1. a", "step 1: invalid type ''"},
		{"Goal: g\n1. analyze [act] a\n2. bar [subtask] b\n2.1. analyze [act] c\n2.2. analyze [act] d",
			"step 2.1 (analyze): duplicate name, first seen at step 1\nstep 2.2 (analyze): duplicate name, first seen at step 1"},
		{"Goal: g\n1. foo [reason] a\n1.1. [act] b\n1.1.1. [act] c", "step 1 (foo): type 'reason' cannot have children\nstep 1.1: type 'act' cannot have children"},
		{"1. [act] a", "plan has no goal"},
		{"Goal: g\n1. foo [subtask] a\n2. [decide] b", "warn: step 1 (foo): type 'subtask' has no children\nwarn: step 2: type 'decide' has no children"},
	}
	for _, c := range cases {
		found := Validate(parse(t, c.text))
		equal(t, c.text, strings.Join(messages(found), "\n"), c.want)
		for _, d := range found {
			if d.Hint == "" || d.Rule == "" || !d.Pos.IsValid() {
				t.Errorf("%v has no hint, rule or place", d)
			}
			if (d.Severity == diag.Warning) != (d.Rule == RuleChildren) {
				t.Errorf("%v has the wrong severity", d)
			}
		}
	}
}

// messages gives findings as lines of text, warnings with "warn: " before
// them.
func messages(found []diag.Diagnostic) []string {
	var out []string
	for _, d := range found {
		if d.Severity == diag.Warning {
			d.Message = "warn: " + d.Message
		}
		out = append(out, d.Message)
	}
	return out
}
