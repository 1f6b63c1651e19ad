package planner_test

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/plan"
)

// sample gives the example of an answer that a prompt shows, as the object in an
// answer.
func sample(t *testing.T, text string) []byte {
	t.Helper()
	_, after, found := strings.Cut(text, "## Your answer\n")
	object, prose, err := llm.JSON(after)
	if !found || err != nil || prose == "" {
		t.Fatalf("the prompt shows no answer: %v", err)
	}
	return object
}

// The strict readers take the examples that the prompts show; that these pass
// the gate is tested beside the prompts, and end to end in scripts.
func TestReadersTakeTheSamples(t *testing.T) {
	if _, err := loop.ParseDraft(sample(t, prompt.Text("decompose"))); err != nil {
		t.Errorf("decompose: %v", err)
	}
	now, found := plan.Read("tags", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Tags\n---\n\nTags.\n")},
		{Path: "tasks/01-check-tags.md", Data: []byte("---\nid: check-tags\ntitle: Check the form of a tag\nstatus: done\n---\n\nCheck.\n")},
		{Path: "tasks/02-accept-tag.md", Data: []byte("---\nid: accept-tag\nstatus: failed\n---\n\nAccept.\n")},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	v, err := planner.ReadNext(sample(t, prompt.Text("replan")), now)
	if err != nil || len(v.Faults) > 0 {
		t.Fatalf("replan: %v %q", err, v.Faults)
	}
	if made, _ := plan.Read("tags", "", v.Files(now)); len(planner.Dropped(now, made)) > 0 || made.Task("check-tags") == nil {
		t.Error("the sample of replan keeps nothing")
	}
	if s, err := planner.ReadSuggestions(sample(t, prompt.Text("suggest"))); err != nil || len(s) == 0 {
		t.Errorf("suggest: %v", err)
	}
}

// The prompts offer all that the readers take of a task, and nothing else.
func TestPromptsOfferTheKeys(t *testing.T) {
	for _, key := range []string{"title", "type", "dependencies", "context_hints", "relevant_file_paths", "creates", "description", "acceptance_criteria", "agent", "priority"} {
		for name, text := range map[string]string{"decompose": prompt.Text("decompose"), "replan": prompt.Text("replan")} {
			_, answer, _ := strings.Cut(text, "## Your answer\n")
			if !strings.Contains(answer, "`"+key+"`") {
				t.Errorf("%s does not offer %s", name, key)
			}
		}
		if _, err := loop.ParseDraft([]byte(`{"add_tasks": [{"title": "A", "` + key + `": null}]}`)); err == nil || strings.Contains(err.Error(), "no key") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
