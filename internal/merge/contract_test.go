package merge

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// contract is one sentence of what merging promises.
type contract struct {
	name     string
	b, o, t  files
	want     []string // lines that a file of the result has, as "file: line"
	not      []string
	conflict string // how the only conflict reads; empty for none
}

func stampsOf(status, who, from, to string) string {
	s := "status: " + status + "\nexecuted_by: " + who + "\nstarted_at: " + from + "\n"
	if to != "" {
		s += "completed_at: " + to + "\nresult: by " + who + "\n"
	}
	return s
}

// leased are the stamps of a claim.
func leased(who, from, to string) string {
	return stampsOf("in_progress", who, from, "") + "lease_until: " + to + "\n"
}

const (
	one     = "tasks/01-one.md"
	two     = "tasks/02-two.md"
	morning = "2026-01-01T08:00:00Z"
	noon    = "2026-01-01T12:00:00Z"
	evening = "2026-01-01T20:00:00Z"
	late    = "2026-01-01T23:00:00Z"
)

// statusRow is a row about two statuses that task one reached on the two sides: the
// published one stays.
func statusRow(ours, theirs string) contract {
	c := contract{
		name: ours + " here, " + theirs + " there", b: base(),
		o:    base().fields("one", stampsOf(ours, "alice", morning, evening)),
		t:    base().fields("one", stampsOf(theirs, "bob", noon, evening)),
		want: []string{one + ": status: " + theirs, one + ": executed_by: bob", one + ": started_at: " + noon, one + ": result: by bob"},
		not:  []string{one + ": executed_by: alice"},
	}
	if ours != "in_progress" && ours != "pending" {
		c.want = append(c.want, one+":   - \"alice reported "+ours+" at "+evening+": by alice; bob had "+theirs+" it\"")
	}
	return c
}

func statusContract() []contract {
	// From a task that failed, so that every status is a change.
	rows := []contract{
		statusRow("done", "blocked"), statusRow("blocked", "done"), statusRow("done", "skipped"), statusRow("skipped", "done"),
		statusRow("cancelled", "done"), statusRow("in_progress", "done"), statusRow("in_progress", "cancelled"),
	}
	for i := range rows {
		rows[i].b = rows[i].b.fields("one", "status: failed\nexecuted_by: eve\nstarted_at: "+morning+"\nerror: broke\n")
	}
	released := contract{
		name: "a report on a task that was released", b: base().fields("one", leased("alice", morning, noon)),
		o: base().fields("one", stampsOf("done", "alice", morning, noon)), t: base(),
		want: []string{one + ":   - \"alice reported done at " + noon + ": by alice; it was pending\""}, not: []string{one + ": status: done"},
	}
	return append(rows, statusRow("done", "failed"), statusRow("failed", "done"), released)
}

// againContract is about tasks that end on one side in the status that they had.
func againContract() []contract {
	done := base().fields("one", stampsOf("done", "eve", morning, noon))
	return []contract{
		{
			name: "done again beats its reopening",
			b:    done, o: base(), t: base().fields("one", stampsOf("done", "bob", evening, late)),
			want: []string{one + ": status: done", one + ": executed_by: bob", one + ": completed_at: " + late, one + ": result: by bob"},
		}, {
			name: "a published release beats a takeover",
			b:    base().fields("one", leased("eve", morning, noon)), o: base().fields("one", leased("bob", evening, late)), t: base(),
			not: []string{one + ": status: in_progress", one + ": executed_by: bob", one + ": lease_until: " + late},
		}, {
			name: "failed again beats another try",
			b:    base().fields("one", "status: failed\nexecuted_by: eve\nerror: broke\n"),
			o:    base().fields("one", leased("alice", noon, late)),
			t:    base().fields("one", "status: failed\nexecuted_by: bob\nstarted_at: "+evening+"\nerror: the disk is full\n"),
			want: []string{one + ": status: failed", one + ": executed_by: bob", one + ": error: the disk is full"}, not: []string{one + ": lease_until: " + late},
		}, {
			name: "failed again beats done",
			b:    base().fields("one", "status: failed\nexecuted_by: eve\nerror: broke\n"),
			o:    base().fields("one", stampsOf("done", "alice", noon, evening)),
			t:    base().fields("one", "status: failed\nexecuted_by: bob\nstarted_at: "+evening+"\nerror: the disk is full\n"),
			want: []string{one + ": status: failed", one + ":   - \"alice reported done at " + evening + ": by alice; bob had failed it\""},
		}, {
			name: "a lease that is renewed does not undo a release",
			b:    base().fields("one", leased("eve", morning, noon)), o: base().fields("one", leased("eve", morning, late)), t: base(),
			not: []string{one + ": status: in_progress", one + ": lease_until: " + late},
		}, {
			name: "nor does a result that is put right undo a reopening",
			b:    done, o: base().fields("one", strings.Replace(stampsOf("done", "eve", morning, noon), "by eve", "by me", 1)), t: base(),
			want: []string{one + ":   - \"eve reported done at " + noon + ": by me; it was pending\""}, not: []string{one + ": status: done"},
		}, {
			name: "a failure that is reported again, beside a new start, is a note",
			b:    base().fields("one", stampsOf("failed", "eve", morning, noon)), o: base().fields("one", strings.Replace(stampsOf("failed", "eve", morning, noon), "by eve", "again", 1)),
			t:    base().fields("one", leased("bob", noon, evening)),
			want: []string{one + ": status: in_progress", one + ":   - \"eve reported failed at " + noon + ": again; bob had started it\""},
		},
	}
}

