package prompt_test

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// A model is told the rules by which its answer will be judged: what a store has
// raised is an error there, too, and what it has turned off is not asked.
func TestRulesUnderTheStoresGates(t *testing.T) {
	law := prompt.Law{Gates: validate.DefaultGates(), Gate: validate.Strict}
	if prompt.TextUnder("decompose", law) != prompt.Text("decompose") || prompt.TextUnder("replan", law) != prompt.Text("replan") {
		t.Error("a store that has set nothing has rules of its own")
	}
	law.Gates.Rules = map[string]diag.Severity{"title-vague": diag.Error, "hint-actionable": diag.Off, "overlap": diag.Warning}
	for name, text := range map[string]string{"decompose": prompt.TextUnder("decompose", law), "replan": prompt.TextUnder("replan", law)} {
		for _, line := range []string{"\n- error `title-vague`: ", "\n- warning `overlap`: ", "\n- error `hints-missing`: "} {
			if strings.Count(text, line) != 1 {
				t.Errorf("%s does not say %q", name, line)
			}
		}
		if strings.Contains(text, "`hint-actionable`") {
			t.Errorf("%s asks for what is off", name)
		}
	}
	law.Gate = validate.Base
	if text := prompt.TextUnder("replan", law); strings.Contains(text, "`type-missing`") || !strings.Contains(text, "\n- warning `path-exists`: ") {
		t.Error("a plan under the base gate is told the rules of the strict one")
	}
	law.Gates.Gate = validate.Strict
	if text := prompt.TextUnder("replan", law); !strings.Contains(text, "\n- error `type-missing`: ") {
		t.Error("a strict store is told the rules of the base gate")
	}
}
