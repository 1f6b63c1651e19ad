package rawko

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

func example(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, name, text string) *Plan {
	t.Helper()
	p, found := Parse(name, []byte(text))
	if p == nil {
		t.Fatalf("not read: %v\n%s", found, text)
	}
	return p
}

// ours reads the files as a plan that passes the gate.
func ours(t testing.TB, id string, files []plan.File) *plan.Plan {
	t.Helper()
	p, found := plan.Read(id, "", files)
	in := validate.Input{Plan: p, Found: found, Stored: true}
	for _, d := range validate.Run(in, validate.DefaultGates(), validate.Base) {
		if d.Severity.String() == "error" {
			for _, f := range files {
				t.Logf("-- %s --\n%s", f.Path, f.Data)
			}
			t.Fatalf("refused: %v", d)
		}
	}
	return p
}

// same compares what is written of two plans.
func same(a, b *Plan) bool { return string(a.JSON()) == string(b.JSON()) }

// The example of the form comes back byte for byte.
func TestExampleComesBack(t *testing.T) {
	text := string(example(t))
	p := parse(t, "plan.yaml", text)
	if got := string(p.YAML()); got != text {
		t.Fatalf("written anew it is\n%s", got)
	}
	if again := parse(t, "plan.json", string(p.JSON())); !same(p, again) {
		t.Errorf("as JSON it becomes\n%s", again.JSON())
	}
	files, losses := p.Files(nil)
	if len(losses) > 0 {
		t.Errorf("losses: %v", losses)
	}
	back, losses := FromPlan(ours(t, p.BaseID(), files), time.Date(2026, 1, 23, 10, 35, 0, 0, time.UTC))
	if len(losses) > 0 {
		t.Errorf("losses on the way back: %v", losses)
	}
	if got := string(back.YAML()); got != text {
		t.Errorf("through our files it becomes\n%s", got)
	}
}