func fieldContract() []contract {
	return []contract{
		{
			name: "one side changed: that side",
			b:    base(), o: base(), t: base().fields("one", "title: Theirs # why\n"),
			want: []string{one + ": title: Theirs # why"},
		}, {
			name: "different fields of one file",
			b:    base().fields("one", "title: One\npriority: low\n"), o: base().fields("one", "title: Uno\npriority: low\n"), t: base().fields("one", "title: One\npriority: high\n"),
			want: []string{one + ": title: Uno", one + ": priority: high"},
		}, {
			name: "comments and quoting of both sides",
			b:    base().fields("one", "title: One\npriority: low\n"), o: base().fields("one", "title: 'Uno' # ours\npriority: low\n"), t: base().fields("one", "title: One\npriority: high # theirs\n"),
			want: []string{one + ": title: 'Uno' # ours", one + ": priority: high # theirs"},
		}, {
			name: "a report beside an edit",
			b:    base(), o: base().fields("one", "title: Uno\n"), t: base().fields("one", stampsOf("done", "bob", noon, evening)),
			want: []string{one + ": title: Uno", one + ": status: done"},
		}, {
			name: "a report beside a renewed lease",
			b:    base().fields("one", stampsOf("in_progress", "bob", noon, "")+"lease_until: "+noon+"\n"),
			o:    base().fields("one", stampsOf("in_progress", "bob", noon, "")+"lease_until: "+evening+"\n"),
			t:    base().fields("one", stampsOf("done", "bob", noon, evening)),
			want: []string{one + ": status: done"}, not: []string{one + ": lease_until: " + evening},
		}, {
			name: "two claims: the published one stays, whatever the times",
			b:    base(), o: base().fields("one", leased("alice", morning, evening)), t: base().fields("one", leased("bob", noon, noon)),
			want: []string{one + ": executed_by: bob", one + ": started_at: " + noon, one + ": lease_until: " + noon}, not: []string{one + ": notes: alice"},
		}, {
			name: "two claims, of which the published has no lease",
			b:    base(), o: base().fields("one", leased("alice", noon, evening)), t: base().fields("one", stampsOf("in_progress", "bob", morning, "")),
			want: []string{one + ": executed_by: bob"}, not: []string{one + ": lease_until: " + evening},
		}, {
			name: "a claim taken over keeps its own lease, beside a renewal of the old one",
			b:    base().fields("one", leased("alice", morning, noon)), o: base().fields("one", leased("alice", morning, late)), t: base().fields("one", leased("bob", noon, evening)),
			want: []string{one + ": executed_by: bob", one + ": started_at: " + noon, one + ": lease_until: " + evening},
		}, {
			name: "a claim that both renew lasts as long as either says",
			b:    base().fields("one", leased("bob", morning, noon)), o: base().fields("one", leased("bob", morning, late)), t: base().fields("one", leased("bob", morning, evening)),
			want: []string{one + ": lease_until: " + late},
		}, {
			name: "two completions: the published one stays, and the other is a note",
			b:    base(), o: base().fields("one", stampsOf("done", "alice", morning, noon)), t: base().fields("one", stampsOf("done", "bob", morning, evening)),
			want: []string{one + ": completed_at: " + evening, one + ": result: by bob", one + ":   - \"alice reported done at " + noon + ": by alice; bob had done it\""},
		}, {
			name: "the end of a claim that the other side has",
			b:    base(), o: base().fields("one", stampsOf("done", "bob", noon, evening)), t: base().fields("one", leased("bob", noon, late)),
			want: []string{one + ": status: done", one + ": result: by bob"}, not: []string{one + ": lease_until: " + late},
		}, {
			name: "other scalars changed two ways conflict",
			b:    base(), o: base().fields("one", "priority: low\n"), t: base().fields("one", "priority: high\n"),
			conflict: "auth/one: priority: ours `low`, theirs `high`",
		}, {
			name: "a field of plan.md, too",
			b:    base(), o: base().with("plan.md", "---\ntitle: A\n---\n\nText.\n"), t: base().with("plan.md", "---\ntitle: B\n---\n\nText.\n"),
			conflict: "auth: title: ours `A`, theirs `B`",
		}, {
			name: "lists merge by item",
			b:    base().fields("one", "tags: [a, b, c]\n"), o: base().fields("one", "tags: [a, x, c]\n"), t: base().fields("one", "tags: [a, b, c, z] # ours to keep\n"),
			want: []string{one + ": tags: [a, x, c, z] # ours to keep"},
		}, {
			name: "what both add is there once",
			b:    base(), o: base().fields("one", "tags: [a, b]\n"), t: base().fields("one", "tags: [b, c]\n"),
			want: []string{one + ": tags: [a, b, c]"},
		}, {
			name: "ticks of a checklist",
			b:    base().fields("one", "subtasks:\n  - one\n  - '[ ] two'\n"), o: base().fields("one", "subtasks:\n  - '[x] one'\n  - '[ ] two'\n"),
			t:    base().fields("one", "subtasks:\n  - one\n  - '[x] two'\n"),
			want: []string{one + ": subtasks: [x] one, [x] two"},
		}, {
			name: "bodies merge by line",
			b:    base(), o: base().with(one, strings.Replace(task("one", ""), "Do one", "Do it first", 1)), t: base().with(one, strings.Replace(task("one", ""), "Then stop", "Then rest", 1)),
			want: []string{one + ": Do it first.", one + ": Then rest."},
		}, {
			name: "one line of a body, two ways",
			b:    base(), o: base().with(one, strings.Replace(task("one", ""), "Then look", "Look well", 1)), t: base().with(one, strings.Replace(task("one", ""), "Then look", "Never look", 1)),
			conflict: "auth/one: body: ours `Look well.`, theirs `Never look.`",
		},
	}
}

