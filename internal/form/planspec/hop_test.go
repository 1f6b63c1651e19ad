package planspec

import (
	"strconv"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
)

// hop writes the steps of a HopSpec.
func hop(t testing.TB, p *form.Outline) (text, lost string) {
	t.Helper()
	data, dropped, err := WriteHop(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), strings.Join(dropped, ", ")
}

func TestWriteHop(t *testing.T) {
	p := parse(t, fixture(t, "hop.md"))
	text, lost := hop(t, p)
	equal(t, "steps", text, fixture(t, "hop.json"))
	equal(t, "dropped", lost, "title, goal, status, result, progress, detail")

	q, dropped, found := ReadHop(fixture(t, "hop.json"))
	equal(t, "findings", told(found), "")
	equal(t, "dropped", strings.Join(dropped, ", "), "")
	equal(t, "back", written(t, q), `## Steps
1. [reason] think → idea
2. make [subtask] build → thing
  > ← idea
  2.1. [act] forge → part
  2.2. [decide] is it "good" & <whole>?
    2.2.1. [act] keep
`)
	text, lost = hop(t, OutlineOf(Document{Constraints: []string{"c"}}))
	equal(t, "empty", text, "[\n  {\n    \"step_name\": \"exit\",\n    \"step_type\": \"flow\",\n    \"description\": \"EXIT_OK\"\n  }\n]\n")
	equal(t, "dropped", lost, "constraints")
	for text, want := range map[string]string{"1. [act] a\n3. [act] b\n": "goal, gaps between numbers", "1. [subtask] a\n  1.2. [act] b\n": "goal, gaps between numbers", "1. [act] a\n2. [act] b\n": "goal"} {
		if _, lost := hop(t, parse(t, "Goal: g\n## Steps\n"+text)); lost != want {
			t.Errorf("of %q is lost %q", text, lost)
		}
	}
}

func TestWriteHopErrors(t *testing.T) {
	for text, want := range map[string]string{
		"1. [LLM] a":                    "step 1: invalid type 'LLM'",
		"1. [act] a\n2. step_1 [act] b": "step 2 (step_1): its name in a HopSpec would be 'step_1', as that of step 1: give one of them another name",
		"1. exit [act] a":               "step 1 (exit): its name in a HopSpec would be 'exit', as that of the step that ends a HopSpec: give one of them another name",
	} {
		_, _, err := WriteHop(parse(t, text))
		if _, ok := err.(*StepError); !ok {
			t.Errorf("%s: %v", text, err)
			continue
		}
		equal(t, text, err.Error(), want)
	}
}

func TestReadHop(t *testing.T) {
	cases := []struct{ json, want, lost string }{
		{`{"step_type":"LLM","task":"a","verifier":"v","return_format":"r"}`, "1. [reason] a\n", "verifier, return_format"},
		{`{"step_type":"LLM","description":"a"}`, "1. [reason] a\n", ""},
		{`{"step_type":"LLM","task":"a","description":"b\n\n c "}`, "1. [reason] a\n  > b\n  > c\n", ""},
		{`{"step_type":"LLM","task":" a\nb"}`, "1. [reason] a\n  > b\n", ""},
		{`{"step_type":"code","task":"a"}`, "1. [act] a\n", ""},
		{`{"step_type":"call","task":"a","call_target":"f"}`, "1. [act] a\n", "call_target"},
		{`{"step_type":"branch","condition":"c?","description":"d"}`, "1. [decide] c?\n  > d\n", ""},
		{`{"step_type":"loop","collection":"items","element":"x"}`, "1. [subtask] for each x in items\n", ""},
		{`{"step_type":"loop","collection":"items"}`, "1. [subtask] for each item in items\n", ""},
		{`{"step_type":"loop","condition":"gini < 0.4"}`, "1. [subtask] while gini < 0.4\n", ""},
		{`{"step_type":"loop","collection":"c","element":"e","condition":"ok","description":"d"}`, "1. [subtask] for each e in c while ok\n  > d\n", ""},
		{`{"step_type":"loop","task":"again"}`, "1. [subtask] again\n", ""},
		{`{"step_type":"subtask","description":"a","expand_mode":"dynamic"}`, "1. [subtask] a\n", "expand_mode"},
		{`{"step_type":"subtask","collection":"c","condition":"d"}`, "1. [subtask] d\n  > for each item in c\n", ""},
		{`{"step_type":"flow","description":"CONTINUE"},{"step_name":"step_2","step_type":"code"},{"step_name":"step_x","step_type":"code"}`,
			"1. [act]\n2. step_x [act]\n", "flow steps"},
		{`{"step_type":"flow","description":"EXIT_OK"}`, "", ""},
		{`{"step_type":"code","children":[{"step_type":"flow","description":"EXIT_OK"}]}`, "1. [act]\n", "flow steps"},
		{`{"step_type":"code","inputs":["a"],"outputs":["b","c"]}`, "1. [act] → b, c\n  > ← a\n", ""},
	}
	for _, c := range cases {
		p, lost, found := ReadHop("[" + c.json + "]")
		equal(t, c.json, told(found), "")
		equal(t, c.json, strings.TrimPrefix(written(t, p), "## Steps\n"), c.want)
		equal(t, c.json, strings.Join(lost, ", "), c.lost)
	}
}

func TestReadHopFindings(t *testing.T) {
	cases := []struct{ text, want string }{
		{`{}`, "1:1: error: this is no HopSpec, which is a list of steps"},
		{`[`, "1:2: error: bad JSON: the file ends too early"},
		{`[{"step_type":"act"}]`, `1:2: error: unknown step_type "act"`},
		{`[{}, 3]`, "1:2: error: unknown step_type \"\"\n1:6: error: this is no object"},
		{`[{"step_type":"code","retries":3,"inputs":"a"}]`, "1:22: warning: the key \"retries\" is not known\n1:43: error: this is no list"},
		{"[{\"step_type\":\"code\",\n\"children\":[{\"task\":1,\n\n \"step_type\":\"x\"}]}]", "2:21: error: this is no string\n2:13: error: unknown step_type \"x\""},
	}
	for _, c := range cases {
		_, _, found := ReadHop(c.text)
		equal(t, c.text, told(found), c.want)
	}
}

// A plan that a HopSpec can hold comes back, but for what is dropped.
func TestHopRoundTrip(t *testing.T) {
	g := newGenerator(5)
	for range 1_000 {
		p := OutlineOf(Document{Title: g.text(), Steps: fit(g.steps("", 3), "", g)})
		text, lost := hop(t, p)
		q, dropped, found := ReadHop(text)
		q.Plan = p.Plan
		if len(found)+len(dropped) > 0 || lost != "" && lost != "title" || !Equal(p, q) {
			t.Fatalf("%s\ncomes back, with %v, without %s, as\n%s", written(t, p), found, lost, written(t, q))
		}
	}
}

// fit takes from generated steps what a HopSpec cannot hold.
func fit(steps []Step, parent string, g generator) []Step {
	for i, s := range steps {
		id := form.Below(parent, i+1)
		steps[i] = Step{ID: id, Name: s.Name, Type: g.pick(Types()...), Description: s.Description, Inputs: s.Inputs, Outputs: s.Outputs, Children: fit(s.Children, id, g)}
		if s.Name != "" {
			steps[i].Name += strconv.Itoa(g.IntN(1 << 40)) // unique
		}
	}
	return steps
}