// Every fault is told, each with its place.
func TestFaults(t *testing.T) {
	const good = "id: p\ntask: t\nstatus: draft\nversion: 1\ncurrentStepIndex: 0\ncreatedAt: 2026-01-23T10:00:00Z\nupdatedAt: 2026-01-23\ncreatedBy: me\nsteps:\n"
	for name, c := range map[string]struct{ file, text, want string }{
		"empty":       {"p.yaml", "", "p.yaml:1:1: error: the plan has no `id`"},
		"list":        {"p.yaml", "- a\n", "p.yaml:1:1: error: expected `key: value` lines [frontmatter]"},
		"unknown":     {"p.yaml", good + "  []\nstep: 1\n", "p.yaml:11:1: error: the plan has no key `step` (did you mean \"steps\"?) [unknown-field]"},
		"twice":       {"p.yaml", good + "  []\nid: q\n", "p.yaml:11:1: error: the key `id` is set twice [duplicate-field]"},
		"type":        {"p.yaml", good + "  - index: one\n    description: 5\n    status: done\n", "p.yaml:10:12: error: `index` must be an integer from 0, not `one` [frontmatter]\np.yaml:11:18: error: `description` must be a string, not an integer [frontmatter]\np.yaml:12:13: error: `status` cannot be `done`; it is one of pending, in_progress, complete, failed, skipped [status-value]"},
		"index":       {"p.yaml", good + "  - {index: 1, description: d, status: pending}\n", "p.yaml:10:13: error: `index` must be 0, the step's place in the list, not 1"},
		"needs":       {"p.yaml", good + "  - {index: 0, description: d, status: pending, dependsOn: [0, 1, x, 1.5]}\n", "p.yaml:10:61: error: step 0 waits for itself [depends-cycle]\np.yaml:10:64: error: dependsOn names no step 1 [depends-unknown]\np.yaml:10:67: error: `an item of dependsOn` must be the index of a step, not `x` [frontmatter]\np.yaml:10:70: error: `an item of dependsOn` must be the index of a step, not a number [frontmatter]"},
		"path":        {"p.yaml", good + "  - {index: 0, description: d, status: pending, affectedFiles: [../x]}\n", "p.yaml:10:65: error: the path `../x` in `affectedFiles` leaves the project (`..`) [path-escape]"},
		"time":        {"p.yaml", strings.Replace(good, "2026-01-23T10:00:00Z", "yesterday", 1) + "  []\n", "p.yaml:6:12: error: `createdAt`: \"yesterday\" is no RFC 3339 time"},
		"anchor":      {"p.yaml", good + "  []\nmetadata: &a {}\n", "p.yaml:11:11: error: a YAML anchor (`&`) [yaml-unsafe]"},
		"previous":    {"p.yaml", good + "  []\npreviousPlanId: q\n", "p.yaml:4:10: error: a plan with a `previousPlanId` is version 2 or later, not 1 [version]"},
		"current":     {"p.yaml", strings.Replace(good, "Index: 0", "Index: 1", 1) + "  []\n", "p.yaml:5:19: error: `currentStepIndex` is 1 and there are 0 steps"},
		"json":        {"p.json", "{\"id\": \"p\",\n \"id\": 1,}", "p.json:2:10: error: bad JSON: invalid character '}'"},
		"json short":  {"p.json", "{\"id\": ", "p.json:1:8: error: bad JSON: the file ends too early [frontmatter]"},
		"json twice":  {"p.json", "{\"id\": \"é\", \"id\": \"p\"}", "p.json:1:13: error: the key `id` is set twice [duplicate-field]"},
		"json array":  {"p.json", "[]", "p.json:1:1: error: expected an object, not a list [frontmatter]"},
		"json more":   {"p.json", "{} {}", "p.json:1:4: error: something follows the object [frontmatter]"},
		"json half":   {"p.json", `{"id": "\ud800"}`, "p.json:1:8: error: the text holds an escape that stands for no character [encoding]"},
		"json bell":   {"p.json", `{"id": "\u0007"}`, "p.json:1:8: error: `id`: the text holds what no plan file can: the control character U+0007; leave it out [encoding]"},
		"json latin":  {"p.json", "{\"id\": \"\xe9\"}", "p.json:1:9: error: the text is no valid UTF-8 [encoding]"},
		"json depth":  {"p.json", `{"id": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}", "p.json:1:24: error: nested deeper than 16 levels [limits]"},
		"json large":  {"p.json", "{" + strings.Repeat(" ", MaxFile), "over the limit of 524288 [limits]"},
		"items":       {"p.yaml", good + "  []\nmetadata: {tags: [" + strings.Repeat("a, ", maxItems+1) + "a]}\n", "more than 19800 items of lists [limits]"},
		"json items":  {"p.json", `{"steps": [` + strings.Repeat("1, ", maxItems) + "1]}", "more than 19800 items of lists [limits]"},
		"yaml large":  {"p.yaml", "id: " + strings.Repeat("a", MaxFile), "over the limit of 524288 [limits]"},
		"steps":       {"p.yaml", good + strings.Repeat("  - {index: 0, description: d, status: pending}\n", 100), "p.yaml:109:5: error: a plan holds at most 99 steps, not 100 [limits]"},
		"null":        {"p.yaml", good, "p.yaml:9:7: error: `steps` of the plan must be set [frontmatter]"},
		"blank title": {"p.yaml", good + "  - {index: 0, description: ' ', status: pending}\n", "p.yaml:10:29: error: `description` is empty [title-empty]"},
	} {
		t.Run(name, func(t *testing.T) {
			p, found := Parse(c.file, []byte(c.text))
			if p != nil {
				t.Fatal("it was read")
			}
			var lines []string
			for _, d := range found {
				lines = append(lines, d.String())
			}
			if got := strings.Join(lines, "\n"); !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// The example in its two notations, and what only looks like one of them.
func TestDetect(t *testing.T) {
	p := parse(t, "p.yaml", string(example(t)))
	for name, want := range map[string]bool{
		string(p.YAML()): true, string(p.JSON()): true, "": false, "tasks: []": false, "---\ntitle: x\n---\n": false, "{": false,
	} {
		if got := Detect("", []byte(name)); got != want {
			t.Errorf("Detect(%q) is %v", name, got)
		}
	}
}

// A version is known by the ids that a replan gives, chained ones too.
func TestBaseID(t *testing.T) {
	for _, c := range []struct {
		id, before string
		version    int
		want       string
	}{
		{"x", "", 1, "x"}, {"x-v2", "", 1, "x-v2"}, {"x-v2", "x", 2, "x"}, {"x-v3", "x-v2", 3, "x"}, {"x-v3", "x", 3, "x"},
		{"x-v2-v3", "x-v2", 3, "x"}, {"x-v2-v3-v4", "x-v2-v3", 4, "x"}, {"lib-v2-v2", "lib-v2", 2, "lib-v2"},
		{"lib-v2-v3", "lib-v2-v2", 3, "lib-v2"}, {"x-v5", "x-v2", 5, "x"}, {"y-v2", "x", 2, "y-v2"}, {"x", "y", 2, "x"}, {"x-v2", "", 2, "x-v2"},
	} {
		p := &Plan{ID: c.id, Version: c.version}
		if c.before != "" {
			p.PreviousPlanID = &c.before
		}
		if got := p.BaseID(); got != c.want {
			t.Errorf("%s after %q, version %d, is of plan %s, not %s", c.id, c.before, c.version, got, c.want)
		}
	}
}

// The keys are those of the form and no others.
func TestKeys(t *testing.T) {
	var doc map[string]any
	p := parse(t, "p.yaml", string(example(t)))
	if err := json.Unmarshal(p.JSON(), &doc); err != nil {
		t.Fatal(err)
	}
	step := doc["steps"].([]any)[2].(map[string]any)
	for _, key := range []string{"index", "description", "status", "suggestedAgent", "executedBy", "startedAt", "dependsOn", "instructions", "acceptanceCriteria"} {
		if _, ok := step[key]; !ok {
			t.Errorf("there is no %s", key)
		}
	}
	if len(step) != 9 || len(doc) != 10 {
		t.Errorf("step has %d keys, the plan %d", len(step), len(doc))
	}
	if !reflect.DeepEqual(p.CurrentTask(), CurrentTask{p.Task, p.ID, p.Status}) {
		t.Error("the current task is another")
	}
}