func treeContract() []contract {
	return []contract{
		{
			name: "new tasks with one number: the unpublished is renumbered",
			b:    base(), o: base().with("tasks/04-mine.md", task("mine", ""), "tasks/05-last.md", task("last", "")), t: base().with("tasks/04-yours.md", task("yours", "")),
			want: []string{"tasks/04-yours.md: id: yours", "tasks/05-mine.md: id: mine", "tasks/06-last.md: id: last"},
		}, {
			name: "a container that is renumbered takes its children along",
			b:    base(), o: base().with("tasks/04-mine.md", task("mine", ""), "tasks/04-mine/01-part.md", task("part", "")), t: base().with("tasks/04-yours.md", task("yours", "")),
			want: []string{"tasks/05-mine.md: id: mine", "tasks/05-mine/01-part.md: id: part"},
		}, {
			name: "new tasks with one id: the unpublished gets another, its dependents with it",
			b:    base(),
			o:    base().with("tasks/04-new.md", task("new", "title: Mine\n"), "tasks/05-more.md", task("more", "depends_on: [new, one]\n")),
			t:    base().with("tasks/04-new.md", task("new", "title: Yours\n"), "tasks/05-less.md", task("less", "depends_on: [new]\n")),
			want: []string{"tasks/04-new.md: id: new", "tasks/05-less.md: depends_on: new", "tasks/06-new.md: id: new-2", "tasks/07-more.md: depends_on: new-2, one"},
		}, {
			name: "one new task that both have",
			b:    base(), o: base().with("tasks/04-new.md", task("new", "status: in_progress\n")), t: base().with("tasks/04-new.md", task("new", "")),
			want: []string{"tasks/04-new.md: status: in_progress"},
		}, {
			name: "deleted and left alone",
			b:    base(), o: base().with(two, ""), t: base().fields("one", "title: Uno\n"),
			not: []string{two + ": id: two"},
		}, {
			name: "deleted and changed",
			b:    base(), o: base().with(two, ""), t: base().fields("two", "depends_on: [one]\nstatus: in_progress\n"),
			conflict: "auth/two: task: removed by one side and changed by the other; ours `removed`, theirs `changed`",
		}, {
			name: "deleted and given another name",
			b:    base(), o: base().with(two, ""), t: base().with(two, "", "tasks/02-second.md", task("two", "depends_on: [one]\n")),
			conflict: "auth/two: task: removed by one side and changed by the other; ours `removed`, theirs `changed`",
		}, {
			name: "deleted and given another number",
			b:    base(), o: base().with(two, ""), t: base().with(two, "", "tasks/04-two.md", task("two", "depends_on: [one]\n")),
			not: []string{"tasks/04-two.md: id: two"},
		}, {
			name: "an alternative added to what is decided meanwhile",
			b:    base().fields("box", "kind: decide\n"),
			o:    base().fields("inside", "status: done\ncompleted_at: "+noon+"\n").fields("other", "status: skipped\n").fields("box", "kind: decide\nstatus: done\n"),
			t:    base().fields("box", "kind: decide\n").with("tasks/03-box/03-third.md", task("third", ""), "tasks/03-box/03-third/01-part.md", task("part", "status: in_progress\nlease_until: "+evening+"\n")),
			want: []string{"tasks/03-box.md: status: done", "tasks/03-box/03-third.md: status: skipped", "tasks/03-box/03-third/01-part.md: status: skipped", "tasks/03-box/03-third/01-part.md: completed_at: " + noon},
			not:  []string{"tasks/03-box/03-third/01-part.md: lease_until: " + evening},
		}, {
			name: "a container deleted, and a task added in it",
			b:    base(), o: base().with("tasks/03-box.md", "", "tasks/03-box/01-inside.md", "", "tasks/03-box/02-other.md", ""), t: base().with("tasks/03-box/03-new.md", task("new", "")),
			conflict: "auth/box: task: removed by one side, while the other has `new` below it; ours `removed`, theirs `changed`",
		}, {
			name: "moved, and changed where it was",
			b:    base(), o: base().with(two, "", "tasks/03-box/03-two.md", task("two", "depends_on: [one]\n")), t: base().fields("two", "depends_on: [one]\nstatus: done\n"),
			want: []string{"tasks/03-box/03-two.md: status: done"},
		}, {
			name: "moved below two containers",
			b:    base(), o: base().with(two, "", "tasks/03-box/03-two.md", task("two", "depends_on: [one]\n")), t: base().with(two, "", "tasks/01-one/01-two.md", task("two", "")),
			conflict: "auth/two: path: ours `tasks/03-box/03-two.md`, theirs `tasks/01-one/01-two.md`",
		}, {
			name: "containers are brought up to date",
			b:    base(),
			o:    base().fields("inside", "status: done\ncompleted_at: "+noon+"\n").fields("box", "status: in_progress\n"),
			t:    base().fields("other", "status: done\ncompleted_at: "+evening+"\n").fields("box", "status: in_progress\n"),
			want: []string{"tasks/03-box.md: status: done", "tasks/03-box.md: completed_at: " + evening},
		}, {
			name: "a container that follows from nothing stays as it is written",
			b:    base().fields("box", "status: blocked\n"), o: base().fields("box", "status: blocked\n").fields("one", "title: Uno\n"), t: base().fields("box", "status: blocked\n").fields("two", "title: Due\n"),
			want: []string{"tasks/03-box.md: status: blocked"},
		}, {
			name: "two replans of one version conflict as a whole",
			b:    base(), o: files{"plan.md": "---\ntitle: A\nversion: 2\n---\n\nText.\n", one: task("one", "")}, t: files{"plan.md": "---\ntitle: B\nversion: 2\n---\n\nText.\n", two: task("two", "")},
			conflict: "auth: version: both sides replanned version 1; ours `2`, theirs `2`",
		}, {
			name: "removed and left alone", b: base(), o: nil, t: base(),
		}, {
			name: "removed and changed", b: base(), o: nil, t: base().fields("one", "status: done\n"),
			conflict: "auth: plan: removed by one side and changed by the other; ours `removed`, theirs `changed`",
		}, {
			name: "one plan that both have, without a base",
			o:    base().fields("one", "status: done\n"), t: base().fields("two", "depends_on: [one]\nstatus: in_progress\n"),
			want: []string{one + ": status: done", two + ": status: in_progress"},
		}, {
			name: "two plans of one id", o: base(), t: base().fields("one", "title: Uno\n"),
			conflict: "auth: plan: both sides made a plan of that id; ours `made`, theirs `made`",
		},
	}
}

