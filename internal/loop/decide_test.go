package loop

import (
	"strings"
	"testing"
)

func TestDecide(t *testing.T) {
	const (
		mine   = "status: in_progress\nexecuted_by: a1\nlease_until: 2026-01-02T13:00:00Z"
		others = "status: in_progress\nexecuted_by: a2\nlease_until: 2026-01-02T13:00:00Z"
		lapsed = "status: in_progress\nexecuted_by: a2\nlease_until: 2026-01-02T11:00:00Z"
		one    = "tasks/01-one.md"
		two    = "tasks/02-two.md"
	)
	for name, test := range map[string]struct {
		files  []string
		reason Reason
		task   string // or signal
	}{
		"ready":                             {[]string{one, "id: one"}, ReadyForTask, "one"},
		"by priority":                       {[]string{one, "id: one", two, "id: two\npriority: high"}, ReadyForTask, "two"},
		"mine first":                        {[]string{one, "id: one\npriority: critical", two, "id: two\n" + mine}, ReadyForTask, "two"},
		"mine though another is blocked":    {[]string{one, "id: one\n" + mine, two, "id: two", "signals/x.md", "level: blocker\ntask: two"}, ReadyForTask, "one"},
		"blocker on mine":                   {[]string{one, "id: one\n" + mine, two, "id: two", "signals/x.md", "level: blocker\ntask: one"}, WaitingOnSignal, "x"},
		"blocker on another":                {[]string{one, "id: one", two, "id: two", "signals/x.md", "level: blocker\ntask: one"}, ReadyForTask, "two"},
		"blocker on the plan":               {[]string{one, "id: one\n" + mine, "signals/x.md", "level: blocker"}, WaitingOnSignal, "x"},
		"blocker on what is left":           {[]string{one, "id: one", two, "id: two\n" + others, "signals/x.md", "level: blocker\ntask: one"}, WaitingOnSignal, "x"},
		"blocker on what is left or failed": {[]string{one, "id: one", two, "id: two\nstatus: failed", "signals/x.md", "level: blocker\ntask: one"}, WaitingOnSignal, "x"},
		"blocker on what is settled":        {[]string{one, "id: one\nstatus: done", "signals/x.md", "level: blocker\ntask: one"}, PlanCompleted, ""},
		"warning":                           {[]string{one, "id: one", "signals/x.md", "level: warning"}, ReadyForTask, "one"},
		"lapsed":                            {[]string{one, "id: one\n" + lapsed}, ReadyForTask, "one"},
		"ready before lapsed":               {[]string{one, "id: one\n" + lapsed, two, "id: two"}, ReadyForTask, "two"},
		"failed":                            {[]string{one, "id: one\nstatus: failed", two, "id: two\ndepends_on: [one]"}, ReplanRequired, "one"},
		"ready before replan":               {[]string{one, "id: one\nstatus: failed", two, "id: two"}, ReadyForTask, "two"},
		"others at work":                    {[]string{one, "id: one\n" + others, two, "id: two\ndepends_on: [one]"}, WaitingOnTasks, "one"},
		"blocked":                           {[]string{one, "id: one\nstatus: blocked"}, WaitingOnTasks, "one"},
		"without tasks":                     {nil, WaitingOnTasks, ""},
		"done":                              {[]string{one, "id: one\nstatus: done"}, PlanCompleted, ""},
		"all cancelled":                     {[]string{one, "id: one\nstatus: cancelled"}, PlanCompleted, ""},
		"abandoned":                         {[]string{"plan.md", "title: x\nabandoned: true", one, "id: one\n" + mine}, PlanCompleted, ""},
		"abandoned under a blocker":         {[]string{"plan.md", "title: x\nabandoned: true", one, "id: one", "signals/x.md", "level: blocker"}, WaitingOnSignal, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			d := View{Plan: read(t, test.files...), Agent: "a1", At: noon()}.Decide()
			got := ""
			switch {
			case d.Task != nil:
				got = d.Task.ID
			case d.Signal != nil:
				got = d.Signal.ID
			case len(d.Tasks) > 0:
				got = d.Tasks[0].ID
			}
			if d.Reason != test.reason || got != test.task {
				t.Errorf("%s %q, want %s %q", d.Reason, got, test.reason, test.task)
			}
		})
	}
}

// Whoever has no name has nothing in progress.
func TestDecideForNobody(t *testing.T) {
	p := read(t, "tasks/01-one.md", "id: one\nstatus: in_progress\nlease_until: 2026-01-02T13:00:00Z")
	if d := (View{Plan: p, At: noon()}).Decide(); d.Reason != ReadyForTask { // nobody holds it, so anybody may
		t.Errorf("%+v", d)
	}
}

