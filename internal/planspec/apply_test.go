package planspec

import (
	"strings"
	"testing"
)

const workPlan = `Goal: g
## Steps
1. [x] [act] a → x | made
  > ← i
  > d
2. [>] foo [subtask] b
  2.1. [act] c
  2.2. [subtask] d
    2.2.1. [act] e
3. [decide] f
`

func TestApply(t *testing.T) {
	swap := func(from ...string) string { return strings.NewReplacer(from...).Replace(workPlan) }
	cases := []struct{ text, want string }{
		{"DONE 2.1 | fine", swap("2.1. [act] c", "2.1. [x] [act] c | fine")},
		{"DONE 1", workPlan},
		{"DONE 1 | made again", swap("| made", "| made again")},
		{"BLOCKED 2.1 | no disk", swap("2.1. [act] c", "2.1. [!] [act] c | no disk")},
		{"SKIP 2 | not now", swap("2. [>] foo [subtask] b", "2. [~] foo [subtask] b | not now")},
		{"REPLAN 2 | too coarse", swap("2. [>] foo", "2. foo", "  2.1. [act] c\n  2.2. [subtask] d\n    2.2.1. [act] e\n", "")},
		{"REPLAN 2.2", swap("    2.2.1. [act] e\n", "")},
		{"REPLAN ALL", workPlan},
		{"REPLAN", workPlan},
		{"EXPAND 1", workPlan},
		{"COLLAPSE 2", workPlan},
		{"RENAME 1", workPlan},
		{"ADD 2.3 [act] n → y", swap("3. [decide]", "  2.3. [act] n → y\n3. [decide]")},
		{"ADD 2.1 [act] n", swap("2.2.1", "2.3.1", "2.2.", "2.3.", "  2.1. [act] c", "  2.1. [act] n\n  2.2. [act] c")},
		{"ADD 4 new [reason] n\n> ← j\n> more", workPlan + "4. new [reason] n\n  > ← j\n  > more\n"},
		{"ADD 3.1 [act] n", workPlan + "  3.1. [act] n\n"},
		{"ADD 3 [act] n", swap("3. [decide] f", "3. [act] n\n4. [decide] f")},
		{"ADD 4 [act] n\nADD 4 [act] m\nDONE 5", workPlan + "4. [act] m\n5. [x] [act] n\n"},
		{"REVISE 1 [reason] r", swap("[act] a → x", "[reason] r → x")},
		{"REVISE 1 [reason] r → y, z", swap("[act] a → x", "[reason] r → y, z")},
		{"REVISE 1 [act] a\n> e", swap("  > ← i\n  > d\n", "  > e\n")},
		{"REVISE 1 [act] a\n> ← k", swap("  > ← i\n  > d\n", "  > ← k\n")},
		{"REVISE 2 bar [decide] b", swap("foo [subtask]", "bar [decide]")},
		{"REVISE 2 [decide] b", swap("foo [subtask]", "foo [decide]")},
		{"REVISE 2 foo [decide] b", swap("foo [subtask]", "foo [decide]")},
	}
	for _, c := range cases {
		p := parse(t, workPlan)
		for _, o := range p.ApplyAll(commands(t, lead(c.text))) {
			if o.Err != nil || o.Result == Failed {
				t.Errorf("%s: %s, %v", c.text, o.Result, o.Err)
			}
		}
		equal(t, c.text, written(t, p), c.want)
		if text := written(t, p); !Equal(parse(t, text), p) {
			t.Errorf("%s: does not read back", c.text)
		}
	}
}

// lead makes commands of lines that do not begin with ">".
func lead(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, ">") {
			lines[i] = "PLAN_CMD: " + line
		}
	}
	return strings.Join(lines, "\n")
}