func signal(level, at, more string) string {
	return "---\nlevel: " + level + "\nopened_at: " + at + "\n" + more + "---\n\nSeen " + at + ".\n"
}

func signalContract() []contract {
	const ci = "signals/ci.md"
	return []contract{
		{
			name: "a signal opened on one side", b: base(), o: base().with(ci, signal("blocker", noon, "")), t: base().fields("one", "title: Uno\n"),
			want: []string{ci + ": level: blocker"},
		}, {
			name: "one signal opened on both: the graver level, the later report",
			b:    base(), o: base().with(ci, signal("blocker", noon, "task: one\n")), t: base().with(ci, signal("warning", evening, "task: one\n")),
			want: []string{ci + ": level: blocker", ci + ": Seen " + evening + "."},
		}, {
			name: "two signals of one id",
			b:    base(), o: base().with(ci, signal("blocker", noon, "task: one\n")), t: base().with(ci, signal("warning", evening, "task: two\n")),
			want: []string{ci + ": task: two", "signals/ci-2.md: task: one"},
		}, {
			name: "cleared", b: base().with(ci, signal("info", noon, "")), o: base(), t: base().with(ci, signal("info", noon, "")).fields("one", "title: Uno\n"),
			not: []string{ci + ": level: info"},
		}, {
			name: "cleared and opened again", b: base().with(ci, signal("info", noon, "")), o: base(), t: base().with(ci, signal("blocker", evening, "")),
			conflict: "auth: signals/ci: cleared by one side and opened again by the other; ours `removed`, theirs `changed`",
		},
	}
}

