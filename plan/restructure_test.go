package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// layout writes a plan as "path:id" of each task, in file order.
func layout(p *Plan) string {
	var out []string
	for _, t := range p.All() {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(t.Doc.Path, "tasks/"), ".md")+":"+t.ID)
	}
	return strings.Join(out, " ")
}

// same holds a plan that was changed in place against what its files say.
func same(t *testing.T, p *Plan) {
	t.Helper()
	q, found := Read(p.ID, p.Prefix, p.FileList())
	if len(found) > 0 || layout(p) != layout(q) {
		t.Errorf("in place %s, read anew %s: %v", layout(p), layout(q), found)
	}
	for i, a := range p.All() {
		b := q.All()[i]
		if a.Number() != b.Number() || a.Status != b.Status || a.Kind != b.Kind || a.Dir != b.Dir || a.index != b.index || (a.Parent == nil) != (b.Parent == nil) {
			t.Errorf("%s differs from what is read anew", a.ID)
		}
	}
}

func insert(t *testing.T, p *Plan, parent string, nn int, id string, m Move) (*Task, error) {
	t.Helper()
	x, err := p.Insert(p.Task(parent), nn, id, []byte("---\nid: "+id+"\n---\nDo it.\n"), m)
	if err == nil {
		err = p.Follow(x, m)
	}
	return x, err
}

func TestInsert(t *testing.T) {
	cases := []struct {
		name, parent string
		nn           int
		want         string
	}{
		{"in front", "", 1, "01-new:new 02-a:a 03-b:b 03-b/01-c:c 03-b/02-d:d 06-e:e"},
		{"between, and no further than must be", "b", 2, "01-a:a 02-b:b 02-b/01-c:c 02-b/02-new:new 02-b/03-d:d 05-e:e"},
		{"at the end", "", 6, "01-a:a 02-b:b 02-b/01-c:c 02-b/02-d:d 05-e:e 06-new:new"},
		{"in a gap", "", 4, "01-a:a 02-b:b 02-b/01-c:c 02-b/02-d:d 04-new:new 05-e:e"},
		{"below a leaf", "a", 1, "01-a:a 01-a/01-new:new 02-b:b 02-b/01-c:c 02-b/02-d:d 05-e:e"},
	}
	for _, c := range cases {
		p := build(t, "01-a", "id: a", "02-b", "id: b", "02-b/01-c", "id: c", "02-b/02-d", "id: d", "05-e", "id: e\ndepends_on: [d]")
		if _, err := insert(t, p, c.parent, c.nn, "new", Move{}); err != nil {
			t.Fatal(err)
		}
		if got := layout(p); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		same(t, p)
	}
}

