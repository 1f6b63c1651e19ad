package events

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// made reads a plan from files given as name and text.
func made(t *testing.T, id string, files ...string) *plan.Plan {
	t.Helper()
	var all []plan.File
	for i := 0; i < len(files); i += 2 {
		all = append(all, plan.File{Path: files[i], Data: []byte(files[i+1])})
	}
	p, found := plan.Read(id, "", all)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

const planText = "---\ntitle: T\n---\n\nb\n"

func task(id, fields string) string { return "---\nid: " + id + "\n" + fields + "---\n\nb\n" }

func revision(changes ...store.Outcome) store.Revision {
	c := &gitstore.Commit{Name: "c0ffee", Message: "x\n\nPlan-Agent: bee\n"}
	c.Author.When = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return store.Revision{Commit: c, Changes: changes}
}

func change(before, after *plan.Plan) store.Outcome {
	p := after
	if p == nil {
		p = before
	}
	return store.Outcome{ID: p.ID, Before: before, After: after}
}

// brief gives events in a line each.
func brief(all []Event) string {
	var b strings.Builder
	for _, e := range all {
		step := "-"
		if e.StepIndex != nil {
			step = fmt.Sprint(*e.StepIndex)
		}
		fmt.Fprintf(&b, "%s %s/%s %s v%d %q %q %s %v\n", e.Type, e.Plan, e.Task, step, e.Version, e.Output, e.Error, e.Signal, e.Document != nil)
	}
	return b.String()
}

// Each thing that can happen to a plan, as the events that tell it.
func TestOf(t *testing.T) {
	empty := made(t, "p", "plan.md", planText)
	two := made(t, "p", "plan.md", planText, "tasks/01-box.md", task("box", ""), "tasks/01-box/01-a.md", task("a", ""), "tasks/02-b.md", task("b", ""))
	moved := made(t, "p", "plan.md", planText, "tasks/01-box.md", task("box", "status: done\n"),
		"tasks/01-box/01-a.md", task("a", "status: done\nresult: r\n"), "tasks/02-b.md", task("b", "status: failed\nerror: e\n"))
	settled := made(t, "p", "plan.md", planText, "tasks/01-box.md", task("box", "status: done\n"),
		"tasks/01-box/01-a.md", task("a", "status: done\nresult: r\n"), "tasks/02-b.md", task("b", "status: cancelled\nresult: no\n"))
	started := made(t, "p", "plan.md", planText, "tasks/02-b.md", task("b", "status: in_progress\n"))
	second := made(t, "p", "plan.md", "---\ntitle: T\nversion: 2\n---\n\nb\n", "tasks/02-b.md", task("b", "status: done\n"))
	alarm := made(t, "p", "plan.md", planText, "tasks/02-b.md", task("b", "status: in_progress\n"),
		"signals/fire.md", "---\nlevel: blocker\ntask: b\n---\n\nIt burns.\n")
	for name, c := range map[string]struct {
		before, after *plan.Plan
		want          string
	}{
		"created":   {nil, two, "PLAN_CREATED p/ - v1 \"\" \"\"  true\n"},
		"edited":    {empty, two, ""},
		"removed":   {two, nil, ""},
		"moved":     {two, moved, "STEP_COMPLETED p/a 0 v1 \"r\" \"\"  false\nSTEP_FAILED p/b 1 v1 \"\" \"e\"  false\n"},
		"completed": {moved, settled, "STEP_SKIPPED p/b 1 v1 \"no\" \"\"  false\nPLAN_COMPLETED p/ - v1 \"\" \"\"  false\n"},
		"whole":     {nil, settled, "PLAN_CREATED p/ - v1 \"\" \"\"  true\nPLAN_COMPLETED p/ - v1 \"\" \"\"  false\n"},
		"started":   {made(t, "p", "plan.md", planText, "tasks/02-b.md", task("b", "")), started, "STEP_STARTED p/b 0 v1 \"\" \"\"  false\n"},
		"replanned": {started, second, "PLAN_REPLANNED p/ - v2 \"\" \"\"  true\nPLAN_COMPLETED p/ - v2 \"\" \"\"  false\n"},
		"opened":    {started, alarm, "SIGNAL_OPENED p/b 0 v1 \"It burns.\" \"\" fire false\n"},
		"cleared":   {alarm, started, "SIGNAL_CLEARED p/b 0 v1 \"It burns.\" \"\" fire false\n"},
		"reopened":  {moved, two, ""},
	} {
		if got := brief(Of(revision(change(c.before, c.after)))); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// Every key is there, whatever the event.
func TestKeys(t *testing.T) {
	p := made(t, "p", "plan.md", planText)
	data, err := json.Marshal(Of(revision(change(nil, p)))[0])
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"type", "plan", "task", "step_index", "version", "agent", "at", "commit", "output", "error", "document"} {
		if _, ok := keys[key]; !ok {
			t.Errorf("there is no %s", key)
		}
	}
	if len(keys) != 11 || keys["agent"] != "bee" || keys["at"] != "2026-01-02T03:04:05Z" {
		t.Errorf("%s", data)
	}
}

// Of a merge only what is new to both sides is unseen.
func TestUnseen(t *testing.T) {
	a, b := task("a", ""), task("b", "")
	before := made(t, "p", "plan.md", planText, "tasks/01-a.md", a, "tasks/02-b.md", b)
	theirs := made(t, "p", "plan.md", planText, "tasks/01-a.md", task("a", "status: done\n"), "tasks/02-b.md", b)
	both := made(t, "p", "plan.md", planText, "tasks/01-a.md", task("a", "status: done\n"), "tasks/02-b.md", task("b", "status: done\n"))
	rev := revision(change(before, both))
	got := brief(Unseen(rev, Of(rev), map[string]*plan.Plan{"p": theirs}))
	if want := "STEP_COMPLETED p/b 1 v1 \"\" \"\"  false\nPLAN_COMPLETED p/ - v1 \"\" \"\"  false\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	if got := Unseen(revision(change(theirs, nil)), nil, nil); len(got) > 0 {
		t.Errorf("a removed plan has %v", got)
	}
}