func TestContract(t *testing.T) {
	rows := slices.Concat(statusContract(), againContract(), fieldContract(), treeContract(), signalContract())
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, Plans(c.b.plan(), c.o.plan(), c.t.plan(), Options{}))
			c.preferred(t)
		})
	}
}

func (c contract) check(t *testing.T, r Result) {
	t.Helper()
	switch {
	case c.conflict == "" && !r.Clean():
		t.Errorf("conflicts %q", stringsOf(r.Conflicts))
	case c.conflict != "" && (len(r.Conflicts) != 1 || r.Conflicts[0].String() != c.conflict):
		t.Errorf("conflicts %q, want %q", stringsOf(r.Conflicts), c.conflict)
	}
	for _, want := range c.want {
		if !says(r.Plan, want) {
			t.Errorf("no line %q in\n%s", want, show(r.Plan))
		}
	}
	for _, not := range c.not {
		if says(r.Plan, not) {
			t.Errorf("a line %q in\n%s", not, show(r.Plan))
		}
	}
	if len(c.want)+len(c.not) == 0 && c.conflict == "" && r.Plan != nil {
		t.Errorf("a plan is left:\n%s", show(r.Plan))
	}
}

// preferred requires that a conflict ends once a side is preferred.
func (c contract) preferred(t *testing.T) {
	for _, side := range []Side{Ours, Theirs} {
		if r := Plans(c.b.plan(), c.o.plan(), c.t.plan(), Options{Prefer: side}); !r.Clean() || c.conflict != "" && len(r.Notes) == 0 {
			t.Errorf("with %s preferred: conflicts %q, notes %q", side, stringsOf(r.Conflicts), r.Notes)
		}
	}
}

// Of two tasks that each side put below the other one stands where the side has
// it that is preferred.
func TestTangledPlacesPreferred(t *testing.T) {
	plan, a, b := base()["plan.md"], task("a", ""), task("b", "")
	before := files{"plan.md": plan, "tasks/01-a.md": a, "tasks/02-b.md": b}
	ours := files{"plan.md": plan, "tasks/02-b.md": b, "tasks/02-b/01-a.md": a}
	theirs := files{"plan.md": plan, "tasks/01-a.md": a, "tasks/01-a/01-b.md": b}
	for _, o := range []Options{{Prefer: Ours}, {Prefer: Theirs}} {
		want := theirs
		if o.Prefer == Ours {
			want = ours
		}
		if r := Plans(before.plan(), ours.plan(), theirs.plan(), o); !r.Clean() || show(r.Plan) != show(want.plan()) {
			t.Errorf("%s preferred: %s", o.Prefer, show(r.Plan))
		}
	}
}

// says reports whether a plan has a file with that line, or that list.
func says(p *plan.Plan, want string) bool {
	file, line, _ := strings.Cut(want, ": ")
	if p == nil {
		return false
	}
	text, ok := p.Files()[file]
	if !ok {
		return false
	}
	if strings.Contains("\n"+string(text), "\n"+line+"\n") {
		return true
	}
	key, items, _ := strings.Cut(line, ": ")
	d := parse(file, string(text))
	return d.Has(key) && strings.Join(d.List(key), ", ") == items
}
