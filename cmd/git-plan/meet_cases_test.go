package main

import (
	"fmt"
	"slices"
	"strings"
)

// meetingFiles are the plans that every meeting begins with.
func meetingFiles() map[string]string {
	files := map[string]string{
		"auth/plan.md":               "---\ntitle: Auth\ngoal: People log in.\n---\n\nWho may come in.\n",
		"auth/tasks/01-one.md":       "---\nid: one\ntitle: One\npriority: low\ntags: [core, api]\nsubtasks:\n  - '[ ] read'\n  - '[ ] write'\n---\n\nFirst.\n\nSecond.\n\nThird.\n",
		"auth/tasks/02-two.md":       "---\nid: two\n---\n\nDo two.\n",
		"auth/tasks/03-three.md":     "---\nid: three\n---\n\nDo three.\n",
		"auth/tasks/04-box.md":       "---\nid: box\nstatus: in_progress\n---\n\nBoth.\n",
		"auth/tasks/04-box/01-le.md": "---\nid: le\nstatus: in_progress\n---\n\nLeft.\n",
		"auth/tasks/04-box/02-ri.md": "---\nid: ri\nstatus: in_progress\n---\n\nRight.\n",
		"shop/plan.md":               "---\ntitle: Shop\n---\n\nSell.\n",
		"shop/tasks/01-sell.md":      "---\nid: sell\nstatus: done\n---\n\nSell.\n",
		"board/plan.md":              "---\ntitle: Board\n---\n\nEvery pair.\n",
	}
	for _, p := range statusPairs() {
		files[p.path()] = p.file(p.base, "")
	}
	return files
}

// Two files of the store that many meetings change.
const (
	taskOne = "auth/tasks/01-one.md"
	taskTwo = "auth/tasks/02-two.md"
)

func madeTask(id, more string) string { return "---\nid: " + id + "\n" + more + "---\n\nDo it.\n" }

