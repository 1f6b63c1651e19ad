package validate

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// oneTask is a plan with a task `one` of that frontmatter.
func oneTask(front string) *plan.Plan {
	p, _ := plan.Read("p", "p", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: P\n---\nWhy.\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\n" + front + "---\nDo it.\n")},
	})
	return p
}

func TestEvidence(t *testing.T) {
	const begun = "status: in_progress\nstarted_at: 2026-01-02T09:00:00Z\n"
	const done = "status: done\nstarted_at: 2026-01-02T09:00:00Z\n"
	names := func(commit, task string) Existence {
		return map[string]Existence{"aa p/one": Yes, "bb p/one": No}[commit+" "+task]
	}
	for _, c := range []struct {
		name, before, after string
		whole               bool
		shown               bool
		want                string // severity and part of the message, "" for none
	}{
		{name: "nothing", before: begun, after: done, want: "error: task `one` is done, and nothing shows it"},
		{name: "from pending", before: "", after: "status: done\n", want: "error: task `one`"},
		{name: "a note", before: begun, after: done + "evidence: [seen]\n", want: "error: "},
		{name: "a commit that names it", before: begun, after: done + "evidence: ['commit:aa patch:ee']\n"},
		{name: "one that does not", before: begun, after: done + "evidence: ['commit:bb']\n", want: "error: task `one` is done, and commit bb does not name it"},
		{name: "one of several", before: begun, after: done + "evidence: ['commit:bb', 'commit:aa']\n"},
		{name: "one that is not here", before: begun, after: done + "evidence: ['commit:cc']\n", want: "warning: task `one` is done, and commit cc, which is to show it, is not here"},
		{name: "one that is not here, and one that names it", before: begun, after: done + "evidence: ['commit:cc', 'commit:aa']\n"},
		{name: "one that is not here, and a check", before: begun, after: done + "evidence: ['commit:cc', 'signal:unit aa bb 2026-01-02T09:00:00Z']\n"},
		{name: "one that is not here, and one that does not", before: begun, after: done + "evidence: ['commit:cc', 'commit:bb']\n", want: "warning: task `one` is done, and commit cc"},
		{name: "found meanwhile", before: begun, after: done, shown: true},
		{name: "a check since", before: begun, after: done + "evidence: ['signal:unit aa bb 2026-01-02T09:00:00Z']\n"},
		{name: "a check before", before: begun, after: done + "evidence: ['signal:unit aa bb 2026-01-02T08:59:59Z']\n", want: "error: task `one` is done, and its check `unit` passed only before it began"},
		{name: "a check of a task without a begin", before: "", after: "status: done\nevidence: ['signal:unit - - 2026-01-02T08:00:00Z']\n"},
		{name: "done before", before: done, after: done + "result: more\n"},
		{name: "done before, looked at", before: done, after: done, whole: true},
		{name: "skipped", before: begun, after: "status: skipped\n"},
		{name: "no past", after: done, before: "none"},
		{name: "no past, looked at", after: done, before: "none", whole: true, want: "warning: task `one`"},
		{name: "a thread that makes it done", before: begun, after: done, whole: true, want: "error: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := Input{Plan: oneTask(c.after), Scope: Change, Names: names}
			if c.whole {
				in.Scope = Whole
			}
			if c.before != "none" {
				in.Parent = oneTask(c.before)
			}
			if c.shown {
				in.Shown = map[string]plan.Evidence{"one": {Commit: "aa"}}
			}
			gates := DefaultGates()
			if found := Run(in, gates, Strict); hasRule(found, RuleEvidence) {
				t.Errorf("off, and yet: %s", lines(found))
			}
			gates.Evidence = Required
			got := ""
			for _, d := range Run(in, gates, Base) {
				if d.Rule == RuleEvidence {
					got += d.Severity.String() + ": " + d.Message
				}
			}
			if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Several steps need what one step needs, and containers follow what is below
// them.
func TestEvidenceIsOfLeaves(t *testing.T) {
	gates := DefaultGates()
	gates.Evidence = Required
	in := Input{Plan: oneTask("status: done\n"), Scope: Range, Parent: oneTask("")}
	if found := Run(in, gates, Base); !hasRule(found, RuleEvidence) {
		t.Errorf("several steps: %s", lines(found))
	}
	in = Input{Plan: oneTask("status: done\n"), Scope: Change, Parent: oneTask(""), Sides: []*plan.Plan{oneTask("status: done\n")}}
	if found := Run(in, gates, Base); len(found) > 0 {
		t.Errorf("as a side of a merge has it: %s", lines(found))
	}
	whole := func(status string) *plan.Plan {
		p, _ := plan.Read("p", "p", []plan.File{
			{Path: "plan.md", Data: []byte("---\ntitle: P\n---\nWhy.\n")},
			{Path: "tasks/01-one.md", Data: []byte("---\nid: one\n" + status + "---\nDo it.\n")},
			{Path: "tasks/01-one/01-two.md", Data: []byte("---\nid: two\nstatus: skipped\n---\nDo it.\n")},
		})
		return p
	}
	first := func(status string) *plan.Plan {
		p, _ := plan.Read("p", "p", []plan.File{
			{Path: "plan.md", Data: []byte("---\ntitle: P\n---\nWhy.\n")},
			{Path: "tasks/01-decompose.md", Data: []byte("---\nid: decompose\n" + status + "---\nDo it.\n")},
		})
		return p
	}
	in = Input{Plan: first("status: done\n"), Scope: Change, Parent: first("")}
	if found := Run(in, gates, Base); len(found) > 0 {
		t.Errorf("the decomposition: %s", lines(found))
	}
	in = Input{Plan: whole("status: done\n"), Scope: Change, Parent: whole("")}
	if found := Run(in, gates, Base); hasRule(found, RuleEvidence) || len(Unshown(in)) > 0 {
		t.Errorf("a container: %s", lines(found))
	}
}
