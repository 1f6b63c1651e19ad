package planspec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
)

// show gives a command as the tests compare it: what is not empty.
func show(c Command) string {
	parts := []string{c.Pos.String(), c.Op, c.StepID}
	step := c.Step
	if step == nil {
		step = &form.Item{}
	}
	for _, f := range []struct {
		name  string
		value any
	}{{"name", step.Get("step_name")}, {"type", step.Get("kind")}, {"description", step.Title()}, {"inputs", step.List("inputs")}, {"outputs", step.List("outputs")},
		{"detail", Detail(step)}, {"body", c.HasBody}, {"result", c.Result}, {"skipped", c.Skipped}, {"fault", c.Fault}} {
		if s := fmt.Sprint(f.value); s != "" && s != "[]" && s != "false" {
			parts = append(parts, fmt.Sprintf("%s=%q", f.name, s))
		}
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

func commands(t testing.TB, text string) []Command {
	t.Helper()
	cmds, found := ParseCommands(text)
	if len(found) > 0 {
		t.Fatalf("%q: %v", quoteShort(text), found)
	}
	return cmds
}

func TestParseCommands(t *testing.T) {
	cmds := commands(t, fixture(t, "answer.txt"))
	var out []string
	for _, c := range cmds {
		out = append(out, show(c))
	}
	equal(t, "commands", strings.Join(out, "\n"), `3:1 ADD 2.3 type="reason" description="Verify cleaned data has no nulls and row count ≥ original 95%" inputs="[cleaned_data raw_data]" detail="[Check null rate < 0.1%, row retention rate >= 95%]" body="true"
10:1 REVISE 3.1 type="reason" description="Analyze feature correlation matrix, identify redundant features" inputs="[feature_matrix]" outputs="[feature_analysis]" detail="[Output redundant feature list and suggested removal reasons]" body="true"
15:1 REPLAN 4 result="Model iteration strategy ineffective, need to re-decompose sub-steps"
16:1 REPLAN ALL result="Goal understanding deviation, need to re-plan from scratch"
17:1 DONE 5.1 result="Gini=0.38, AUC=0.69"
18:1 BLOCKED 5.2 result="no data"
19:1 SKIP 5.3
20:1 EXPAND 4
21:1 COLLAPSE 3`)
}

func TestParseCommand(t *testing.T) {
	cases := []struct{ line, want string }{
		{"DONE 2.1", "DONE 2.1"},
		{"done 2.1. | a", `DONE 2.1 result="a"`},
		{"DONE 2.1|a|b", `DONE 2.1 result="a | b"`},
		{`DONE 1 | a\|b | | Progress: 3/5`, `DONE 1 result="a|b | Progress: 3/5"`},
		{"DONE 1 all well", `DONE 1 fault="DONE is followed by \"all well\": write ` + "`DONE <step> | <text>`" + `"`},
		{"DONE", `DONE  fault="DONE names no step: write its number, such as 2.1"`},
		{"DONE | a", `DONE  result="a" fault="DONE names no step: write its number, such as 2.1"`},
		{"SKIP the rest", `SKIP the fault="SKIP is followed by \"rest\": write ` + "`SKIP <step> | <text>`" + `"`},
		{"SKIP x", `SKIP x fault="SKIP names no step, but \"x\": write its number, such as 2.1"`},
		{"REPLAN", `REPLAN  skipped="it names neither a step nor ALL"`},
		{"REPLAN | all wrong", `REPLAN  skipped="it names neither a step nor ALL"`},
		{"REPLAN everything", `REPLAN  skipped="it names neither a step nor ALL"`},
		{"REPLAN all", `REPLAN ALL`},
		{"REPLAN All | a", `REPLAN ALL result="a"`},
		{"REPLAN ALL of it", `REPLAN ALL fault="REPLAN is followed by \"of it\": write ` + "`REPLAN <step> | <text>`" + `"`},
		{"REPLAN 4", `REPLAN 4`},
		{"DELETE 4", `DELETE  skipped="unknown operation \"DELETE\""`},
		{"", `  skipped="unknown operation \"\""`},
		{"ADD 1 [act] a", `ADD 1 type="act" description="a"`},
		{"ADD 1 n [act] a → x, y", `ADD 1 name="n" type="act" description="a" outputs="[x y]"`},
		{"ADD 1 [ ] [act]a", `ADD 1 type="act" description="a"`},
		{"ADD 1 a", `ADD 1 description="a"`},
		{"ADD 1", `ADD 1`},
		{"ADD [act] a", `ADD [act] description="a" fault="ADD names no step, but \"[act]\": write its number, such as 2.1"`},
		{"ADD 1 [x] [act] a", `ADD 1 type="act" description="a" fault="ADD takes no status [x]: use DONE, BLOCKED or SKIP"`},
		{"REVISE 1 [act] a | b", `REVISE 1 type="act" description="a" fault="REVISE takes no result and no progress: write \\| for a bar within the text"`},
		{`REVISE 1 [act] a \| b`, `REVISE 1 type="act" description="a | b"`},
		{"ADD 1 [act] \xff", `ADD  fault="the command is no UTF-8: write it anew"`},
	}
	for _, c := range cases {
		cmds := commands(t, "PLAN_CMD: "+c.line)
		if len(cmds) != 1 {
			t.Fatalf("%s: %d commands", c.line, len(cmds))
		}
		equal(t, c.line, strings.TrimPrefix(show(cmds[0]), "1:1 "), c.want)
	}
}

// What is a command and what is not, and what continues one.
func TestParseCommandsLines(t *testing.T) {
	cases := []struct{ text, want string }{
		{"", ""},
		{"I would send PLAN_CMD: DONE 1\n- PLAN_CMD: DONE 2\nplan_cmd: DONE 3\nPLAN_CMD DONE 4", ""},
		{"a\r\nPLAN_CMD:DONE 1\r\nb", "2:1 DONE 1"},
		{"  PLAN_CMD: DONE 1\n\tPLAN_CMD: DONE 2", ""},
		{"~~~~text\nPLAN_CMD: DONE 1\n```\n~~~\nPLAN_CMD: DONE 2\n~~~~\nPLAN_CMD: DONE 3\n```\nPLAN_CMD: DONE 4", "7:1 DONE 3"},
		{"PLAN_CMD: ADD 1 [act] a\n```\n> b\n```\n> c", `1:1 ADD 1 type="act" description="a"`},
		{"PLAN_CMD: DONE 1\n> not its", "1:1 DONE 1"},
		{"PLAN_CMD: ADD 1 [act] a\n\n> not its", `1:1 ADD 1 type="act" description="a"`},
		{"PLAN_CMD: ADD 1 [act] a\n> b\ntext\n> c", `1:1 ADD 1 type="act" description="a" detail="[b]" body="true"`},
		{"PLAN_CMD: ADD 1 [act] a\n  >   b\n>\n> ← x\nPLAN_CMD: SKIP 2", `1:1 ADD 1 type="act" description="a" inputs="[x]" detail="[  b ]" body="true"` + "\n5:1 SKIP 2"},
		{"PLAN_CMD: ADD 1 [act] a\n> \xff", `1:1 ADD 1 type="act" description="a" detail="[` + "\\xff" + `]" body="true" fault="the command's detail is no UTF-8: write it anew"`},
	}
	for _, c := range cases {
		var out []string
		for _, cmd := range commands(t, c.text) {
			out = append(out, show(cmd))
		}
		equal(t, c.text, strings.Join(out, "\n"), c.want)
	}
}

func TestCommandLimits(t *testing.T) {
	cmds, found := ParseCommands(strings.Repeat("PLAN_CMD: DONE 1\n", MaxCommands+5))
	equal(t, "findings", told(found), "1001:1: error: more than 1000 commands")
	if len(cmds) != MaxCommands {
		t.Errorf("%d commands", len(cmds))
	}
	cmds, found = ParseCommands(strings.Repeat("x", MaxText+1))
	equal(t, "findings", told(found), "1:1: error: the text is 4194305 bytes, over the limit of 4194304")
	if len(cmds) > 0 {
		t.Errorf("%d commands", len(cmds))
	}
}