// A command that fails says why, and changes nothing.
func TestApplyErrors(t *testing.T) {
	cases := []struct{ line, want string }{
		{"DONE 9", "step 9 not found: use the number of a step of the plan"},
		{"BLOCKED 2.9 | r", "step 2.9 not found: use the number of a step of the plan"},
		{"EXPAND 1.1", "step 1.1 not found: use the number of a step of the plan"},
		{"COLLAPSE ALL", "step ALL not found: use the number of a step of the plan"},
		{"REPLAN 1", "step 1: type 'act' cannot have children"},
		{"REPLAN 7 | r", "step 7 not found: use the number of a step of the plan"},
		{"ADD 5 [act] n", "no step can be added at 5: the first place is 1, the last 4"},
		{"ADD 2.4 [act] n", "no step can be added at 2.4: the first place is 2.1, the last 2.3"},
		{"ADD 0 [act] n", "no step can be added at 0: the first place is 1, the last 4"},
		{"ADD 3.2 [act] n", "no step can be added at 3.2: the first place is 3.1, the last 3.1"},
		{"ADD 1.1 [act] n", "step 1: type 'act' cannot have children"},
		{"ADD 7.1 [act] n", "step 7 not found: use the number of a step of the plan"},
		{"ADD 4 [LLM] n", "step 4: invalid type 'LLM'; write one of [reason], [act], [decide], [subtask] before the description"},
		{"ADD 4 n", "step 4: invalid type ''; write one of [reason], [act], [decide], [subtask] before the description"},
		{"ADD 4 foo [act] n", "step 4 (foo): duplicate name, first seen at step 2"},
		{"ADD 4 [act] n | r", `ADD takes no result and no progress: write \| for a bar within the text`},
		{"REVISE 9 [act] n", "step 9 not found: use the number of a step of the plan"},
		{"REVISE 1 n", "step 1: invalid type ''; write one of [reason], [act], [decide], [subtask] before the description"},
		{"REVISE 2 [act] n", "step 2 (foo): type 'act' cannot have children"},
		{"REVISE 1 foo [act] n", "step 1 (foo): duplicate name, first seen at step 2"},
	}
	for _, c := range cases {
		p := parse(t, workPlan)
		outcome := p.ApplyAll(commands(t, lead(c.line)))[0]
		if _, ok := outcome.Err.(*StepError); !ok || outcome.Result != Failed {
			t.Errorf("%s: %s, %v", c.line, outcome.Result, outcome.Err)
			continue
		}
		equal(t, c.line, outcome.Err.Error(), c.want)
		equal(t, "plan after "+c.line, written(t, p), workPlan)
	}
	if result, err := parse(t, workPlan).Apply(Command{Op: "MOVE", StepID: "1"}); result != Failed || err == nil {
		t.Errorf("MOVE: %s, %v", result, err)
	}
}

// What came of each, also after one that failed; steps stay the same values.
func TestApplyAll(t *testing.T) {
	p := parse(t, workPlan)
	second, third := p.Find("2"), p.Find("3")
	var out []string
	for _, o := range p.ApplyAll(commands(t, lead("ADD 1 [act] n\nDONE 9\nREPLAN all\nREPLAN\nCOLLAPSE 4\nEXPAND 3\nHELP"))) {
		out = append(out, o.Command.Op+" "+string(o.Result))
	}
	equal(t, "outcomes", strings.Join(out, ", "), "ADD applied, DONE failed, REPLAN deferred, REPLAN skipped, COLLAPSE applied, EXPAND applied, HELP skipped")
	if p.Find("3") != second || p.Find("4") != third || third.Fold != Collapsed || second.Fold != Expanded {
		t.Error("steps were made anew, or not folded")
	}
}

// Where numbers have gaps, those before the new one stay.
func TestAddInGaps(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"ADD 2 [act] n", "1 2 5 9"},
		{"ADD 5 [act] n", "1 5 6 10"},
		{"ADD 10 [act] n", "1 5 9 10"},
		{"ADD 1 [act] n", "1 2 6 10"},
	} {
		p := parse(t, "1. [act] a\n5. [act] b\n9. [act] c")
		for _, o := range p.ApplyAll(commands(t, lead(c.line))) {
			if o.Err != nil {
				t.Error(o.Err)
			}
		}
		var ids []string
		p.Walk(func(s *Step) { ids = append(ids, s.ID) })
		equal(t, c.line, strings.Join(ids, " "), c.want)
	}
}
