package session

import (
	"context"
	"strings"
	"testing"
)

// Tool unit tests covering success paths.

func TestToolSuccessPaths(t *testing.T) {
	var s Session
	for _, c := range []struct{ tool, arguments, message, plan string }{
		{ToolSetup, `{"objective":" Ship it\n","initial_steps":[{"title":"\tBuild ","details":" with care\r\n"},{"title":"Test","details":null}]}`,
			"The plan is set up, with steps S001 to S002.",
			"null"},
		{ToolAdd, `{"steps":[{"title":"Tag"}]}`,
			"Added step S003; the plan is active, with 0 of 3 steps done.", "null"},
		{ToolUpdate, `{"step_id":" S003 ","title":"Tag it","details":"v1"}`,
			"Updated S003.", "null"},
		{ToolMark, `{"step_id":"S001","status":"done","note":" took long "}`,
			"S001 is done; the plan is active, with 1 of 3 steps done.", "null"},
		{ToolRead, ``, "The plan is active, with 1 of 3 steps done.",
			`{"objective":"Ship it","status":"active","steps":[` +
				`{"step_id":"S001","title":"Build","details":"with care","status":"done","notes":["took long"]},` +
				`{"step_id":"S002","title":"Test","details":null,"status":"pending","notes":[]},` +
				`{"step_id":"S003","title":"Tag it","details":"v1","status":"pending","notes":[]}]}`},
		{ToolClear, `{}`, "The plan is abandoned, and its steps are gone.", "null"},
		{ToolRead, `null`, "The plan is abandoned, with 0 of 0 steps done.", `{"objective":"Ship it","status":"abandoned","steps":[]}`},
		{ToolSetup, `{"objective":"Again"}`, "The plan is set up, without steps: add some with planning_add_step.", "null"},
	} {
		r := call(t, &s, c.tool, c.arguments)
		equal(t, c.tool, r.Message, c.message)
		equal(t, c.tool, says(r.Plan), c.plan)
	}
}

// Tool unit tests covering validation errors.

func TestToolValidationErrorsOfForm(t *testing.T) {
	s := planned(t, 2)
	for _, c := range []struct{ tool, arguments, want string }{
		{ToolSetup, `{"objective":`, "the arguments are no JSON: send one object"},
		{ToolSetup, `{} {}`, "the arguments are no JSON: send one object"},
		{ToolSetup, strings.Repeat("[", 20_000), "the arguments are no JSON: send one object"},
		{ToolSetup, `{"objective":"o","initial_steps":[` + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + `]}`, "initial_steps[0]: not an object: send {...}"},
		{ToolSetup, `[]`, "not an object: send {...}"},
		{ToolSetup, `"x"`, "not an object: send {...}"},
		{ToolSetup, ``, "objective: missing: it is required"},
		{ToolSetup, `{"objective":null}`, "objective: missing: it is required"},
		{ToolSetup, `{"objective":7}`, "objective: not a text: send a string"},
		{ToolSetup, `{"Objective":"x"}`, "objective: missing: it is required; Objective: unknown: leave it out; what may stand here is initial_steps, objective"},
		{ToolSetup, `{"objective":"a","objective":"b"}`, "objective: given twice: give it once"},
		{ToolSetup, `{"objective":"a","initial_steps":{}}`, "initial_steps: not a list: send [...]"},
		{ToolSetup, `{"objective":"a","initial_steps":["b",{"titel":"c"},{"title":"","details":[]},null]}`,
			"initial_steps[0]: not an object: send {...}; initial_steps[1].title: missing: it is required; " +
				"initial_steps[1].titel: unknown: leave it out; what may stand here is details, title; " +
				"initial_steps[2].details: not a text: send a string; initial_steps[3]: not an object: send {...}; " +
				"initial_steps[2].title: empty: give 1 to 160 characters"},
		{ToolAdd, `{}`, "steps: missing: it is required"},
		{ToolUpdate, `{"title":"x"}`, "step_id: missing: it is required"},
		{ToolMark, `{"step_id":"S001"}`, "status: missing: it is required"},
		{ToolClear, `{"why":"x","\u00e9 ":1}`, `why: unknown: the tool takes no arguments; "\u00e9 ": unknown: the tool takes no arguments`},
		{ToolRead, `{"step_id":"S001"}`, "step_id: unknown: the tool takes no arguments"},
		{ToolSetup, `{"objective":"` + text(MaxArguments) + `"}`, "the arguments have 1048592 bytes, and at most 1048576 are read: send fewer steps at once"},
	} {
		refuses(t, s, c.tool, c.arguments, c.want)
	}
}

