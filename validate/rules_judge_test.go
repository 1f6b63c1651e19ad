package validate

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func judgedPlan(t *testing.T, files ...string) *plan.Plan {
	t.Helper()
	list := []plan.File{}
	for i := 0; i+1 < len(files); i += 2 {
		list = append(list, plan.File{Path: files[i], Data: []byte(files[i+1])})
	}
	p, found := plan.Read("auth", "", list)
	if len(found) > 0 {
		t.Fatal(lines(found))
	}
	return p
}

const (
	judgedHead = "---\ntitle: Authentication\n---\nUse bcrypt.\n"
	judgedTask = "---\nid: schema\n---\nMake the schema.\n"
)

// The weight of an opinion is the store's; where nobody was asked there is
// nothing to say.
func TestJudgeRule(t *testing.T) {
	p := judgedPlan(t, "plan.md", judgedHead, "tasks/01-schema.md", judgedTask)
	long := strings.Repeat("word\n", 500)
	for _, c := range []struct {
		level   Level
		opinion *Opinion
		want    string
	}{
		{Required, nil, ""},
		{Required, &Opinion{Approved: true, Feedback: "fine"}, ""},
		{Required, &Opinion{Feedback: "task 1\nis\tvague"}, "auth/plan.md:1:1: error: the judge does not approve: task 1 is vague [judge]\n"},
		{Advisory, &Opinion{Feedback: "no"}, "auth/plan.md:1:1: warning: the judge does not approve: no [judge]\n"},
		{LevelOff, &Opinion{Feedback: "no"}, ""},
		{Required, &Opinion{Missing: "nobody is there", Remedy: "call one"}, "auth/plan.md:1:1: error: nobody is there [judge]\n"},
		{Required, &Opinion{Feedback: long}, "auth/plan.md:1:1: error: the judge does not approve: " + strings.TrimSpace(strings.Repeat("word ", 120)) + "… [judge]\n"},
	} {
		gates := DefaultGates()
		gates.Judge = c.level
		found := Run(Input{Plan: p, Scope: Change, Opinion: c.opinion}, gates, Base)
		if got := lines(found); got != c.want {
			t.Errorf("%v, %+v: %q", c.level, c.opinion, got)
		}
		checkFindings(t, found)
	}
}

// A judge looks at definitions, not at progress, and at nothing that another
// look was taken at before.
func TestForJudge(t *testing.T) {
	whole := judgedPlan(t, "plan.md", judgedHead, "tasks/01-schema.md", judgedTask)
	started := judgedPlan(t, "plan.md", judgedHead, "tasks/01-schema.md", strings.Replace(judgedTask, "id: schema", "id: schema\nstatus: done\nresult: made", 1))
	edited := judgedPlan(t, "plan.md", judgedHead, "tasks/01-schema.md", judgedTask+"And its index.\n")
	for name, c := range map[string]struct {
		plan   *plan.Plan
		before *plan.Plan
		want   bool
	}{
		"new":         {whole, nil, true},
		"the same":    {whole, whole, false},
		"progress":    {started, whole, false},
		"edited":      {edited, whole, true},
		"given up":    {judgedPlan(t, "plan.md", strings.Replace(judgedHead, "title:", "abandoned: true\ntitle:", 1), "tasks/01-schema.md", judgedTask), whole, false},
		"undecided":   {judgedPlan(t, "plan.md", judgedHead, "tasks/01-decompose.md", "---\nid: decompose\n---\nMake tasks.\n"), nil, false},
		"without any": {judgedPlan(t, "plan.md", judgedHead), nil, false},
	} {
		if got := ForJudge(Input{Plan: c.plan, Parent: c.before, Scope: Change}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if ForJudge(Input{Plan: edited, Parent: whole, Scope: Change, Sides: []*plan.Plan{whole}}) || ForJudge(Input{Plan: edited, Parent: whole, Scope: Range}) {
		t.Error("what several commits made was judged with each of them")
	}
}

// Whatever a model says becomes one printable line.
func TestJudgeFeedbackIsALine(t *testing.T) {
	gates := DefaultGates()
	gates.Judge = Required
	p := judgedPlan(t, "plan.md", judgedHead, "tasks/01-schema.md", judgedTask)
	for _, d := range Run(Input{Plan: p, Opinion: &Opinion{Feedback: "a\r\nb\u2028c"}}, gates, Base) {
		if strings.ContainsAny(d.Message, "\r\n") || d.Severity != diag.Error {
			t.Errorf("%q", d.Message)
		}
	}
}
