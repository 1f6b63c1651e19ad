package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestSucceed(t *testing.T) {
	old := build(t, "plan.md", "---\ntitle: Old\ngates: strict\nmax_replans: 5\ncreated_by: me\nversion: 2\nfinal_summary: x\n---\nb\n",
		"01-box", "id: box\nstatus: skipped\ncompleted_at: 2026-01-31", "01-box/01-a", "id: a\nstatus: skipped", "02-b", "id: b\nstatus: done\nresult: ok\nexecuted_by: me",
		"03-c", "id: c\nstatus: failed\nerror: no\nnotes: [look at the log]", "04-d", "id: d",
		"signals/s.md", signal("blocker", "d"), "signals/t.md", signal("info", "b"), "signals/u.md", signal("info", ""))
	p := build(t, "plan.md", "---\ntitle: New\nmax_replans: 4\n---\nb\n",
		"01-b", "id: b\ntitle: B", "02-c", "id: c\nstatus: done\nresult: claimed", "03-box", "id: box", "03-box/01-a", "id: a", "04-e", "id: e", "05-two", "id: two\nstatus: done", "05-two/01-f", "id: f")
	if err := p.Succeed(old); err != nil {
		t.Fatal(err)
	}
	equal(t, "plan", fmt.Sprint(p.Title(), " ", p.Version(), " ", p.MaxReplans(), " ", p.Gates(), " ", p.Doc.Text("created_by"), p.Doc.Text("final_summary")), "New 3 4 strict me")
	equal(t, "statuses", statuses(p), "b=done c=pending box=skipped a=skipped e=pending two=pending f=pending")
	equal(t, "b", frontOf(p.Task("b").Doc.Source), "id: b\ntitle: B\nstatus: done\nexecuted_by: me\nresult: ok")
	equal(t, "c", frontOf(p.Task("c").Doc.Source), "id: c\nnotes:\n  - look at the log")
	var signals []string
	for _, s := range p.Signals {
		signals = append(signals, s.ID)
	}
	equal(t, "signals", strings.Join(signals, " "), "t u")
	equal(t, "changes", fmt.Sprintf("%+v", p.Changes(old)), "{Added:[e two f] Removed:[d] Changed:[b]}")
}

// A container that is not settled any more has no completion, and began with the
// first of what is kept below it.
func TestSucceedStampsContainers(t *testing.T) {
	const done = "\nstatus: done\nstarted_at: 2026-01-02T09:00:00Z\ncompleted_at: 2026-01-03T09:00:00Z"
	old := build(t, "01-box", "id: box"+done, "01-box/01-a", "id: a"+done, "02-all", "id: all", "02-all/01-b", "id: b"+done)
	p := build(t, "01-box", "id: box", "01-box/01-a", "id: a", "01-box/02-new", "id: new", "02-all", "id: all", "02-all/01-b", "id: b")
	if err := p.Succeed(old); err != nil {
		t.Fatal(err)
	}
	equal(t, "box", frontOf(p.Task("box").Doc.Source), "id: box\nstatus: in_progress\nstarted_at: 2026-01-02T09:00:00Z")
	equal(t, "all", frontOf(p.Task("all").Doc.Source), "id: all"+done)
}

func TestSucceedNeedsEditableFiles(t *testing.T) {
	old := build(t, "01-a", "id: a\nstatus: done")
	for _, pairs := range [][]string{
		{"01-a", inFlow("a")},
	} {
		if err := build(t, pairs...).Succeed(old); err == nil {
			t.Errorf("%v: succeeded", pairs)
		}
	}
}
