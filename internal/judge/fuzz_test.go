package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/judge"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/plan"
)

// Whatever a model answers, a verdict says something that can be shown and
// stored, and approves only where the word true says so.
func FuzzAsk(f *testing.F) {
	for _, seed := range []string{
		`{"is_approved": true, "feedback": "ok"}`, "so:\n```json\n{\"feedback\": \" no \", \"is_approved\": false}\n```",
		`{"is_approved": "true", "feedback": "x"}`, `{"is_approved":true,"is_approved":false,"feedback":"x"}`, "{\"feedback\":\"\u200b\",\"is_approved\":true}",
	} {
		f.Add(seed)
	}
	p, found := plan.Read("auth", "", []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: Auth\n---\nWhy.\n")}})
	if len(found) > 0 {
		f.Fatal(found)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		o, err := judge.Ask(t.Context(), &says{answer: answer}, p)
		var failed *llm.Error
		switch {
		case err != nil && (o.Approved || errors.As(err, &failed)):
			t.Fatalf("%+v, %v", o, err)
		case err == nil && (strings.TrimSpace(o.Feedback) == "" || plan.CheckText(o.Feedback) != nil):
			t.Fatalf("the verdict says %q", o.Feedback)
		case o.Approved && !strings.Contains(answer, "true"):
			t.Fatalf("%q approves", answer)
		}
	})
}
