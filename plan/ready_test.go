package plan

import (
	"fmt"
	"testing"
)

func TestReady(t *testing.T) {
	cases := []struct {
		name  string
		pairs []string
		want  string
	}{
		{"file order", []string{"02-b", "id: b", "01-a", "id: a"}, "a b"},
		{"priority, then file order", []string{"01-a", "id: a\npriority: low", "02-b", "id: b", "03-c", "id: c\npriority: critical", "04-d", "id: d\npriority: high", "05-e", "id: e\npriority: medium"}, "c d b e a"},
		{"pending only", []string{"01-a", "id: a\nstatus: in_progress", "02-b", "id: b\nstatus: blocked", "03-c", "id: c\nstatus: failed", "04-d", "id: d\nstatus: done", "05-e", "id: e"}, "e"},
		{"leaves only", []string{"01-a", "id: a", "01-a/01-b", "id: b"}, "b"},
		{"waits for pending", []string{"01-a", "id: a", "02-b", "id: b\ndepends_on: [a]"}, "a"},
		{"done satisfies", []string{"01-a", "id: a\nstatus: done", "02-b", "id: b\ndepends_on: [a]"}, "b"},
		{"skipped satisfies", []string{"01-a", "id: a\nstatus: skipped", "02-b", "id: b\ndepends_on: [a]"}, "b"},
		{"cancelled satisfies", []string{"01-a", "id: a\nstatus: cancelled", "02-b", "id: b\ndepends_on: [a]"}, "b"},
		{"failed does not", []string{"01-a", "id: a\nstatus: failed", "02-b", "id: b\ndepends_on: [a]"}, ""},
		{"blocked does not", []string{"01-a", "id: a\nstatus: blocked", "02-b", "id: b\ndepends_on: [a]"}, ""},
		{"in progress does not", []string{"01-a", "id: a\nstatus: in_progress", "02-b", "id: b\ndepends_on: [a]"}, ""},
		{"one of two", []string{"01-a", "id: a\nstatus: done", "02-b", "id: b", "03-c", "id: c\ndepends_on: [a, b]"}, "b"},
		{"an unknown id holds nothing up", []string{"01-a", "id: a\ndepends_on: [none]"}, "a"},
		{"container's own word does not count", []string{"01-a", "id: a\nstatus: done", "01-a/01-b", "id: b", "02-c", "id: c\ndepends_on: [a]"}, "b"},
		{"container's leaves count", []string{"01-a", "id: a", "01-a/01-b", "id: b\nstatus: done", "02-c", "id: c\ndepends_on: [a]"}, "c"},
		{"a child waits with its container", []string{"01-a", "id: a", "02-b", "id: b\ndepends_on: [a]", "02-b/01-c", "id: c"}, "a"},
		{"data flow", []string{"01-a", "id: a\noutputs: [x]", "02-b", "id: b\ninputs: [x]"}, "a"},
		{"subtask order", []string{"01-s", "id: s\nkind: subtask", "01-s/01-a", "id: a\nstatus: done", "01-s/02-b", "id: b", "01-s/03-c", "id: c"}, "b"},
		{"subtask order holds what is below", []string{"01-s", "id: s\nkind: subtask", "01-s/01-a", "id: a", "01-s/02-b", "id: b", "01-s/02-b/01-c", "id: c"}, "a"},
		{"decision open", []string{"01-d", "id: d\nkind: decide", "01-d/01-a", "id: a", "01-d/02-b", "id: b"}, "a b"},
		{"decision made", []string{"01-d", "id: d\nkind: decide", "01-d/01-a", "id: a\nstatus: done", "01-d/02-b", "id: b", "01-d/02-b/01-c", "id: c"}, ""},
		{"decision not made by skipping", []string{"01-d", "id: d\nkind: decide", "01-d/01-a", "id: a\nstatus: skipped", "01-d/02-b", "id: b"}, "b"},
		{"blocker on the task", []string{"01-a", "id: a", "02-b", "id: b", "signals/s.md", signal("blocker", "a")}, "b"},
		{"blocker on an ancestor", []string{"01-a", "id: a", "01-a/01-b", "id: b", "02-c", "id: c", "signals/s.md", signal("blocker", "a")}, "c"},
		{"blocker on the plan", []string{"01-a", "id: a", "signals/s.md", signal("blocker", "")}, ""},
		{"warnings block nothing", []string{"01-a", "id: a", "signals/s.md", signal("warning", "a"), "signals/t.md", signal("info", "")}, "a"},
		{"abandoned", []string{"01-a", "id: a", "plan.md", "---\ntitle: x\nabandoned: true\n---\nb\n"}, ""},
		{"cycle", []string{"01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [a]"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { equal(t, "ready", ids(build(t, c.pairs...).Ready()), c.want) })
	}
}

// Of an alternative that was chosen the task is named that can be reopened.
func TestPassedOver(t *testing.T) {
	const top = "id: a\nkind: decide\n"
	for _, c := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"no decision", []string{"01-a", "id: a"}, ""},
		{"a task", []string{"01-a", top, "01-a/01-b", "id: b\nstatus: done", "01-a/02-c", "id: c"}, "c b"},
		{"the last that is done below it", []string{"01-a", top, "01-a/01-b", "id: b\nstatus: done", "01-a/01-b/01-x", "id: x\nstatus: done", "01-a/01-b/02-y", "id: y\nstatus: done",
			"01-a/01-b/03-z", "id: z\nstatus: skipped", "01-a/02-c", "id: c"}, "c y"},
		{"a decision in it", []string{"01-a", top, "01-a/01-b", "id: b\nkind: decide\nstatus: done", "01-a/01-b/01-x", "id: x\nstatus: done", "01-a/01-b/02-y", "id: y\nstatus: skipped", "01-a/02-c", "id: c"}, "c x"},
		{"both in tasks", []string{"01-a", top, "01-a/01-b", "id: b\nstatus: done", "01-a/01-b/01-x", "id: x\nstatus: done", "01-a/02-c", "id: c", "01-a/02-c/01-d", "id: d"}, "d x"},
	} {
		p, _ := Read("p", "", fileList(c.pairs...))
		got := ""
		if left, chosen := p.PassedOver(); left != nil {
			got = left.ID + " " + chosen.ID
		}
		equal(t, c.name, got, c.want)
	}
}