func TestToolValidationErrorsOfValues(t *testing.T) {
	s := planned(t, 2)
	for _, c := range []struct{ tool, arguments, want string }{
		{ToolSetup, `{"objective":" \t\r\n"}`, "objective: empty: give 1 to 240 characters"},
		{ToolAdd, `{"steps":[]}`, "steps: empty: give at least one step"},
		{ToolAdd, `{"steps":[{"title":" "}]}`, "steps[0].title: empty: give 1 to 160 characters"},
		{ToolUpdate, `{"step_id":"S001"}`, "nothing to update: give title, details or both"},
		{ToolUpdate, `{"step_id":"S001","title":null,"details":null}`, "nothing to update: give title, details or both"},
		{ToolUpdate, `{"step_id":"S001","title":""}`, "title: empty: give 1 to 160 characters"},
		{ToolUpdate, `{"step_id":"1","details":"x"}`, `step_id: "1" is no id of a step: give one of the form S001, as planning_read_plan shows them`},
		{ToolMark, `{"step_id":"S001","status":"DONE"}`, `status: "DONE" is none: give pending, in_progress, blocked or done`},
	} {
		refuses(t, s, c.tool, c.arguments, c.want)
	}
}

// All faults of an input come at once.
func TestToolValidationErrorsComeTogether(t *testing.T) {
	invalid := refuses(t, planned(t, 1), ToolMark, `{"step_id":"s1","status":"open","note":"\u00e9`+text(512)+`","x":1}`,
		"x: unknown: leave it out; what may stand here is note, status, step_id; "+
			`step_id: "s1" is no id of a step: give one of the form S001, as planning_read_plan shows them; `+
			`status: "open" is none: give pending, in_progress, blocked or done; `+
			"note: 513 characters, and at most 512 are allowed: shorten it; note: character 1 is U+00E9: use ASCII only")
	if len(invalid.Faults) != 5 || invalid.Cause != nil {
		t.Errorf("%+v", invalid)
	}
	many := `{"steps":[` + strings.Repeat(`{"title":""},`, 29) + `{"title":""}]}`
	_, err := planned(t, 1).Call(context.Background(), ToolAdd, []byte(many))
	if msg := err.Error(); !strings.HasSuffix(msg, "; and 10 more") || strings.Count(msg, "; ") != 20 {
		t.Error(msg)
	}
}

// What the plan does not allow is told from what is ill formed.
func TestToolValidationErrorsOfState(t *testing.T) {
	completed, abandoned := planned(t, 1), planned(t, 1)
	do(t, completed, Input{Tool: ToolMark, StepID: "S001", Status: Done})
	do(t, abandoned, Input{Tool: ToolClear})
	for _, c := range []struct {
		s                     *Session
		tool, arguments, want string
		cause                 error
	}{
		{new(Session), ToolAdd, `{"steps":[{"title":"x"}]}`, "there is no plan: begin one with planning_setup_plan", ErrNotFound},
		{new(Session), ToolUpdate, `{"step_id":"S001","title":"x"}`, "there is no plan: begin one with planning_setup_plan", ErrNotFound},
		{new(Session), ToolMark, `{"step_id":"S001","status":"done"}`, "there is no plan: begin one with planning_setup_plan", ErrNotFound},
		{new(Session), ToolClear, `{}`, "there is no plan: begin one with planning_setup_plan", ErrNotFound},
		{new(Session), ToolRead, `{}`, "there is no plan: begin one with planning_setup_plan", ErrNotFound},
		{completed, ToolAdd, `{"steps":[{"title":"x"}]}`, "the plan is completed, and steps join an active plan only: open a step again with planning_mark_step, or begin the next plan with planning_setup_plan", ErrNotActive},
		{abandoned, ToolAdd, `{"steps":[{"title":"x"}]}`, "the plan is abandoned, and steps join an active plan only: begin the next plan with planning_setup_plan", ErrNotActive},
		{abandoned, ToolMark, `{"step_id":"S001","status":"done"}`, "step_id: there is no step S001: the plan is abandoned and has no steps", ErrNotFound},
		{planned(t, 1), ToolMark, `{"step_id":"S002","status":"done"}`, "step_id: there is no step S002: the plan has step S001; planning_read_plan shows them", ErrNotFound},
		{planned(t, 3), ToolUpdate, `{"step_id":"S004","title":"x"}`, "step_id: there is no step S004: the plan has steps S001 to S003; planning_read_plan shows them", ErrNotFound},
		{new(Session), "planning_\u00e9", `{}`, `"planning_\u00e9": there is no such tool: the tools are planning_setup_plan, planning_add_step, planning_update_step, planning_mark_step, planning_clear_plan, planning_read_plan`, nil},
	} {
		if invalid := refuses(t, c.s, c.tool, c.arguments, c.want); invalid.Cause != c.cause {
			t.Errorf("%s: cause %v", c.tool, invalid.Cause)
		}
	}
}

