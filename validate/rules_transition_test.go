package validate

import (
	"testing"

	"github.com/git-plan/git-plan/plan"
)

func one(s plan.Status) Input { return input("01-a", "id: a\nstatus: "+string(s)) }

// What was settled stays or is reopened as pending; all else may follow from
// a chain of moves.
func TestTransition(t *testing.T) {
	for _, from := range plan.Statuses() {
		for _, to := range plan.Statuses() {
			want := ""
			if from.Settled() && to != from && to != plan.Pending {
				want = "tasks/01-a.md:3:9 transition"
			}
			equal(t, string(from+" to "+to), run(after(one(to), one(from)), Base), want)
		}
	}
	equal(t, "no status is pending", run(after(input("01-a", "id: a"), one(plan.Done)), Base), "")
	equal(t, "a new task may be anything", run(after(one(plan.Done), input()), Base), "")
	equal(t, "a new plan too", run(after(one(plan.Done)), Base), "")
}

// A merge may have a task as another side has it, and several steps may reopen it
// on the way.
func TestTransitionInSeveralSteps(t *testing.T) {
	const found = "tasks/01-a.md:3:9 transition"
	equal(t, "a range", run(several(one(plan.Failed), one(plan.Done)), Base), "")
	equal(t, "as the other side", run(merged(one(plan.Failed), one(plan.Done), one(plan.Failed)), Base), "")
	equal(t, "as the first", run(merged(one(plan.Done), one(plan.Done), one(plan.Failed)), Base), "")
	equal(t, "as neither", run(merged(one(plan.Failed), one(plan.Done), one(plan.InProgress)), Base), found)
}

// A container's status follows its children.
func TestTransitionOfContainer(t *testing.T) {
	const done, active = "id: a\nstatus: done", "id: a\nstatus: in_progress"
	child := []string{"01-a/01-b", "id: b\nstatus: done"}
	with := func(front string, more ...string) Input { return input(append([]string{"01-a", front}, more...)...) }
	equal(t, "a child is added", run(after(with(active, append(child, "01-a/02-c", "id: c")...), with(done, child...)), Base), "")
	equal(t, "a task gets children", run(after(with(active, child...), with(done)), Base), "")
	equal(t, "a task loses them", run(after(with(active), with(done, "01-a/01-b", "id: b")), Base), "")
	equal(t, "a child itself", run(after(with(active, "01-a/01-b", "id: b\nstatus: failed"), with(active, child...)), Base),
		"tasks/01-a/01-b.md:3:9 transition")
	equal(t, "a task that moved", run(after(input("05-z", active), with(done)), Base), "tasks/05-z.md:3:9 transition")
}

// No task is done while its blocker is open, unless it was before.
func TestTransitionUnderABlocker(t *testing.T) {
	const found = "tasks/01-a.md:3:9 transition"
	with := func(status plan.Status, signal string) Input {
		pairs := []string{"01-a", "id: a\nstatus: " + string(status)}
		if signal != "" {
			pairs = append(pairs, "signals/red.md", "---\n"+signal+"\n---\nIt fails.\n")
		}
		return input(pairs...)
	}
	const here, all, elsewhere, info = "level: blocker\ntask: a", "level: blocker", "level: blocker\ntask: b", "level: info\ntask: a"
	for _, c := range []struct {
		name string
		now  Input
		was  Input
		want string
	}{
		{"on it", with(plan.Done, here), with(plan.InProgress, here), found},
		{"on the plan", with(plan.Done, all), with(plan.Pending, all), found},
		{"on another", with(plan.Done, elsewhere), with(plan.InProgress, elsewhere), "signals/red.md:3:7 depends-unknown"},
		{"only news", with(plan.Done, info), with(plan.InProgress, info), ""},
		{"cleared with it", with(plan.Done, ""), with(plan.InProgress, here), ""},
		{"opened with it", with(plan.Done, here), with(plan.InProgress, ""), ""},
		{"failed", with(plan.Failed, here), with(plan.InProgress, here), ""},
		{"skipped", with(plan.Skipped, here), with(plan.InProgress, here), ""},
		{"done before", with(plan.Done, here), with(plan.Done, here), ""},
	} {
		equal(t, c.name, run(after(c.now, c.was), Base), c.want)
	}
}