// taskMeetings are about the tasks of one plan.
func taskMeetings() []meeting {
	return []meeting{
		{
			name: "one number for new tasks",
			a:    []edit{put("auth/tasks/05-ant.md", madeTask("ant", ""))},
			b:    []edit{put("auth/tasks/05-bee.md", madeTask("bee", "")), put("auth/tasks/06-bug.md", madeTask("bug", "depends_on: [bee]\n"))},
			want: outcome{
				files: []edit{
					put("auth/tasks/05-ant.md", madeTask("ant", "")), put("auth/tasks/06-bee.md", madeTask("bee", "")),
					put("auth/tasks/07-bug.md", madeTask("bug", "depends_on: [bee]\n")),
				},
				notes: []string{"task bee: number 5 is taken, it has 6 now", "task bug: number 6 is taken, it has 7 now"},
			},
			in: map[way]outcome{native: {refused: "[sort-index]"}},
		},
		{
			name: "one id for new tasks",
			a:    []edit{put("auth/tasks/05-new.md", madeTask("new", "title: Ant\n"))},
			b:    []edit{put("auth/tasks/06-new.md", madeTask("new", "title: Bee\n")), put("auth/tasks/07-last.md", madeTask("last", "depends_on: [one, new]\n"))},
			want: outcome{
				files: []edit{
					put("auth/tasks/05-new.md", madeTask("new", "title: Ant\n")), put("auth/tasks/06-new.md", madeTask("new-2", "title: Bee\n")),
					put("auth/tasks/07-last.md", madeTask("last", "depends_on: [one, new-2]\n")),
				},
				notes: []string{"task new: the id is taken, it is new-2 now"},
			},
			in: map[way]outcome{native: {refused: "[id-duplicate]"}},
		},
		{
			name: "one file for new tasks",
			a:    []edit{put("auth/tasks/05-new.md", madeTask("new", "title: Ant\n"))},
			b:    []edit{put("auth/tasks/05-new.md", madeTask("new", "title: Bee\n"))},
			want: outcome{
				files: []edit{
					put("auth/tasks/05-new.md", madeTask("new", "title: Ant\n")), put("auth/tasks/06-new.md", madeTask("new-2", "title: Bee\n")),
				},
				notes: []string{"task new: the id is taken, it is new-2 now", "number 5 is taken"},
			},
			in: map[way]outcome{native: {refused: "title: ours `Bee`, theirs `Ant`"}},
		},
		{
			name: "different fields",
			a:    []edit{sub(taskOne, "title: One", "title: Uno"), sub(taskOne, "First.", "At first.")},
			b:    []edit{sub(taskOne, "priority: low", "priority: high"), sub(taskOne, "Third.", "At last.")},
			want: outcome{files: []edit{
				sub(taskOne, "title: One", "title: Uno"), sub(taskOne, "First.", "At first."),
				sub(taskOne, "priority: low", "priority: high"), sub(taskOne, "Third.", "At last."),
			}},
		},
		{
			name: "one field",
			a:    []edit{sub(taskOne, "title: One", "title: Uno"), sub("auth/plan.md", "title: Auth", "title: Log in")},
			b:    []edit{sub(taskOne, "title: One", "title: Eins"), sub("auth/plan.md", "title: Auth", "title: Sign in")},
			want: outcome{conflicts: []string{"auth title", "auth/one title"}},
			in:   map[way]outcome{native: {refused: "conflict: auth/one: title: ours `Eins`, theirs `Uno`"}},
		},
		{
			name: "one text",
			a:    []edit{sub(taskOne, "Second.", "Second, by ant.")},
			b:    []edit{sub(taskOne, "Second.", "Second, by bee.")},
			want: outcome{conflicts: []string{"auth/one body"}},
			in:   map[way]outcome{native: {refused: "conflict: auth/one: body: ours `Second, by bee.`, theirs `Second, by ant.`"}},
		},
		{
			name: "a list",
			a:    []edit{sub(taskOne, "[core, api]", "[core, api, ant]"), sub(taskOne, "'[ ] read'", "'[x] read'")},
			b:    []edit{sub(taskOne, "[core, api]", "[api, bee]"), sub(taskOne, "  - '[ ] write'\n", "  - '[ ] write'\n  - \"[ ] send\"\n")},
			want: outcome{files: []edit{
				sub(taskOne, "[core, api]", "[api, bee, ant]"), sub(taskOne, "'[ ] read'", "'[x] read'"),
				sub(taskOne, "  - '[ ] write'\n", "  - '[ ] write'\n  - \"[ ] send\"\n"),
			}},
		},
		{
			name: "removed and changed",
			a:    []edit{del(taskTwo)},
			b:    []edit{sub(taskTwo, "Do two.", "Do both.")},
			want: outcome{conflicts: []string{"auth/two task"}},
			in:   map[way]outcome{native: {refused: "CONFLICT (modify/delete): " + taskTwo}},
		},
		{
			name: "changed and removed",
			a:    []edit{sub(taskTwo, "Do two.", "Do both.")},
			b:    []edit{del(taskTwo)},
			want: outcome{conflicts: []string{"auth/two task"}},
			in:   map[way]outcome{native: {refused: "CONFLICT (modify/delete): " + taskTwo}},
		},
		{
			name: "removed and needed",
			a:    []edit{del(taskTwo)},
			b:    []edit{sub("auth/tasks/03-three.md", "id: three", "id: three\ndepends_on: [two]")},
			want: outcome{conflicts: []string{"auth/three depends-unknown"}},
			in:   map[way]outcome{native: {refused: "[depends-unknown]"}},
		},
		{
			name: "a container removed and a task added in it",
			a:    []edit{del("auth/tasks/04-box.md"), del("auth/tasks/04-box/01-le.md"), del("auth/tasks/04-box/02-ri.md")},
			b:    []edit{put("auth/tasks/04-box/03-mid.md", madeTask("mid", ""))},
			want: outcome{conflicts: []string{"auth/box task"}},
			in:   map[way]outcome{native: {refused: "[container]"}},
		},
		{
			name: "moved and changed",
			a:    []edit{del(taskTwo), put("auth/tasks/04-box/03-two.md", meetingFiles()[taskTwo])},
			b:    []edit{sub(taskTwo, "Do two.", "Do both.")},
			want: outcome{files: []edit{del(taskTwo), put("auth/tasks/04-box/03-two.md", strings.Replace(meetingFiles()[taskTwo], "Do two.", "Do both.", 1))}},
		},
		{
			name: "a cycle of two",
			a:    []edit{sub(taskTwo, "id: two", "id: two\ndepends_on: [three]")},
			b:    []edit{sub("auth/tasks/03-three.md", "id: three", "id: three\ndepends_on: [two]")},
			want: outcome{conflicts: []string{"auth/three depends-cycle"}},
			in: map[way]outcome{
				native: {refused: "[depends-cycle]"},
			},
		},
		{
			name: "replanned twice",
			aRun: []string{"replan", "auth", "--force", "--reason", "ant says so", "--from", "../for-ant"},
			bRun: []string{"replan", "auth", "--force", "--reason", "bee says so", "--from", "../for-bee"},
			want: outcome{conflicts: []string{"auth version"}},
			in:   map[way]outcome{native: {refused: "both sides replanned version 1"}},
			// Done later, it is the next replan, and says so with --force.
			without: []way{threaded, pushed},
		},
		{
			name: "a container of both",
			a:    []edit{sub("auth/tasks/04-box/01-le.md", "in_progress", "done")},
			b:    []edit{sub("auth/tasks/04-box/02-ri.md", "in_progress", "done")},
			want: outcome{
				files: []edit{
					sub("auth/tasks/04-box/01-le.md", "in_progress", "done"), sub("auth/tasks/04-box/02-ri.md", "in_progress", "done"),
					sub("auth/tasks/04-box.md", "in_progress", "done"),
				},
				notes: []string{"container box is done now"},
			},
			in: map[way]outcome{native: {files: []edit{
				sub("auth/tasks/04-box/01-le.md", "in_progress", "done"), sub("auth/tasks/04-box/02-ri.md", "in_progress", "done"),
			}}},
		},
	}
}

