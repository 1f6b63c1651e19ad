package planner_test

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/plan"
)

// Whatever a model answers to `replan`, it is refused in words, or it makes files
// that lie where those of a plan do.
func FuzzReadNext(f *testing.F) {
	for _, seed := range []string{
		next(`{"id": 1, "ref": "schema", "title": "Create the schema"}, {"id": "1.1", "title": "x", "dependencies": [1, "schema"]}`),
		next(`{"id": 1, "ref": "schema", "title": "../x", "creates": ["/etc/x"], "description": "---\n---"}`), next(`{"id": 1e99}`), next(`null`),
		`{"plan": [], "changes": [], "reasoning": 1}`,
	} {
		f.Add(seed)
	}
	now := failed(f)
	f.Fuzz(func(t *testing.T, answer string) {
		object, _, err := llm.JSON(answer)
		if err != nil {
			return
		}
		v, err := planner.ReadNext(object, now)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("no reason")
			}
			return
		}
		for _, file := range v.Files(now) {
			if plan.CheckPath(file.Path) != "" {
				t.Fatalf("a file %q", file.Path)
			}
		}
		if plan.CheckText(planner.Reasons(v.Changes+v.Reasoning)) != nil {
			t.Fatalf("%q cannot be stored", v.Changes+v.Reasoning)
		}
	})
}

// Whatever a model answers to `suggest`, what is taken has a title, a type and a
// path that may be in a project.
func FuzzReadSuggestions(f *testing.F) {
	for _, seed := range []string{
		`{"suggestions": [{"title": "x", "type": "bugfix", "path": "a.go", "line": 3, "reason": "r"}]}`,
		`{"suggestions": [{"title": "x", "type": "bugfix", "path": "../a.go", "line": -3, "reason": "r"}]}`, `{"suggestions": []}`, `{"suggestions": null}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		object, _, err := llm.JSON(answer)
		if err != nil {
			return
		}
		found, err := planner.ReadSuggestions(object)
		if err != nil {
			return
		}
		for _, s := range found {
			if strings.TrimSpace(s.Title) == "" || s.Type == "" || s.Path == "" || s.Line < 0 || plan.CheckPath(s.Path) != "" || plan.CheckText(s.Title+s.Reason) != nil {
				t.Fatalf("%+v", s)
			}
		}
	})
}