func TestAnswerShapes(t *testing.T) {
	const one = "tasks/01-one.md"
	for name, test := range map[string]struct {
		files []string
		sync  *Sync
		want  string
	}{
		"A": {[]string{one, "id: one"}, &Sync{"docs/agents.md", "rules\n"},
			`{"now":{"reason":"sync_instructions","agent_instructions":"CRITICAL: Your ` + "`docs/agents.md`" + ` is out of sync. Overwrite it with the content provided in ` +
				"`instructions_content` and then run `git plan status --json`" + ` again.","instructions_content":"rules\n"},` +
				`"session":{"id":"auth","goal":"Users log in","status":"draft","commit":"c0"}}`},
		"B": {[]string{one, "id: one"}, nil,
			`{"now":{"reason":"ready_for_task","agent_instructions":"…","current_task":{"id":1,"ref":"one","title":"one","type":"","status":"TODO","dependencies":[],` +
				`"context_hints":[],"relevant_file_paths":[],"description":"Do it."}},"plan":{"tasks":[{"id":1,"ref":"one","title":"one","type":"","status":"TODO",` +
				`"dependencies":[],"context_hints":[],"relevant_file_paths":[],"description":"Do it."}],"total":1,"omitted":{}},` +
				`"session":{"id":"auth","goal":"Users log in","status":"draft","commit":"c0"}}`},
		"C": {[]string{one, "id: one", "signals/test_failure.md", "level: blocker\ntask: one"}, nil,
			`{"now":{"reason":"waiting_on_signal","agent_instructions":"CRITICAL: A signal is blocking progress. Analyze the signal details, fix the issue, and clear the signal using ` +
				"`git plan alert clear test_failure`. Where a command can show that it is fixed, let that clear it: `git plan alert run test_failure -- COMMAND`" + `.","message":"Waiting for signal 'test_failure' on task 1 to be cleared."},` +
				`"signal":{"id":"test_failure","task_id":1,"task_ref":"one","level":"blocker","message":"Do it."},` +
				`"session":{"id":"auth","goal":"Users log in","status":"draft","commit":"c0"}}`},
		"C on the plan": {[]string{one, "id: one", "signals/x.md", "level: blocker"}, nil,
			`{"now":{"reason":"waiting_on_signal","agent_instructions":"…","message":"Waiting for signal 'x' on the plan to be cleared."},` +
				`"signal":{"id":"x","task_id":null,"level":"blocker","message":"Do it."},"session":{"id":"auth","goal":"Users log in","status":"draft","commit":"c0"}}`},
		"D": {[]string{one, "id: one\nstatus: done"}, nil,
			`{"now":{"reason":"plan_completed","agent_instructions":"All tasks are complete. Provide a final summary of your work via ` +
				"`git plan update --json '{\\\"final_summary\\\": \\\"...\\\"}'`" + `.","message":"All tasks are complete. The agent should provide a final summary."},` +
				`"session":{"id":"auth","goal":"Users log in","status":"complete","commit":"c0"}}`},
		"replan, none left": {[]string{"plan.md", "title: x\nmax_replans: 0", one, "id: one\nstatus: failed\nerror: the disk is full"}, nil,
			`{"now":{"reason":"replan_required","agent_instructions":"…","message":"Failed: task 1 ` + "`one`" + ` (the disk is full). The plan is at version 1 and ` + "`max_replans`" + ` is 0: no replan is left.",` +
				`"failed_tasks":[{"id":1,"ref":"one","title":"one","type":"","status":"FAILED","dependencies":[],"context_hints":[],"relevant_file_paths":[],"description":"Do it.","error":"the disk is full"}]},` +
				`"session":{"id":"auth","goal":"x","status":"failed","commit":"c0"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			doc := Answer(View{Plan: read(t, test.files...), Commit: "c0", Agent: "a1", At: noon(), Sync: test.sync})
			if strings.Contains(test.want, `"agent_instructions":"…"`) {
				if len(doc.Now.Instructions) < 20 {
					t.Errorf("instructions: %q", doc.Now.Instructions)
				}
				doc.Now.Instructions = "…"
			}
			if got := encode(t, doc); got != test.want {
				t.Errorf("\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// What commands must add to mean the plan stands in each that is named.
func TestAnswerNamesThePlan(t *testing.T) {
	for _, front := range []string{"id: one", "id: one\nstatus: done", "id: one\nstatus: failed", "id: one\nstatus: blocked"} {
		doc := Answer(View{Plan: read(t, "tasks/01-one.md", front), Agent: "a1", At: noon(), Named: " --plan auth"})
		if !strings.Contains(doc.Now.Instructions, " --plan auth") {
			t.Errorf("%s: %s", front, doc.Now.Instructions)
		}
	}
}

// What an agent is told depends on who else is at work: whose signal it is,
// whose task it takes over, whom a replan would stop.
func TestInstructionsOfOthers(t *testing.T) {
	const one = "tasks/01-one.md"
	held := "\nstatus: in_progress\nexecuted_by: b2\nlease_until: "
	for name, test := range map[string]struct {
		files      []string
		want, lack string
	}{
		"a signal of the build": {[]string{one, "id: one", "signals/x.md", "level: blocker\nsource: ci"}, "opened by `ci`, which clears it", "alert clear"},
		"one's own signal":      {[]string{one, "id: one", "signals/x.md", "level: blocker"}, "`git plan alert run x -- COMMAND`", "opened by"},
		"a lapsed task":         {[]string{one, "id: one" + held + "2026-01-02T11:59:59Z"}, "b2 began it, and has let its lease run out", "Wait"},
		"a fresh task":          {[]string{one, "id: one"}, "First take it", "lease"},
		"a replan beside b2": {[]string{one, "id: one\nstatus: failed", "tasks/02-two.md", "id: two" + held + "2026-01-02T13:00:00Z"},
			"In progress: task 2 `two` (b2, until 2026-01-02T13:00:00Z); a replan takes back what is not done.", ""},
		"a replan beside nobody": {[]string{one, "id: one\nstatus: failed", "tasks/02-two.md", "id: two\ndepends_on: [one]"}, "Failed: task 1 `one`.", "In progress"},
	} {
		now := Answer(View{Plan: read(t, test.files...), Commit: "c0", Agent: "a1", At: noon()}).Now
		text := now.Instructions + " " + now.Message
		if !strings.Contains(text, test.want) || test.lack != "" && strings.Contains(text, test.lack) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
