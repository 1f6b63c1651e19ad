package planspec

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
)

func TestValidate(t *testing.T) {
	cases := []struct{ text, want string }{
		{"Goal: g\n1. [act] a", ""},
		{"", "plan has no steps\nplan has no goal"},
		{"Goal: g\n1. foo [LLM] a", "step 1 (foo): invalid type 'LLM'"},
		{"Goal: g\n1. a", "step 1: invalid type ''"},
		{"Goal: g\n1. analyze [act] a\n2. bar [subtask] b\n2.1. analyze [act] c\n2.2. analyze [act] d",
			"step 2.1 (analyze): duplicate name, first seen at step 1\nstep 2.2 (analyze): duplicate name, first seen at step 1"},
		{"Goal: g\n1. foo [reason] a\n1.1. [act] b\n1.1.1. [act] c", "step 1 (foo): type 'reason' cannot have children\nstep 1.1: type 'act' cannot have children"},
		{"1. [act] a", "plan has no goal"},
		{"Goal: g\n1. foo [subtask] a\n2. [decide] b", "warn: step 1 (foo): type 'subtask' has no children\nwarn: step 2: type 'decide' has no children"},
	}
	for _, c := range cases {
		found := Validate(parse(t, c.text))
		equal(t, c.text, strings.Join(messages(found), "\n"), c.want)
		for _, d := range found {
			if d.Hint == "" || d.Rule == "" || !d.Pos.IsValid() {
				t.Errorf("%v has no hint, rule or place", d)
			}
			if (d.Severity == diag.Warning) != (d.Rule == RuleChildren) {
				t.Errorf("%v has the wrong severity", d)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	p := parse(t, "1. [x] a\n1.1. [>] a\n1.1.1. [!] a\n2. [~] a\n3. a")
	if got, want := p.Progress(), (Progress{Total: 5, Done: 1, Active: 1, Blocked: 1, Pending: 1, Skipped: 1}); got != want {
		t.Errorf("%+v", got)
	}
	equal(t, "share", p.Progress().Share(), "1/5 (20%)")
}

func TestEqual(t *testing.T) {
	const text = "# Plan: t\nGoal: g\n> d\nConstraints:\n- c\n## Steps\n1. n [subtask] s → o | r | Progress: 1/2\n  > ← i\n  > d\n  1.1. [act] c\n"
	for _, change := range []func(*Plan, *Step){
		func(p *Plan, _ *Step) { p.Title = "" },
		func(p *Plan, _ *Step) { p.Goal = "" },
		func(p *Plan, _ *Step) { p.GoalDetail = nil },
		func(p *Plan, _ *Step) { p.Constraints[0] = "x" },
		func(_ *Plan, s *Step) { s.ID = "2" },
		func(_ *Plan, s *Step) { s.Name = "" },
		func(_ *Plan, s *Step) { s.Type = Act },
		func(_ *Plan, s *Step) { s.Description = "" },
		func(_ *Plan, s *Step) { s.Inputs = nil },
		func(_ *Plan, s *Step) { s.Outputs = append(s.Outputs, "x") },
		func(_ *Plan, s *Step) { s.Detail = nil },
		func(_ *Plan, s *Step) { s.Result = "" },
		func(_ *Plan, s *Step) { s.Status = Done },
		func(_ *Plan, s *Step) { s.DoneCount = 2 },
		func(_ *Plan, s *Step) { s.TotalCount = nil },
		func(_ *Plan, s *Step) { *s.TotalCount = 3 },
		func(_ *Plan, s *Step) { s.Children = nil },
		func(_ *Plan, s *Step) { s.Children[0].Status = Done },
	} {
		p, q := parse(t, text), parse(t, text)
		q.Steps[0].Fold, q.Steps[0].Pos, q.Steps[0].Children[0].Inputs = Collapsed, diag.Pos{}, []string{}
		if !Equal(p, q) {
			t.Fatal("fold, place or an empty list makes a difference")
		}
		change(q, q.Steps[0])
		if Equal(p, q) {
			t.Errorf("%s is told equal", written(t, q))
		}
	}
}

// messages gives findings as lines of text, warnings with "warn: " before
// them.
func messages(found []diag.Diagnostic) []string {
	var out []string
	for _, d := range found {
		if d.Severity == diag.Warning {
			d.Message = "warn: " + d.Message
		}
		out = append(out, d.Message)
	}
	return out
}
