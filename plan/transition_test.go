package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func at(hour int) time.Time { return time.Date(2026, 1, 31, hour, 0, 0, 0, time.UTC) }

// The table of moves, as it is documented.
func documentedMoves() map[Status][]Status {
	return map[Status][]Status{
		Pending:    {InProgress, Done, Failed, Blocked, Skipped, Cancelled},
		InProgress: {Done, Failed, Blocked, Pending, Skipped, Cancelled},
		Blocked:    {InProgress, Pending, Done, Failed, Skipped, Cancelled},
		Failed:     {Pending, InProgress, Skipped, Cancelled},
	}
}

func TestTransitionMatrix(t *testing.T) {
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			for _, reopen := range []bool{false, true} {
				p := build(t, "01-a", "id: a\nexecuted_by: me\nstatus: "+string(from))
				changed, err := p.Transition(p.Task("a"), Move{To: to, Reopen: reopen, At: at(9), Agent: "me"})
				want := slices.Contains(documentedMoves()[from], to) || from.Settled() && to == Pending && reopen
				var refused *TransitionError
				switch {
				case from == to:
					if err != nil || len(changed) > 0 {
						t.Errorf("%s again: %v %v", to, changed, err)
					}
				case want && (err != nil || len(changed) != 1 || p.Task("a").Status != to):
					t.Errorf("%s -> %s (reopen %v): %v %v", from, to, reopen, changed, err)
				case !want && (!errors.As(err, &refused) || refused.From != from || refused.To != to || p.Task("a").Status != from):
					t.Errorf("%s -> %s (reopen %v): %v", from, to, reopen, err)
				}
			}
		}
	}
}

func TestTransitionStamps(t *testing.T) {
	p := build(t, "01-a", "id: a # mine\nlease_until: 2026-02-01T00:00:00Z")
	step := func(m Move, want string) {
		t.Helper()
		m.At = at(len(m.Agent))
		if _, err := p.Transition(p.Task("a"), m); err != nil {
			t.Fatal(err)
		}
		front := frontOf(p.Task("a").Doc.Source)
		equal(t, string(m.To), strings.ReplaceAll(strings.TrimPrefix(front, "id: a # mine\n"), "2026-01-31T", ""), want)
	}
	step(Move{To: InProgress, Agent: "me"}, "status: in_progress\nexecuted_by: me\nstarted_at: 02:00:00Z")
	step(Move{To: Failed, Agent: "other", Error: "no: luck"}, "status: failed\nexecuted_by: me\nstarted_at: 02:00:00Z\nerror: \"no: luck\"")
	step(Move{To: InProgress, Agent: "third"}, "status: in_progress\nexecuted_by: third\nstarted_at: 05:00:00Z\nerror: \"no: luck\"")
	step(Move{To: Done, Agent: "x", Result: " all\n"}, "status: done\nexecuted_by: third\nstarted_at: 05:00:00Z\ncompleted_at: 01:00:00Z\nresult: all")
	step(Move{To: Pending, Reopen: true}, "status: pending")
	step(Move{To: Done, Agent: "me"}, "status: done\nexecuted_by: me\ncompleted_at: 02:00:00Z")
	step(Move{To: Pending, Reopen: true}, "status: pending")
	step(Move{To: Failed, Error: "again"}, "status: failed\nerror: again")
	step(Move{To: Pending}, "status: pending\nerror: again")
	step(Move{To: Skipped, Agent: "me"}, "status: skipped\ncompleted_at: 02:00:00Z\nerror: again")
}

func TestTransitionReports(t *testing.T) {
	p := build(t, "01-a", "id: a\nnotes: [n]\naffected_files: [f]\nevidence:\n  - e")
	m := Move{To: Done, At: at(9), Notes: []string{"n", "m"}, Affected: []string{"f", "g"}, Evidence: []string{"e"}}
	for _, want := range []string{"n n m|f g|e", "n n m|f g|e"} {
		if _, err := p.Transition(p.Task("a"), m); err != nil {
			t.Fatal(err)
		}
		d := p.Task("a").Doc
		equal(t, "lists", strings.Join(d.List("notes"), " ")+"|"+strings.Join(d.List("affected_files"), " ")+"|"+strings.Join(d.List("evidence"), " "), want)
	}
	_, err := p.Transition(p.Task("a"), Move{To: Done, Result: "\x1b"})
	var edit *EditError
	if !errors.As(err, &edit) || edit.Key != "result" {
		t.Errorf("a control character as result: %v", err)
	}
}

