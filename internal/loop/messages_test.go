package loop

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/prompt"
)

// Every instruction that a status gives is in the catalogue of messages, word
// for word, with what is put in named between angle brackets; and every
// message that is quoted there is given.
func TestMessagesAreThoseOfTheCatalogue(t *testing.T) {
	quoted := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^> (.+)$`).FindAllStringSubmatch(prompt.Text("messages"), -1) {
		quoted[m[1]] = false
	}
	const one = "id: one\ntitle: Do it\n"
	for _, c := range []struct {
		reason Reason
		view   View
	}{
		{SyncInstructions, View{Plan: read(t), Sync: &Sync{File: "docs/agents.md", Content: "x"}}},
		{ReadyForTask, View{Plan: read(t, "tasks/01-one.md", one)}},
		{ReadyForTask, View{Plan: read(t, "tasks/01-one.md", one+"status: in_progress\nexecuted_by: a1\nlease_until: 2026-01-02T13:00:00Z\n")}},
		{WaitingOnSignal, View{Plan: read(t, "tasks/01-one.md", one, "signals/test_failure.md", "level: blocker\nopened_at: 2026-01-01T00:00:00Z\n")}},
		{WaitingOnSignal, View{Plan: read(t, "tasks/01-one.md", one, "signals/test_failure.md", "level: blocker\nsource: ci\nopened_at: 2026-01-01T00:00:00Z\n")}},
		{PlanCompleted, View{Plan: read(t, "tasks/01-one.md", one+"status: done\n")}},
		{PlanCompleted, View{Plan: read(t, "tasks/01-one.md", one+"status: skipped\n")}},
		{PlanCompleted, View{Plan: read(t, "plan.md", "title: Log in\nfinal_summary: Done.\n", "tasks/01-one.md", one+"status: done\n")}},
		{ReplanRequired, View{Plan: read(t, "tasks/01-one.md", one+"status: failed\n")}},
		{ReplanRequired, View{Plan: read(t, "plan.md", "title: Log in\nmax_replans: 0\n", "tasks/01-one.md", one+"status: failed\n")}},
		{WaitingOnTasks, View{Plan: read(t, "tasks/01-one.md", one+"status: in_progress\nexecuted_by: a2\nlease_until: 2026-01-02T13:00:00Z\n")}},
		{WaitingOnTasks, View{Shared: true, Plan: read(t, "tasks/01-one.md", one+"status: in_progress\nexecuted_by: a2\nlease_until: 2026-01-02T13:00:00Z\n")}},
		{WaitingOnTasks, View{Plan: read(t, "tasks/01-one.md", one+"status: blocked\n")}},
		{WaitingOnTasks, View{Plan: read(t, "tasks/01-how.md", "id: how\nkind: decide\n", "tasks/01-how/01-one.md", one+"status: done\n", "tasks/01-how/02-two.md", "id: two\n")}},
		{WaitingOnTasks, View{Plan: read(t)}},
	} {
		c.view.Agent, c.view.At = "a1", noon()
		now := Answer(c.view).Now
		text := placeholders(now.Instructions)
		if _, known := quoted[text]; now.Reason != c.reason || !known {
			t.Errorf("%s, and the catalogue has no\n%s", now.Reason, text)
		}
		quoted[text] = true
		if !strings.Contains(prompt.Text("messages"), "`"+string(now.Reason)+"`") {
			t.Errorf("the catalogue does not name %s", now.Reason)
		}
	}
	for text, given := range quoted {
		if !given {
			t.Errorf("no status says\n%s", text)
		}
	}
}

func placeholders(text string) string {
	return strings.NewReplacer("`docs/agents.md`", "`<file>`", `"id": 1`, `"id": <id>`, "clear test_failure", "clear <signal>",
		"run test_failure", "run <signal>", "`ci`", "`<source>`",
		"1.1", "<chosen>", "1.2", "<number>", "0 replans", "<count>", "checkout auth", "checkout <plan>", "replan auth", "replan <plan>", "abandon auth", "abandon <plan>").Replace(text)
}
