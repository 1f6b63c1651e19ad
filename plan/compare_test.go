package plan

import (
	"fmt"
	"strings"
	"testing"
)

func events(before, after *Plan) string {
	var out []string
	for _, o := range Compare(before, after) {
		s := string(o.Event)
		if o.Task+o.Signal != "" {
			s += ":" + o.Task + o.Signal
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestCompareStatuses(t *testing.T) {
	words := map[Status]string{InProgress: "started", Done: "completed", Failed: "failed", Skipped: "skipped", Cancelled: "cancelled", Blocked: "blocked"}
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			want := words[to] + ":a"
			switch {
			case from == to:
				want = ""
			case to == Pending && (from.Settled() || from == Failed):
				want = "reopened:a"
			case to == Pending:
				want = "released:a"
			}
			equal(t, string(from+" to "+to), events(withStatuses(t, "", string(from)), withStatuses(t, "", string(to))), want)
		}
	}
}

func TestCompare(t *testing.T) {
	plain := build(t, "01-a", "id: a", "02-b", "id: b")
	with := func(pairs ...string) *Plan { return build(t, append([]string{"02-b", "id: b"}, pairs...)...) }
	cases := []struct {
		name          string
		before, after *Plan
		want          string
	}{
		{"neither", nil, nil, ""},
		{"created", nil, plain, "created"},
		{"removed", plain, nil, "removed"},
		{"the same", plain, with("01-a", "id: a"), ""},
		{"replanned, whatever else", plain, with("01-a", "id: c", "plan.md", "---\ntitle: x\nversion: 2\n---\nb\n"), "replanned"},
		{"given up", plain, with("01-a", "id: a", "plan.md", strings.Replace(planFile, "plan\n", "plan\nabandoned: true\n", 1)), "abandoned"},
		{"a task more", plain, with("01-a", "id: a", "03-c", "id: c\nstatus: done"), "revised"},
		{"a task less", plain, with(), "revised"},
		{"moved and revised", plain, with("01-a", "id: a\nstatus: done\ntitle: x"), "completed:a revised"},
		{"several", plain, build(t, "01-a", "id: a\nstatus: done", "02-b", "id: b\nstatus: in_progress"), "completed:a started:b"},
		{"signals", with("01-a", "id: a", "signals/s.md", signal("info", "")), with("01-a", "id: a", "signals/t.md", signal("info", "")), "signal-opened:t signal-cleared:s"},
		{"a signal rewritten", with("01-a", "id: a", "signals/s.md", signal("info", "")), with("01-a", "id: a", "signals/s.md", signal("blocker", "")), "revised"},
		{"a note", plain, with("01-a", "id: a\nnotes: [x]"), "revised"},
		{"containers are not told", with("01-a", "id: a", "01-a/01-c", "id: c"), with("01-a", "id: a\nstatus: done", "01-a/01-c", "id: c\nstatus: done"), "completed:c"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { equal(t, "events", events(c.before, c.after), c.want) })
	}
}

func TestDefinitionChanged(t *testing.T) {
	const front = "id: a\nstatus: pending\ndepends_on: [b]\nsubtasks: [\"[ ] one\", two]\ncontext_hints: [h]\nx-a: 1"
	edit := func(old, new string) []string {
		return []string{"01-a", strings.Replace(front, old, new, 1), "02-b", "id: b"}
	}
	before := build(t, edit("", "")...)
	cases := []struct {
		name         string
		pairs        []string
		plan, taskOf bool
	}{
		{"nothing", edit("", ""), false, false},
		{"status", edit("pending", "done\nresult: x\nnotes: [y]\ncompleted_at: 2026-01-31\nlease_until: 2026-01-31"), false, false},
		{"ticked", edit("[ ] one", "[x] one"), false, false},
		{"comments and quoting", edit("id: a", "# c\nid:   'a'"), false, false},
		{"order of keys", edit("id: a\nstatus: pending", "status: pending\nid: a"), false, false},
		{"null", edit("id: a", "id: a\nagent:"), false, false},
		{"hints", edit("[h]", "[h, i]"), true, true},
		{"hints gone", edit("context_hints: [h]\n", ""), true, true},
		{"depends_on", edit("[b]", "[]"), true, true},
		{"subtasks", edit("one", "none"), true, true},
		{"extension", edit("x-a: 1", "x-a: 2"), true, true},
		{"body", []string{"tasks/01-a.md", "---\n" + front + "\n---\nDo it well.\n", "02-b", "id: b"}, true, true},
		{"renamed", []string{"03-a", front, "02-b", "id: b"}, true, false},
		{"another id", edit("id: a", "id: c"), true, true},
		{"plan.md", append(edit("", ""), "plan.md", strings.Replace(planFile, "A plan", "Other", 1)), true, false},
		{"plan.md, what happened", append(edit("", ""), "plan.md", strings.Replace(planFile, "plan\n", "plan\nversion: 2\ncreated_by: me\n", 1)), false, false},
		{"a task more", append(edit("", ""), "03-c", "id: c"), true, false},
	}
	for _, c := range cases {
		after := build(t, c.pairs...)
		equal(t, c.name, fmt.Sprint(DefinitionChanged(before, after), TaskChanged(before, after.All()[0]) || TaskChanged(before, after.All()[1])), fmt.Sprint(c.plan, c.taskOf))
	}
	if !TaskChanged(nil, before.All()[0]) {
		t.Error("a task of a new plan has changed")
	}
	none, _ := Read("p", "", nil)
	empty, _ := Read("p", "", nil)
	if DefinitionChanged(none, empty) || !DefinitionChanged(none, build(t)) {
		t.Error("plans without plan.md")
	}
}