func TestInsertReopensContainers(t *testing.T) {
	p := build(t, "01-a", "id: a\nstatus: done\ncompleted_at: 2026-01-02T03:04:05Z", "01-a/01-b", "id: b\nstatus: done")
	if _, err := insert(t, p, "a", 2, "new", Move{At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if a := p.Task("a"); a.Status != InProgress || a.Doc.Has("completed_at") {
		t.Errorf("the container is %s\n%s", a.Status, a.Doc.Source)
	}
	same(t, p)
}

func TestInsertRefuses(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	held := "id: a\nstatus: in_progress\nexecuted_by: x\nlease_until: 2026-01-03T00:00:00Z"
	p := build(t, "01-a", held)
	if _, err := insert(t, p, "a", 1, "new", Move{Agent: "y", At: at}); !errors.As(err, new(*HeldError)) {
		t.Errorf("below what somebody holds: %v", err)
	}
	if _, err := insert(t, p, "a", 1, "new", Move{Agent: "x", At: at}); err != nil || p.Task("a").Doc.Has("lease_until") {
		t.Errorf("below what one holds oneself: %v\n%s", err, p.Task("a").Doc.Source)
	}
	p = build(t, "01-a", "id: a\nkind: decide", "01-a/01-b", "id: b\nstatus: done")
	if _, err := insert(t, p, "a", 2, "new", Move{}); !errors.As(err, new(*TransitionError)) {
		t.Errorf("beside what was decided for: %v", err)
	}
	p = build(t, "01-a", "id: a", "99-b", "id: b")
	for nn, want := range map[int]bool{1: true, 99: true, 100: true, 2: false} {
		before := layout(p)
		_, err := insert(t, p, "", nn, "n"+itoa(nn), Move{})
		if refused := errors.As(err, new(*CrowdedError)); refused != want || err != nil && before != layout(p) {
			t.Errorf("at %d: %v, %s", nn, err, layout(p))
		}
	}
	p = build(t, "plan.md", strings.Replace(planFile, "---\nWhy", "abandoned: true\n---\nWhy", 1), "01-a", "id: a")
	if _, err := insert(t, p, "a", 1, "new", Move{}); !errors.As(err, new(*TransitionError)) {
		t.Errorf("in an abandoned plan: %v", err)
	}
}

func TestClear(t *testing.T) {
	p := build(t,
		"01-a", "id: a\nstatus: in_progress\nstarted_at: 2026-01-02T03:04:05Z", "01-a/01-b", "id: b\nstatus: done\noutputs: [x]",
		"01-a/02-c", "id: c", "01-a/02-c/01-d", "id: d\noutputs: [y]",
		"02-e", "id: e\ndepends_on: [b, d]", "03-f", "id: f\ndepends_on: [e, c] # both\ninputs: [x]", "04-g", "id: g\ninputs: [y]",
		"05-h", "id: h\nstatus: done\ninputs: [y]", "06-i", "id: i\ndepends_on: [h]",
		"signals/s.md", signal("blocker", "d"), "signals/t.md", signal("blocker", "e"),
	)
	if err := p.Clear(p.Task("a"), Move{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "what is left", layout(p), "01-a:a 02-e:e 03-f:f 04-g:g 05-h:h 06-i:i")
	for id, want := range map[string]string{"e": "a", "f": "e a", "g": "a", "h": "", "i": "h"} {
		equal(t, "what "+id+" waits for", strings.Join(p.Task(id).Doc.List("depends_on"), " "), want)
	}
	equal(t, "signals", p.Signal("s").Task+" "+p.Signal("t").Task, "a e")
	if a := p.Task("a"); a.Status != Pending || a.Doc.Has("started_at") {
		t.Errorf("the emptied task is %s\n%s", a.Status, a.Doc.Source)
	}
	same(t, p)
}

func TestClearRefuses(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	p := build(t, "01-a", "id: a\nstatus: in_progress", "01-a/01-b", "id: b\nstatus: in_progress\nexecuted_by: x\nlease_until: 2026-01-03T00:00:00Z")
	if err := p.Clear(p.Task("a"), Move{Agent: "y", At: at}); !errors.As(err, new(*HeldError)) {
		t.Errorf("what somebody works on: %v", err)
	}
	if err := p.Clear(p.Task("a"), Move{Agent: "x", At: at}); err != nil {
		t.Errorf("what one works on oneself: %v", err)
	}
}

// A task that waits for a name which the container makes too needs no entry.
func TestClearKeepsDataFlow(t *testing.T) {
	p := build(t, "01-a", "id: a\noutputs: [x]", "01-a/01-b", "id: b\noutputs: [x]", "02-c", "id: c\ninputs: [x]")
	if err := p.Clear(p.Task("a"), Move{}); err != nil {
		t.Fatal(err)
	}
	if c := p.Task("c"); c.Doc.Has("depends_on") || !slices.Contains(p.WaitsFor(c), p.Task("a")) {
		t.Errorf("c waits by\n%s", c.Doc.Source)
	}
}

func TestReplace(t *testing.T) {
	p := build(t, "01-a", "id: a\noutputs: [x]", "02-b", "id: b")
	doc, err := p.Task("b").Doc.Set("inputs", Value([]string{"x"}))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.WaitsFor(p.Task("b"))) > 0 {
		t.Error("b waits before it does")
	}
	p.Replace(p.Task("b"), doc)
	equal(t, "what b waits for", p.WaitsFor(p.Task("b"))[0].ID, "a")
	same(t, p)
}

func TestInsertUnreadable(t *testing.T) {
	p := build(t, "01-a", "id: a")
	if _, err := p.Insert(nil, 1, "b", []byte("no frontmatter"), Move{}); !errors.As(err, new(*EditError)) || layout(p) != "01-a:a" {
		t.Errorf("%v, %s", err, layout(p))
	}
}
