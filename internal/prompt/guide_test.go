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
	_, after, _ := strings.Cut(prompt.Text("guide"), "```json\n")
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
	_, text, _ := strings.Cut(prompt.Text("guide"), "A small note keeper")
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
		for name, text := range map[string]string{"guide": prompt.Text("guide"), "constitution": prompt.Text("constitution")} {
			if !strings.Contains(text, "`"+word+"`") {
				t.Errorf("the %s does not name the type %s", name, word)
			}
		}
	}
	reasons := []string{"sync_instructions", "ready_for_task", "waiting_on_signal", "replan_required", "waiting_on_tasks", "plan_completed"}
	statuses := []string{"TODO", "IN_PROGRESS", "DONE", "CANCELLED", "BLOCKED", "FAILED", "SKIPPED"}
	for _, word := range slices.Concat(reasons, statuses) {
		if !strings.Contains(prompt.Text("constitution"), "`"+word+"`") {
			t.Errorf("the constitution does not name %s", word)
		}
	}
}

// The overseer's example passes the strict gate as it stands, in a project that
// has the files it names, and each way of being refused that it tells of is one.
func TestOverseerExamplePasses(t *testing.T) {
	files := overseerExample(t)
	for _, f := range diag.Lines(strictly(t, files)) {
		t.Error(f)
	}
	if want := []string{"plan.md", "tasks/01-check-tags.md"}; files[0].Path != want[0] || files[1].Path != want[1] {
		t.Errorf("the examples are %s and %s", files[0].Path, files[1].Path)
	}
	edited := func(i int, old, text string) []plan.File {
		out := slices.Clone(files)
		if !strings.Contains(string(out[i].Data), old) {
			t.Fatalf("the example has no %q", old)
		}
		out[i].Data = []byte(strings.Replace(string(out[i].Data), old, text, 1))
		return out
	}
	named := func(name string) []plan.File {
		return append(slices.Clone(files), plan.File{Path: name, Data: []byte(strings.Replace(string(files[1].Data), "check-tags", "other", 1))})
	}
	for rule, broken := range map[string][]plan.File{
		"plan-missing":    files[1:],
		"title-empty":     edited(0, "Notes carry tags", `""`),
		"frontmatter":     edited(1, "---\nid", "id"),
		"filename":        named("tasks/2-Other.md"),
		"sort-index":      named("tasks/01-other.md"),
		"id-format":       edited(1, "id: check-tags", "id: Check_Tags"),
		"id-duplicate":    append(slices.Clone(files), plan.File{Path: "tasks/02-again.md", Data: files[1].Data}),
		"depends-unknown": edited(1, "depends_on: []", "depends_on: [x]"),
		"depends-cycle":   edited(1, "depends_on: []", "depends_on: [check-tags]"),
		"unknown-field":   edited(1, "type:", "kinds: x\ntype:"),
		"path-escape":     edited(1, "spec.md, tests", "../spec.md, tests"),
		"path-exists":     edited(1, "spec.md, tests", "nothing.md, tests"),
		"hint-path":       edited(1, "`spec.md`", "`nothing.md`"),
		"type-missing":    edited(1, "type: feature\n", ""),
		"hints-missing":   edited(1, "context_hints:\n  - Read section 1 of `spec.md` for what a tag may hold.\n", ""),
		"paths-missing":   edited(1, "[spec.md, tests/test_store.py]", "[]"),
	} {
		if !slices.ContainsFunc(strictly(t, broken), func(d diag.Diagnostic) bool { return d.Rule == rule && d.Severity == diag.Error }) {
			t.Errorf("%s is not reported", rule)
		}
	}
	body := edited(1, "Add a function", "")
	body[1].Data = []byte(strings.Split(string(body[1].Data), "\n---\n")[0] + "\n---\n")
	if found := strictly(t, body); len(found) != 1 || found[0].Rule != "body-empty" {
		t.Errorf("a task without text: %v", diag.Lines(found))
	}
	if found := strictly(t, edited(1, "type:", "x-mine: y\ntype:")); len(found) != 0 {
		t.Errorf("a field of one's own: %v", diag.Lines(found))
	}
}

// overseerExample gives the files that the overseer's prompt shows.
func overseerExample(t *testing.T) []plan.File {
	t.Helper()
	var files []plan.File
	for _, m := range regexp.MustCompile("(?s)`([a-z0-9/.-]+)`:\n\n```markdown\n(.*?)```").FindAllStringSubmatch(prompt.Text("overseer"), -1) {
		files = append(files, plan.File{Path: m[1], Data: []byte(m[2])})
	}
	if len(files) != 2 {
		t.Fatalf("the prompt shows %d files", len(files))
	}
	return files
}

func strictly(t *testing.T, files []plan.File) []diag.Diagnostic {
	t.Helper()
	p, found := plan.Read("tags", "", files)
	return validate.Run(validate.Input{Plan: p, Found: found, Scope: validate.Whole, Exists: described}, validate.Gates{}, validate.ParseGate("strict"))
}