// claim is a task that somebody began.
func claim(who, at string) string {
	return fmt.Sprintf("status: in_progress\nexecuted_by: %s\nstarted_at: %s\nlease_until: 2026-01-02T09:00:00Z\n", who, at)
}

// statusMeetings are about what becomes of tasks.
func statusMeetings() []meeting {
	early, late := "2026-01-02T01:00:00Z", "2026-01-02T02:00:00Z"
	two := func(more string) edit { return put(taskTwo, "---\nid: two\n"+more+"---\n\nDo two.\n") }
	table := meeting{name: "every pair that is decided"}
	open := meeting{name: "every pair that is not", in: map[way]outcome{native: {refused: "conflict: board/"}}}
	for _, p := range statusPairs() {
		m := &table
		if p.winner == "" {
			m = &open
			m.want.conflicts = append(m.want.conflicts, "board/"+p.id()+" status")
		}
		if p.a != p.base {
			m.a = append(m.a, put(p.path(), p.file(p.a, "ant")))
		}
		if p.b != p.base {
			m.b = append(m.b, put(p.path(), p.file(p.b, "bee")))
		}
		switch p.winner {
		case "":
		case p.a:
			m.want.files = append(m.want.files, put(p.path(), p.file(p.a, "ant")))
		default:
			m.want.files = append(m.want.files, put(p.path(), p.file(p.b, "bee")))
		}
	}
	// One commit cannot settle a task twice, as a thread's would.
	twice := outcome{conflicts: []string{"board/skipped-cancelled transition"}}
	table.in = map[way]outcome{threaded: twice, pushed: twice}
	return []meeting{
		table, open,
		{
			name: "the earlier of two claims, published",
			a:    []edit{two(claim("ant", early))},
			b:    []edit{two(claim("bee", late))},
			want: outcome{
				files: []edit{two(claim("ant", early) + "notes:\n  - \"started by bee too, " + late + "\"\n")},
			},
		},
		{
			name: "the earlier of two claims, unpublished",
			a:    []edit{two(claim("ant", late))},
			b:    []edit{two(claim("bee", early))},
			want: outcome{
				files: []edit{two(claim("bee", early) + "notes:\n  - \"started by ant too, " + late + "\"\n")},
			},
		},
		{
			name: "two claims by command",
			aRun: []string{"task", "start", "auth/two"},
			bRun: []string{"task", "start", "auth/two"},
			want: outcome{
				files: []edit{two("status: in_progress\nexecuted_by: ant\nstarted_at: 2026-01-02T03:04:05Z\nlease_until: 2026-01-02T07:04:05Z\nnotes:\n  - \"started by bee too, 2026-01-02T03:04:05Z\"\n")},
			},
			in: map[way]outcome{threaded: {says: "conflict"}, pushed: {says: "conflict"}},
		},
	}
}

// pair is a task that both move: from base to a and to b.
type pair struct{ base, a, b, winner string }

func (p pair) id() string { return strings.ReplaceAll(p.a+"-"+p.b, "_", "-") }
func (p pair) path() string {
	return fmt.Sprintf("board/tasks/%02d-%s.md", slices.Index(statusPairs(), p)+1, p.id())
}

func (p pair) file(status, by string) string {
	more := "status: " + status + "\n"
	if by != "" {
		more += "executed_by: " + by + "\nstarted_at: 2026-01-02T01:00:00Z\nresult: " + status + " by " + by + "\n"
	}
	return madeTask(p.id(), more)
}

// statusPairs are all pairs of different statuses, in both directions, with the
// one that wins, or none.
func statusPairs() []pair {
	order := []string{"pending", "in_progress", "blocked", "failed", "skipped", "cancelled"}
	var out []pair
	for i, x := range order {
		for _, y := range order[i+1:] {
			out = append(out, pair{a: x, b: y, winner: y}, pair{a: y, b: x, winner: y})
		}
		winner := ""
		if i < 3 {
			winner = "done"
		}
		out = append(out, pair{a: x, b: "done", winner: winner}, pair{a: "done", b: x, winner: winner})
	}
	for i := range out {
		p := &out[i]
		p.base = "pending"
		if p.a == "pending" || p.b == "pending" {
			p.base = "in_progress"
		}
		if p.a == p.base || p.b == p.base {
			p.base = "blocked"
		}
	}
	return out
}
