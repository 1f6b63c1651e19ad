package plan

import (
	"fmt"
	"strings"
	"testing"
)

// withStatuses builds tasks a, b, c … of the statuses given.
func withStatuses(t *testing.T, planFront, words string) *Plan {
	t.Helper()
	pairs := []string{"plan.md", "---\ntitle: x\n" + planFront + "---\nb\n"}
	for i, s := range strings.Fields(words) {
		pairs = append(pairs, fmt.Sprintf("%02d-t", i+1), fmt.Sprintf("id: %c\nstatus: %s", 'a'+i, s))
	}
	return build(t, pairs...)
}

func TestPlanStatus(t *testing.T) {
	cases := []struct {
		front, tasks string
		want         PlanStatus
	}{
		{"", "", Draft},
		{"", "pending pending", Draft},
		{"", "pending in_progress", PlanInProgress},
		{"", "pending blocked", PlanInProgress},
		{"", "pending done", PlanInProgress},
		{"", "pending skipped", PlanInProgress},
		{"", "done", Complete},
		{"", "done skipped cancelled", Complete},
		{"", "skipped cancelled", PlanInProgress},
		{"", "done failed", Replanning},
		{"version: 3\n", "pending failed", Replanning},
		{"version: 4\n", "pending failed", PlanFailed},
		{"max_replans: 0\n", "failed", PlanFailed},
		{"version: 4\n", "done", Complete},
		{"abandoned: true\n", "done", Abandoned},
		{"abandoned: true\n", "", Abandoned},
		{"abandoned: false\n", "done", Complete},
	}
	for _, c := range cases {
		equal(t, c.front+c.tasks, string(withStatuses(t, c.front, c.tasks).Status()), string(c.want))
	}
	p := build(t, "01-a", "id: a\nstatus: failed", "01-a/01-b", "id: b\nstatus: done")
	equal(t, "only leaves count", string(p.Status()), string(Complete))
	for _, s := range PlanStatuses() {
		if s.Finished() != (s == Complete || s == Abandoned) {
			t.Errorf("%s.Finished()", s)
		}
	}
}

func TestProgress(t *testing.T) {
	p := withStatuses(t, "", "pending in_progress blocked done failed skipped cancelled done")
	equal(t, "progress", fmt.Sprintf("%+v", p.Progress()), "{Total:8 Done:2 Active:1 Blocked:1 Pending:1 Skipped:2 Failed:1}")
	equal(t, "failed", ids(p.Failed()), "e")
}

func TestConverged(t *testing.T) {
	box := func(boxStatus, outputs, childStatus string) []string {
		return []string{"01-a", "id: a\noutputs: [x]\nstatus: " + boxStatus, "01-a/01-b", "id: b\noutputs: [" + outputs + "]\nstatus: " + childStatus}
	}
	cases := []struct {
		pairs []string
		want  bool
	}{
		{nil, true},
		{[]string{"01-a", "id: a"}, false},
		{[]string{"01-a", "id: a\nstatus: in_progress"}, false},
		{[]string{"01-a", "id: a\nstatus: blocked\noutputs: [x]"}, true},
		{box("done", "y, x", "done"), true},
		{box("done", "y", "done"), false},
		{box("done", "x", "failed"), false},
		{box("pending", "x", "done"), false},
	}
	for _, c := range cases {
		if got := build(t, c.pairs...).Converged(); got != c.want {
			t.Errorf("%v: %v", c.pairs, got)
		}
	}
}