func TestTransitionsTogether(t *testing.T) {
	box := []string{"01-box", "id: box", "01-box/01-a", "id: a", "01-box/02-in", "id: in", "01-box/02-in/01-b", "id: b", "02-c", "id: c"}
	choice := []string{"01-d", "id: d\nkind: decide", "01-d/01-a", "id: a", "01-d/02-x", "id: x", "01-d/02-x/01-b", "id: b", "01-d/03-c", "id: c\nstatus: cancelled"}
	cases := []struct {
		name    string
		pairs   []string
		moves   string // "id=status" in turn; a ! reopens
		changed string // by the last
		want    string
	}{
		{"a leaf moves its containers", box, "b=in_progress", "box in b", "box=in_progress a=pending in=in_progress b=in_progress c=pending"},
		{"and back to pending", box, "b=in_progress b=pending", "box in b", "box=pending a=pending in=pending b=pending c=pending"},
		{"done within", box, "b=done", "box in b", "box=in_progress a=pending in=done b=done c=pending"},
		{"done as a whole", box, "b=done a=skipped", "box a", "box=done a=skipped in=done b=done c=pending"},
		{"reopened", box, "b=done a=done !b=pending", "box in b", "box=in_progress a=done in=pending b=pending c=pending"},
		{"failed", box, "b=failed", "box in b", "box=in_progress a=pending in=in_progress b=failed c=pending"},
		{"a container is skipped", box, "a=done box=skipped", "box in b", "box=skipped a=done in=skipped b=skipped c=pending"},
		{"a container is cancelled", box, "b=failed in=cancelled", "in b", "box=in_progress a=pending in=cancelled b=cancelled c=pending"},
		{"a cancelled one reopened from below", box, "box=cancelled !b=pending", "box in b", "box=in_progress a=cancelled in=pending b=pending c=pending"},
		{"alternatives fall away", choice, "a=done", "d a x b", "d=done a=done x=skipped b=skipped c=cancelled"},
		{"a decision through a container", choice, "b=done", "d a x b", "d=done a=skipped x=done b=done c=cancelled"},
		{"a failed alternative decides nothing", choice, "a=failed", "d a", "d=in_progress a=failed x=pending b=pending c=cancelled"},
		{"nor does a skipped one", choice, "a=skipped", "d a", "d=in_progress a=skipped x=pending b=pending c=cancelled"},
		{"twice is once", choice, "a=done a=done", "", "d=done a=done x=skipped b=skipped c=cancelled"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := build(t, c.pairs...)
			var changed []*Task
			for move := range strings.FieldsSeq(c.moves) {
				id, status, _ := strings.Cut(strings.TrimPrefix(move, "!"), "=")
				var err error
				if changed, err = p.Transition(p.Task(id), Move{To: Status(status), Reopen: move[0] == '!', At: at(9)}); err != nil {
					t.Fatal(err)
				}
			}
			equal(t, "changed", ids(changed), c.changed)
			equal(t, "statuses", statuses(p), c.want)
		})
	}
}

func TestTransitionRefusals(t *testing.T) {
	pairs := []string{"01-box", "id: box", "01-box/01-a", "id: a", "02-b", "id: b\nstatus: done", "signals/s.md", signal("blocker", "box")}
	cases := []struct {
		id   string
		to   Status
		want string
	}{
		{"box", Done, "task `box` cannot become done: its status follows the tasks below it; report those"},
		{"box", InProgress, "task `box` cannot become in_progress: its status follows the tasks below it; report those"},
		{"a", Done, "task `a` cannot become done: the blocker `s` is open; clear it first"},
		{"b", Pending, "task `b` cannot become pending: it is done; reopen it explicitly"},
		{"b", Failed, "task `b` is done and cannot become failed"},
		{"a", "finished", "task `a` is pending and cannot become finished"},
		{"a", InProgress, ""}, {"a", Failed, ""}, {"a", Skipped, ""}, {"box", Skipped, ""},
	}
	for _, c := range cases {
		p := build(t, pairs...)
		_, err := p.Transition(p.Task(c.id), Move{To: c.to, At: at(9)})
		if got := ""; err != nil || c.want != "" {
			if err != nil {
				got = err.Error()
			}
			equal(t, c.id+" to "+string(c.to), got, c.want)
		}
	}
	p := build(t, "01-a", "id: a", "plan.md", "---\ntitle: x\nabandoned: true\n---\nb\n")
	if _, err := p.Transition(p.Task("a"), Move{To: Pending}); err == nil || !strings.HasSuffix(err.Error(), "the plan is abandoned") {
		t.Errorf("abandoned: %v", err)
	}
}

func TestTransitionNeedsAnEditableFile(t *testing.T) {
	for _, pairs := range [][]string{
		{"01-a", inFlow("a")},
		{"01-box", inFlow("box"), "01-box/01-a", "id: a"},
		{"01-d", "id: d\nkind: decide", "01-d/01-a", "id: a", "01-d/02-b", inFlow("b")},
	} {
		p := build(t, pairs...)
		var edit *EditError
		if _, err := p.Transition(p.Task("a"), Move{To: Done, At: at(9)}); !errors.As(err, &edit) {
			t.Errorf("%v: %v", pairs, err)
		}
	}
}
