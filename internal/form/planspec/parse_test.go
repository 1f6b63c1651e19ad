package planspec

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
)

// compact gives what a plan says in one line: only what is not empty.
func compact(t *testing.T, p *form.Outline) string {
	t.Helper()
	data := EncodeJSON(p)
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(trimmed(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func trimmed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if x = trimmed(x); x == nil || x == "" || x == "pending" || k == "done_count" && x == float64(0) {
				delete(v, k)
			} else {
				v[k] = x
			}
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		for i := range v {
			v[i] = trimmed(v[i])
		}
	}
	return v
}

// Each of these lines is step 1, without its number.
func TestParseSummary(t *testing.T) {
	cases := []struct{ line, want string }{
		{`[act] a b`, `{"description":"a b","step_type":"act"}`},
		{`[act]Text`, `{"description":"Text","step_type":"act"}`},
		{`[x][act]Text`, `{"description":"Text","status":"done","step_type":"act"}`},
		{`[ ] [act] a`, `{"description":"a","step_type":"act"}`},
		{`[>] [act] a`, `{"description":"a","status":"active","step_type":"act"}`},
		{`[!] [act] a`, `{"description":"a","status":"blocked","step_type":"act"}`},
		{`[~] [act] a`, `{"description":"a","status":"skipped","step_type":"act"}`},
		{`[X] [act] a`, `{"description":"a","status":"done","step_type":"act"}`},
		{`[act]`, `{"step_type":"act"}`},
		{``, `{}`},
		{`a b`, `{"description":"a b"}`},
		{`[x]`, `{"status":"done"}`},
		{`[x] 1a2b3c4d [act] a`, `{"description":"a","status":"done","step_name":"1a2b3c4d","step_type":"act"}`},
		{`name [] a`, `{"description":"a","step_name":"name"}`},
		{`two words [act] a`, `{"description":"two words [act] a"}`},
		{`First, [act] a`, `{"description":"First, [act] a"}`},
		{`[LLM] a`, `{"description":"a","step_type":"LLM"}`},
		{`[act] [reason] a`, `{"description":"[reason] a","step_type":"act"}`},
		{`[act] [x] a`, `{"description":"[x] a","step_type":"act"}`},
		{`[?] [act] a`, `{"description":"[act] a","step_type":"?"}`},
		{`[act a`, `{"description":"[act a"}`},
		// outputs
		{`[act] a → x`, `{"description":"a","outputs":["x"],"step_type":"act"}`},
		{`[act] a→x,y ,z`, `{"description":"a","outputs":["x","y","z"],"step_type":"act"}`},
		{`[act] → x`, `{"outputs":["x"],"step_type":"act"}`},
		{`[act] a → x y`, `{"description":"a → x y","step_type":"act"}`},
		{`[act] a → x, y z`, `{"description":"a → x, y z","step_type":"act"}`},
		{`[act] a → b → x`, `{"description":"a → b","outputs":["x"],"step_type":"act"}`},
		{`[act] a → x → b c`, `{"description":"a → x → b c","step_type":"act"}`},
		{`[act] a →`, `{"description":"a →","step_type":"act"}`},
		{`[act] a → ,`, `{"description":"a → ,","step_type":"act"}`},
		{`[act] a → x,`, `{"description":"a","outputs":["x"],"step_type":"act"}`},
		{`[act] a \→ x`, `{"description":"a → x","step_type":"act"}`},
		{`[act] a \\→ x`, `{"description":"a \\→ x","step_type":"act"}`},
		{`[act] a → x\→y`, `{"description":"a","outputs":["x→y"],"step_type":"act"}`},
		{`[act] a → x\|y`, `{"description":"a","outputs":["x|y"],"step_type":"act"}`},
		// results and progress
		{`[act] a | r`, `{"description":"a","result":"r","step_type":"act"}`},
		{`[act] a → x | r → s`, `{"description":"a","outputs":["x"],"result":"r → s","step_type":"act"}`},
		{`[act] a|r|s`, `{"description":"a","result":"r | s","step_type":"act"}`},
		{`[act] a | r | | s |`, `{"description":"a","result":"r | s","step_type":"act"}`},
		{`[act] a \| b | c`, `{"description":"a | b","result":"c","step_type":"act"}`},
		{`[act] a \\| b`, `{"description":"a \\| b","step_type":"act"}`},
		{`[act] a \ | b`, `{"description":"a \\","result":"b","step_type":"act"}`},
		{`[act] a | r\|s`, `{"description":"a","result":"r|s","step_type":"act"}`},
		{`[act] a | r \→ s`, `{"description":"a","result":"r \\→ s","step_type":"act"}`},
		{`[act] a | Progress: 3/5`, `{"description":"a","done_count":3,"step_type":"act","total_count":5}`},
		{`[act] a | Progress: 3`, `{"description":"a","done_count":3,"step_type":"act"}`},
		{`[act] a |Progress:0 / 5`, `{"description":"a","step_type":"act","total_count":5}`},
		{`[act] a | r | Progress: 3/5 | s`, `{"description":"a","done_count":3,"result":"r | s","step_type":"act","total_count":5}`},
		{`[act] a | \Progress: 3/5`, `{"description":"a","result":"Progress: 3/5","step_type":"act"}`},
		{`[act] a | \\Progress: 3`, `{"description":"a","result":"\\Progress: 3","step_type":"act"}`},
		{`[act] a | progress: 3`, `{"description":"a","result":"progress: 3","step_type":"act"}`},
		{`[act] Progress: 3`, `{"description":"Progress: 3","step_type":"act"}`},
		// brackets that are text
		{`\[x] a`, `{"description":"[x] a"}`},
		{`\[act] a`, `{"description":"[act] a"}`},
		{`\\[act] a`, `{"description":"\\[act] a"}`},
		{`[act] \[x] a`, `{"description":"[x] a","step_type":"act"}`},
		{`[] Read [docs] first`, `{"description":"Read [docs] first"}`},
		{`\[x]y [act] a`, `{"description":"a","step_name":"[x]y","step_type":"act"}`},
		{`[act] C:\dir \n`, `{"description":"C:\\dir \\n","step_type":"act"}`},
	}
	for _, c := range cases {
		p := parse(t, "1. "+c.line)
		want := strings.Replace(strings.Replace(`{"steps":[`+c.want+`]}`, `}]}`, `,"step_id":"1"}]}`, 1), `{,`, `{`, 1)
		equal(t, c.line, compact(t, p), reordered(t, want))
		if q := parse(t, written(t, p)); !Equal(p, q) {
			t.Errorf("%s: reads back as %s", c.line, compact(t, q))
		}
	}
}

// reordered puts the keys of JSON into the order in which compact has them.
func reordered(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestParseBody(t *testing.T) {
	cases := []struct{ body, want string }{
		{"> a", `"detail":["a"],`},
		{">a", `"detail":["a"],`},
		{">  a", `"detail":[" a"],`},
		{"    >    a  ", `"detail":["   a"],`},
		{">", `"detail":[""],`},
		{"> > a", `"detail":["\u003e a"],`},
		{">\ta", `"detail":["\ta"],`},
		{"> ← a, b", `"inputs":["a","b"],`},
		{">←a", `"inputs":["a"],`},
		{"> x\n> ← a\n\n> y\n> ← b", `"detail":["x","y"],"inputs":["a","b"],`},
		{">  ← a", `"detail":[" ← a"],`},
		{"> \\← a", `"detail":["← a"],`},
		{"> \\\\← a", `"detail":["\\← a"],`},
		{"> a ← b", `"detail":["a ← b"],`},
		{"> 2. [act] no step", `"detail":["2. [act] no step"],`},
	}
	for _, c := range cases {
		p := parse(t, "1. [act] a\n"+c.body)
		equal(t, c.body, compact(t, p), `{"steps":[{"description":"a",`+c.want+`"step_id":"1","step_type":"act"}]}`)
		if q := parse(t, written(t, p)); !Equal(p, q) {
			t.Errorf("%s: reads back as %s", c.body, compact(t, q))
		}
	}
}

func TestParseDocument(t *testing.T) {
	whole := `{"constraints":["c","d"],"goal":"g","goal_detail":["e","  f"],"steps":[{"description":"s","step_id":"1","step_type":"act"}],"title":"t"}`
	cases := []struct{ text, want string }{
		{"", `{}`},
		{" \n\t\r\n", `{}`},
		{"\ufeff# Plan: t\nGoal: g\n> e\n>   f\nConstraints:\n- c\n- d\n## Steps\n1. [act] s\n", whole},
		{"# Plan: t\r\nGoal: g\r\n> e\r\n>   f\r\nConstraints:\r\n- c\r\n- d\r\n## Steps\r\n1. [act] s\r\n", whole},
		{"# t\rGoal: g\r> e\r>   f\rConstraints:\r- c\r- d\r1. [act] s", whole},
		{"\n# t\n\n**Goal**: g\n\n> e\n>   f\n\n## Constraints\n\n- c\n- d\n\n## Steps:\n\n1. [act] s\n\n", whole},
		{"Constraints:\n- c\n- d\n# Plan: t\n**Goal:** g\n> e\n>   f\n1. [act] s", whole},
		{"# Planning: more\n**Constraints**:\n-\n- - x", `{"constraints":["","- x"],"title":"Planning: more"}`},
		{"# Plan:\nGoal:\n> only this", `{"goal_detail":["only this"]}`},
		{"Goal: Goal: x", `{"goal":"Goal: x"}`},
		// the tree comes from the numbers
		{"1. a\n2. b\n1.1. c\n   1.1.1. d\n 3. e", `{"steps":[{"children":[{"children":[{"description":"d","step_id":"1.1.1"}],` +
			`"description":"c","step_id":"1.1"}],"description":"a","step_id":"1"},{"description":"b","step_id":"2"},{"description":"e","step_id":"3"}]}`},
	}
	for _, c := range cases {
		p := parse(t, c.text)
		got := compact(t, p)
		if got == "null" {
			got = "{}"
		}
		equal(t, c.text, got, c.want)
		if q := parse(t, written(t, p)); !Equal(p, q) {
			t.Errorf("%q: reads back as %s", c.text, compact(t, q))
		}
	}
	equal(t, "the empty plan", written(t, &form.Outline{}), "")
}

func TestFindings(t *testing.T) {
	const noPart = "is no part of a PlanSpec"
	cases := []struct{ text, want string }{
		{"Dear all,\n\n  we met.", "1:1: error: \"Dear all,\" " + noPart + "\n3:3: error: \"we met.\" " + noPart},
		{"- a", "1:1: error: \"- a\" " + noPart},
		{"Constraints:\n- a\n* b", "3:1: error: \"* b\" " + noPart},
		{"## Goal", "1:1: error: \"## Goal\" " + noPart},
		{"# a\n# b", "2:1: error: a second title"},
		{"Goal: a\nGoal: b", "2:1: error: a second goal"},
		{"> a", `1:1: error: "> a" explains neither the goal nor a step`},
		{"Goal: g\nConstraints:\n  > a", `3:3: error: "> a" explains neither the goal nor a step`},
		{"## Steps\nthen\n1.1 a\n1.5GB\n- b\nGoal: x", "2:1: error: \"then\" is no step\n3:1: error: \"1.1 a\" is no step\n" +
			"4:1: error: \"1.5GB\" is no step\n5:1: error: \"- b\" is no step\n6:1: error: \"Goal: x\" is no step"},
		{"1. a\n.\n..\n.1. x\n1..1. x\n1.x", "2:1: error: \".\" is no step\n3:1: error: \"..\" is no step\n4:1: error: \".1. x\" is no step\n" +
			"5:1: error: \"1..1. x\" is no step\n6:1: error: \"1.x\" is no step"},
		{"1. a\n  2.1. b\n  2.1.1. c\n  3.1. d", "2:3: error: step 2.1 has no parent: no step 2 stands above it\n4:3: error: step 3.1 has no parent: no step 3 stands above it"},
		{"1.1. b\n1. a", "1:1: error: step 1.1 has no parent: no step 1 stands above it"},
		{"1. a\n2. b\n1. c\n> d\n1.1. e", "3:1: error: step 1 is there twice, first on line 1"},
		{"1. a\n01. b\n1.01. b\n9999999999. c", "2:1: error: \"01\" is no number of a step\n3:1: error: \"1.01\" is no number of a step\n4:1: error: \"9999999999\" is no number of a step"},
		{"1. [act] 中文 | r | Progress: 3/x", "1:19: error: progress is a count, N or N/M"},
		{"1. [act] a | Progress: soon", "1:14: error: progress is a count, N or N/M"},
		{"1. [act] a | Progress: -1", "1:14: error: progress is a count, N or N/M"},
		{"1. [act] a | Progress: 1 |  Progress: 2", "1:29: error: a second progress"},
		{"1. a\n  > ← the data, b", "2:3: warning: `←` is followed by text, not by names; the line is read as a detail"},
		{"1. a\n  > ←", "2:3: warning: `←` is followed by text, not by names; the line is read as a detail"},
		{"1. a\n2. é\xffb", "2:5: error: invalid UTF-8"},
		{"1. a" + strings.Repeat("\n", MaxLines) + "prose", "100001:1: error: the text has more than 100000 lines; the rest is not read"},
		{strings.Repeat("x", MaxText+1), "1:1: error: the text is 4194305 bytes, over the limit of 4194304"},
	}
	for _, c := range cases {
		p, found := Parse(c.text)
		equal(t, quoteShort(c.text), told(found), c.want)
		for _, d := range found {
			if d.Hint == "" || d.Rule == "" {
				t.Errorf("%v has no hint or rule", d)
			}
		}
		written(t, p)
	}
}

// As many names as a step may have are read as names, more as text.
func TestManyNames(t *testing.T) {
	names := "a" + strings.Repeat(",a", maxNames-1)
	p := parse(t, "1. [act] x → "+names+"\n> ← "+names)
	if s := p.Items[0]; len(s.List("inputs")) != maxNames || len(s.List("outputs")) != maxNames {
		t.Errorf("%d inputs, %d outputs", len(s.List("inputs")), len(s.List("outputs")))
	}
	p, found := Parse("1. [act] x → " + names + ",a\n> ← a\n> ← " + names)
	if s := p.Items[0]; len(s.List("inputs")) != 1 || len(s.List("outputs")) != 0 || len(Detail(s)) != 1 || len(found) != 1 {
		t.Errorf("%d inputs, %d outputs, %v", len(s.List("inputs")), len(s.List("outputs")), found)
	}
	if q := parse(t, written(t, p)); !Equal(p, q) {
		t.Error("many names read back otherwise")
	}
}

func TestHints(t *testing.T) {
	_, found := Parse("```\nConstraints:\n* c\n## Steps\n* s\n```")
	var hints []string
	for _, d := range found {
		hints = append(hints, d.Hint)
	}
	equal(t, "hints", strings.Join(hints, "\n"), "remove the fence: the text is the plan alone\nwrite each constraint as `- …`, and `## Steps` after the last\n"+
		"write a step as `1. [act] …`, and its details below it as `> …`\nremove the fence: the text is the plan alone")
}

// What was understood is there beside the findings.
func TestUnderstood(t *testing.T) {
	p, _ := Parse("1. a\n2. b | Progress: soon\n1. c\n> of c\n1.1. d\n> ← the data\n3.1. e")
	equal(t, "plan", written(t, p), "## Steps\n1. [] a\n  1.1. [] d\n    > \\← the data\n2. [] b | \\Progress: soon\n")
	p, found := Parse("1. a\xff\xfeb")
	equal(t, "plan", written(t, p), "## Steps\n1. [] a\ufffdb\n")
	if len(found) != 1 {
		t.Errorf("%v", found)
	}
	if p, found = Parse("1. a\n2. \ufffd\xff"); len(found) != 1 || found[0].Pos.Column != 5 {
		t.Errorf("%v %v", found, p)
	}
}

func TestRead(t *testing.T) {
	_, found := Read("a/plan.md", "1. [subtask] a\nprose")
	var out []string
	for _, d := range found {
		out = append(out, d.String())
	}
	equal(t, "findings", strings.Join(out, "\n"), `a/plan.md:1:1: warning: step 1: type 'subtask' has no children [planspec-children]
a/plan.md:1:1: error: plan has no goal [planspec-goal]
a/plan.md:2:1: error: "prose" is no step [planspec-syntax]`)
	if _, found = Read("p", strings.Repeat("x", MaxText+1)); len(found) != 1 {
		t.Errorf("%v", found)
	}
}
