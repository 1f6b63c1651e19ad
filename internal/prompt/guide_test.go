package prompt_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type exampleTask struct {
	Title        string   `json:"title"`
	Type         string   `json:"type"`
	Dependencies []int    `json:"dependencies"`
	Hints        []string `json:"context_hints"`
	Paths        []string `json:"relevant_file_paths"`
	Creates      []string `json:"creates"`
	Criteria     []string `json:"acceptance_criteria"`
}

// example gives the tasks of the guide's payload.
func example(t *testing.T) []exampleTask {
	t.Helper()
	_, after, _ := strings.Cut(prompt.Guide(), "```json\n")
	payload, _, ok := strings.Cut(after, "\n```")
	if !ok {
		t.Fatal("the guide has no payload")
	}
	var doc struct {
		Add    []exampleTask `json:"add_tasks"`
		Update []struct {
			ID     int
			Status string
			Result string
		} `json:"update_tasks"`
	}
	dec := json.NewDecoder(strings.NewReader(payload))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Update) != 1 || doc.Update[0].ID != 1 || doc.Update[0].Status != "DONE" {
		t.Errorf("the decomposition is not finished: %+v", doc.Update)
	}
	return doc.Add
}

// The example is a plan that the strict gate takes without a word, warnings
// included, in the project that the guide describes and no larger one.
func TestGuideExamplePasses(t *testing.T) {
	yaml := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	files := []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: Build the tags of spec.md\ngates: strict\n---\n\nTags.\n")}}
	for i, task := range example(t) {
		depends := []string{}
		for _, n := range task.Dependencies {
			depends = append(depends, fmt.Sprintf("t%d", n))
		}
		files = append(files, plan.File{Path: fmt.Sprintf("tasks/%02d-task.md", i+2), Data: fmt.Appendf(nil,
			"---\nid: t%d\ntitle: %s\ntype: %s\ndepends_on: %s\ncontext_hints: %s\nrelevant_file_paths: %s\ncreates: %s\nacceptance_criteria: %s\n---\n\n%s\n",
			i+2, yaml(task.Title), task.Type, yaml(depends), yaml(task.Hints), yaml(task.Paths), yaml(append([]string{}, task.Creates...)), yaml(task.Criteria), task.Title)})
	}
	p, found := plan.Read("tags", "", files)
	found = validate.Run(validate.Input{Plan: p, Found: found, Scope: validate.Whole, Exists: described}, validate.Gates{}, validate.ParseGate("strict"))
	for _, f := range diag.Lines(found) {
		t.Error(f)
	}
	if ready := p.Ready(); len(ready) != 2 {
		t.Errorf("%d tasks are ready at first, and the guide says two", len(ready))
	}
}

// described is the project as the guide describes it.
func described(path string) validate.Existence {
	_, text, _ := strings.Cut(prompt.Guide(), "A small note keeper")
	text, _, _ = strings.Cut(text, ":\n")
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		if m[1] == path {
			return validate.Yes
		}
	}
	return validate.No
}

// What the texts say of rules and words is so.
func TestTextsNameWhatThereIs(t *testing.T) {
	for _, word := range []string{"feature", "bugfix", "chore", "test", "docs", "refactor"} {
		for name, text := range map[string]string{"guide": prompt.Guide(), "constitution": prompt.Constitution()} {
			if !strings.Contains(text, "`"+word+"`") {
				t.Errorf("the %s does not name the type %s", name, word)
			}
		}
	}
	reasons := []string{"sync_instructions", "ready_for_task", "waiting_on_signal", "replan_required", "waiting_on_tasks", "plan_completed"}
	statuses := []string{"TODO", "IN_PROGRESS", "DONE", "CANCELLED", "BLOCKED", "FAILED", "SKIPPED"}
	for _, word := range slices.Concat(reasons, statuses) {
		if !strings.Contains(prompt.Constitution(), "`"+word+"`") {
			t.Errorf("the constitution does not name %s", word)
		}
	}
}