// Lengths count after trimming, and the borders are exact.
func TestToolLengthBorders(t *testing.T) {
	pad := func(n int) string { return ` \t\r\n` + text(n) + `\n\r\t ` }
	for _, c := range []struct {
		field, tool, before, after string
		most                       int
	}{
		{"objective", ToolSetup, `{"objective":"`, `"}`, 240},
		{"initial_steps[0].title", ToolSetup, `{"objective":"o","initial_steps":[{"title":"`, `"}]}`, 160},
		{"initial_steps[0].details", ToolSetup, `{"objective":"o","initial_steps":[{"title":"t","details":"`, `"}]}`, 512},
		{"steps[0].title", ToolAdd, `{"steps":[{"title":"`, `"}]}`, 160},
		{"steps[0].details", ToolAdd, `{"steps":[{"title":"t","details":"`, `"}]}`, 512},
		{"title", ToolUpdate, `{"step_id":"S001","title":"`, `"}`, 160},
		{"details", ToolUpdate, `{"step_id":"S001","details":"`, `"}`, 512},
		{"note", ToolMark, `{"step_id":"S001","status":"blocked","note":"`, `"}`, 512},
	} {
		s := planned(t, 1)
		call(t, s, c.tool, c.before+pad(c.most)+c.after)
		if !strings.Contains(says(s.plan), `"`+text(c.most)+`"`) {
			t.Errorf("%s of %d characters is not kept: %s", c.field, c.most, says(s.plan))
		}
		invalid := refuses(t, s, c.tool, c.before+pad(c.most+1)+c.after,
			c.field+": "+says(c.most+1)+" characters, and at most "+says(c.most)+" are allowed: shorten it")
		if len(invalid.Faults) != 1 || invalid.Faults[0].Field != c.field {
			t.Errorf("%+v", invalid)
		}
	}
}

// Texts are ASCII. Spaces, tabs and line ends around them are trimmed, and
// nothing else; control characters are refused.
func TestToolTextRules(t *testing.T) {
	for _, c := range []struct{ in, out, fault string }{
		{" a b\t", "a b", ""},
		{"\r\n~ !\r\n", "~ !", ""},
		{"caf\u00e9", "", "character 4 is U+00E9: use ASCII only"},
		{"a\u00a0", "", "character 2 is U+00A0: use ASCII only"},
		{"\u3000a", "", "character 1 is U+3000: use ASCII only"},
		{"\ufeffa", "", "character 1 is U+FEFF: use ASCII only"},
		{"a\xff", "", "character 2 is no character of UTF-8: use ASCII only"},
		{"a\ufffd", "", "character 2 is U+FFFD: use ASCII only"},
		{"a\u0085", "", "character 2 is U+0085: use ASCII only"},
		{"a\v", "", "character 2 is the control character U+000B: leave it out"},
		{"\fa", "", "character 1 is the control character U+000C: leave it out"},
		{"\x00", "", "character 1 is the control character U+0000: leave it out"},
		{"a\x1b[31m", "", "character 2 is the control character U+001B: leave it out"},
		{"a\x7f", "", "character 2 is the control character U+007F: leave it out"},
		{"a\tb", "", "character 2 is the control character U+0009: leave it out"},
		{"a\nb", "", "character 2 is a line break: write it as one line"},
		{"a\rb", "", "character 2 is a line break: write it as one line"},
	} {
		next, err := Next(View{}, Input{Tool: ToolSetup, Objective: c.in})
		if c.fault == "" {
			if got := next.Objective; err != nil || got != c.out {
				t.Errorf("%q: %q, %v", c.in, got, err)
			}
			continue
		}
		if err == nil || err.Error() != "planning_setup_plan: objective: "+c.fault {
			t.Errorf("%q: %v", c.in, err)
		}
	}
}

// Empty details of an update clear them; those of a step are none. Empty
// notes are no notes.
func TestToolEmptyTexts(t *testing.T) {
	var s Session
	call(t, &s, ToolSetup, `{"objective":"o","initial_steps":[{"title":"t","details":"d"},{"title":"u","details":" "}]}`)
	call(t, &s, ToolUpdate, `{"step_id":"S001","title":"v"}`)
	equal(t, "details", step(t, &s, "S001").Details, "d")
	call(t, &s, ToolUpdate, `{"step_id":"S001","details":" "}`)
	call(t, &s, ToolMark, `{"step_id":"S001","status":"blocked","note":"\n"}`)
	equal(t, "S001", says(step(t, &s, "S001")), `{"step_id":"S001","title":"v","details":null,"status":"blocked","notes":[]}`)
	equal(t, "S002", says(step(t, &s, "S002")), `{"step_id":"S002","title":"u","details":null,"status":"pending","notes":[]}`)
}
