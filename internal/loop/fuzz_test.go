package loop

import (
	"errors"
	"testing"
)

// FuzzDraft takes anything for the draft of a plan: it is refused with its
// faults, or a draft.
func FuzzDraft(f *testing.F) {
	for _, s := range []string{
		`{"add_tasks": [{"title": "A", "type": "feature", "dependencies": [2]}, {"title": "B"}], "reasoning": "r"}`, `{"add_tasks": [{"title": "\u0000\n", "x": 1}]}`, `{"add_tasks": {}}`, "[]", "{", `{"reasoning": 1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := ParseDraft(data); err != nil {
			var refused *Rejection
			if !errors.As(err, &refused) || len(refused.Faults) == 0 {
				t.Fatalf("%v", err)
			}
		}
	})
}
