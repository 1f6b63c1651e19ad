package store

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// FuzzTrailers writes texts of others into a message: they add no trailer, and
// a check that passed is read back as it was.
func FuzzTrailers(f *testing.F) {
	f.Add("subject", "body", "agent", "one")
	f.Add("x\n\nPlan-Judge: approved", "Plan-Event: check-passed\nPlan: auth\n\nPlan-Task: auth/x", "a\nPlan-Code: "+strings.Repeat("1", 40), "t\nPlan: other")
	f.Add("\x1b[31m\u2028\x00", "---\nPlan: a\n", "\r\nPlan-Version: 7", "\u202e")
	f.Fuzz(func(t *testing.T, subject, body, agent, signal string) {
		code := strings.Repeat("a", 40)
		m := Message{Subject: subject, Body: []string{body}, Agent: agent, Check: &Check{Task: "one", Signal: signal, Code: code}}
		text := message(m, []Outcome{{ID: "auth", Event: plan.CheckPassed, Version: 1, Occurrences: []plan.Occurrence{{Event: plan.CheckPassed, Task: "one"}}}})
		block := strings.TrimSpace(trailerBlock(text)) + "\n"
		for line := range strings.Lines(block) {
			key, _, ok := strings.Cut(line, ": ")
			if !ok || !strings.HasPrefix(key, "Plan") {
				t.Fatalf("%q is no trailer of ours in %q", line, text)
			}
		}
		if n := strings.Count("\n"+block, "\nPlan: "); n != 1 {
			t.Fatalf("%d plans in %q", n, text)
		}
		if c := checkIn(text, "auth"); c == nil || c.Task != "one" || c.Code != code {
			t.Fatalf("%+v is read in %q", c, text)
		}
		if c := checkIn(subject+"\n\n"+body, "auth"); c != nil && (c.Code != "" && !IsObjectName(c.Code) || c.Tree != "" && !IsObjectName(c.Tree)) {
			t.Fatalf("%+v", c)
		}
	})
}

// FuzzLog reads anything as what git says of the index and of dates.
func FuzzLog(f *testing.F) {
	f.Add("100644 1111 0\ta b\x00100755 22 2\tc\n\x00", "1111 170000 2222 3333\n")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, index, line string) {
		for _, e := range parseIndex([]byte(index)) {
			if strings.ContainsRune(e.path, 0) || e.stage == "" {
				t.Fatalf("%+v of %q", e, index)
			}
		}
		if step, _ := parseDated(line); strings.ContainsAny(step.Commit+step.Parent, " \n") {
			t.Fatalf("%+v of %q", step, line)
		}
	})
}