func TestWaitsForAndBlockers(t *testing.T) {
	p := build(t,
		"01-a", "id: a", "02-b", "id: b\nstatus: done", "03-box", "id: box\ndepends_on: [b, d, a]", "03-box/01-c", "id: c\ndepends_on: [a]", "04-d", "id: d",
		"signals/s1.md", signal("blocker", ""), "signals/s2.md", signal("blocker", "c"), "signals/s3.md", signal("blocker", "box"),
		"signals/s4.md", signal("blocker", "a"), "signals/s5.md", signal("warning", "c"))
	equal(t, "c waits for", ids(p.WaitsFor(p.Task("c"))), "a d")
	equal(t, "a waits for", ids(p.WaitsFor(p.Task("a"))), "")
	names := func(signals []*Signal) string {
		out := ""
		for _, s := range signals {
			out += s.ID + " "
		}
		return out
	}
	equal(t, "on the plan", names(p.Blockers(nil)), "s1 ")
	equal(t, "on c", names(p.Blockers(p.Task("c"))), "s1 s2 s3 ")
	equal(t, "on d", names(p.Blockers(p.Task("d"))), "s1 ")
}

func TestReadyIsQuick(t *testing.T) {
	p := build(t, chain(2000, "")...)
	equal(t, "ready", ids(p.Ready()), "t-0")
	equal(t, "size", fmt.Sprint(len(p.All())), "2023")
}
