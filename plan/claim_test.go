package plan

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// claimed is the frontmatter of a task that an agent began at nine, with a lease
// until an hour; 0 for none.
func claimed(agent string, until int) string {
	s := "id: a\nstatus: in_progress\nexecuted_by: " + agent + "\nstarted_at: " + FormatTime(at(9))
	if until > 0 {
		s += "\nlease_until: " + FormatTime(at(until))
	}
	return s
}

func TestClaim(t *testing.T) {
	cases := []struct {
		front string
		want  string
	}{
		{"id: a", "none"},
		{"id: a\nstatus: blocked\nexecuted_by: ant\nlease_until: 2026-01-31T13:00:00Z", "none"},
		{"id: a\nstatus: in_progress", " lapsed"},
		{"id: a\nstatus: in_progress\nlease_until: 2026-01-31T13:00:00Z", " lapsed"},
		{claimed("ant", 0), "ant lapsed"},
		{claimed("ant", 12), "ant lapsed"},
		{claimed("ant", 13), "ant live"},
		{claimed("ant", 0) + "\nlease_until: 2026-02-01", "ant live"},
	}
	for _, c := range cases {
		got := "none"
		if claim, ok := build(t, "01-a", c.front).Task("a").Claim(); ok {
			got = claim.Agent + map[bool]string{true: " live", false: " lapsed"}[claim.Live(at(12))]
		}
		equal(t, c.front, got, c.want)
	}
	if _, ok := build(t, "01-a", claimed("ant", 13), "01-a/01-b", "id: b").Task("a").Claim(); ok {
		t.Error("a container has a claim")
	}
}

// Each move of each agent on a task that ant began at nine with a lease of four
// hours: h is refused as held, t takes over, r renews, - leaves as it is, and m
// moves.
func TestTransitionsOfClaimedTasks(t *testing.T) {
	moves := []Status{InProgress, Done, Failed, Blocked, Pending, Skipped, Cancelled}
	cases := []struct {
		name  string
		front string
		agent string
		hour  int
		want  string
	}{
		{"the holder", claimed("ant", 13), "ant", 10, "-mmmmmm"},
		{"the holder, half of it over", claimed("ant", 13), "ant", 11, "rmmmmmm"},
		{"the holder, all of it over", claimed("ant", 13), "ant", 14, "rmmmmmm"},
		{"the holder, without a lease", claimed("ant", 0), "ant", 10, "rmmmmmm"},
		{"another", claimed("ant", 13), "bee", 10, "hhhhhmm"},
		{"another, a moment before", claimed("ant", 13), "bee", 12, "hhhhhmm"},
		{"another, when it is over", claimed("ant", 13), "bee", 13, "tmmmmmm"},
		{"another, without a lease", claimed("ant", 0), "bee", 10, "tmmmmmm"},
		{"another, without a holder", "id: a\nstatus: in_progress", "bee", 10, "tmmmmmm"},
		{"nobody", claimed("ant", 13), "", 10, "hhhhhmm"},
		{"nobody, when it is over", claimed("ant", 13), "", 13, "-mmmmmm"},
	}
	for _, c := range cases {
		got := ""
		for _, to := range moves {
			p := build(t, "01-a", c.front)
			before := build(t, "01-a", c.front)
			changed, err := p.Transition(p.Task("a"), Move{To: to, At: at(c.hour), Agent: c.agent, Lease: 4 * time.Hour})
			got += outcomeOf(t, before, p, changed, err)
		}
		equal(t, c.name, got, c.want)
	}
}

func outcomeOf(t *testing.T, before, after *Plan, changed []*Task, err error) string {
	t.Helper()
	var held *HeldError
	old, now := before.Task("a"), after.Task("a")
	switch {
	case errors.As(err, &held):
		equal(t, "held", held.Task+" "+held.Owner+" "+FormatTime(held.Until), "a ant "+FormatTime(at(13)))
		return "h"
	case err != nil:
		return err.Error()
	case len(changed) == 0:
		return "-"
	case old.Status != now.Status:
		return "m"
	case old.Doc.Text("executed_by") != now.Doc.Text("executed_by"):
		equal(t, "events", events(before, after), "released:a started:a")
		return "t"
	}
	equal(t, "events", events(before, after), "")
	equal(t, "renewed", ids(Renewed(before, after)), "a")
	return "r"
}

func TestStartStampsTheLease(t *testing.T) {
	const lapsed = "id: a # mine\nstatus: in_progress\nexecuted_by: ant\nlease_until: 2026-01-31T08:00:00Z # soon"
	p := build(t, "01-a", lapsed)
	if _, err := p.Transition(p.Task("a"), Move{To: InProgress, At: at(9), Agent: "bee", Lease: 90 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	equal(t, "taken over", frontOf(p.Task("a").Doc.Source),
		"id: a # mine\nstatus: in_progress\nexecuted_by: bee\nstarted_at: 2026-01-31T09:00:00Z\nlease_until: 2026-01-31T10:30:00Z")
	_, err := p.Transition(p.Task("a"), Move{To: Done, At: at(10), Agent: "ant", Lease: time.Hour})
	equal(t, "the former holder", err.Error(), "task `a` is held by bee until 2026-01-31T10:30:00Z: "+
		"take another with `git plan next --claim`, wait until then, or act for its holder with --agent")
}

func TestRenew(t *testing.T) {
	pairs := []string{"01-a", claimed("ant", 13),
		"02-b", strings.Replace(claimed("ant", 12), "id: a", "id: b # x", 1), "03-c", strings.Replace(claimed("bee", 13), "id: a", "id: c", 1),
		"04-d", strings.Replace(claimed("ant", 0), "id: a", "id: d", 1), "05-e", strings.Replace(claimed("ant", 23), "id: a", "id: e", 1),
		"06-f", "{id: f, # c\n status: in_progress, executed_by: ant, lease_until: \"2026-01-31T10:00:\\\n 00Z\"}"}
	p := build(t, pairs...)
	changed, err := p.Renew("ant", at(12), 4*time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "renewed", ids(changed), "a b")
	equal(t, "b", frontOf(p.Task("b").Doc.Source), "id: b # x\nstatus: in_progress\nexecuted_by: ant\nstarted_at: 2026-01-31T09:00:00Z\nlease_until: 2026-01-31T16:00:00Z")
	equal(t, "events", events(build(t, pairs...), p), "")
	equal(t, "seen from outside", ids(Renewed(build(t, pairs...), p)), "a b")
	if changed, _ = p.Renew("ant", at(12), 4*time.Hour, nil); len(changed) > 0 {
		t.Errorf("renewed again: %s", ids(changed))
	}
	before := build(t, pairs...)
	if changed, _ = p.Renew("ant", at(20), 4*time.Hour, before); ids(changed) != "e" {
		t.Errorf("renewed, besides what has just been set: %s", ids(changed))
	}
	if changed, _ = p.Renew("", at(20), 4*time.Hour, nil); len(changed) > 0 {
		t.Errorf("renewed for nobody: %s", ids(changed))
	}
}

func TestClaimsInOrder(t *testing.T) {
	with := func(id, front string) string { return strings.Replace(front, "id: a", "id: "+id, 1) }
	p := build(t, "01-a", claimed("ant", 13), "02-b", with("b", claimed("bee", 12)), "03-c", with("c", claimed("ant", 12))+"\npriority: high",
		"04-d", "id: d", "05-e", with("e", claimed("bee", 12))+"\ndepends_on: [d]", "06-f", with("f", claimed("bee", 12)), "signals/s.md", signal("blocker", "f"))
	equal(t, "ant's", ids(p.ClaimsOf("ant")), "c a")
	equal(t, "nobody's", ids(p.ClaimsOf("")), "")
	equal(t, "lapsed", ids(p.Lapsed(at(12))), "c b")
	equal(t, "lapsed later", ids(p.Lapsed(at(13))), "c a b")
	equal(t, "ready", ids(p.Ready()), "d")
	for _, c := range []struct {
		agent   string
		another bool
		want    string
	}{{"ant", false, "c"}, {"ant", true, "d"}, {"cat", false, "d"}, {"", false, "d"}} {
		equal(t, "next for "+c.agent, ids([]*Task{p.NextFor(c.agent, c.another, at(12))}), c.want)
	}
	p.Task("d").Status = Done
	equal(t, "lapsed for cat", ids([]*Task{p.NextFor("cat", false, at(12))}), "c")
	equal(t, "another for ant, not its own", ids([]*Task{p.NextFor("ant", true, at(12))}), "b")
	abandoned := build(t, "01-a", claimed("ant", 13), "plan.md", "---\ntitle: x\nabandoned: true\n---\nb\n")
	if next := abandoned.NextFor("ant", false, at(12)); next != nil {
		t.Errorf("ant is given %s of a plan that was given up", next.ID)
	}
	if next := p.NextFor("bee", true, at(10)); next != nil {
		t.Errorf("all are held, and bee is given %s", next.ID)
	}
}

func TestLeading(t *testing.T) {
	cases := []struct {
		all  []Occurrence
		want Event
	}{
		{nil, ""},
		{[]Occurrence{{Event: Completed, Task: "a"}, {Event: Started, Task: "b"}}, Completed},
		{[]Occurrence{{Event: Released, Task: "a"}, {Event: Started, Task: "a"}}, Started},
		{[]Occurrence{{Event: Released, Task: "a"}, {Event: Started, Task: "b"}}, Released},
	}
	for _, c := range cases {
		equal(t, "leading", string(Leading(c.all)), string(c.want))
	}
}

// However claims are made, lapse and are taken, an agent that is told it has a
// task is its only holder until the lease ends or it lets go.
func TestClaimsAreExclusive(t *testing.T) {
	p := build(t, "01-a", "id: a")
	agents := []string{"ant", "bee", "cat"}
	now, until, holder := at(0), at(0), ""
	for i := range 500 {
		now = now.Add(time.Duration(i*7919%97) * time.Minute)
		who, to := agents[i*31%3], []Status{InProgress, Pending, InProgress, Blocked}[i*17%4]
		_, err := p.Transition(p.Task("a"), Move{To: to, At: now, Agent: who, Lease: time.Hour})
		var held *HeldError
		isOthers := holder != "" && holder != who && now.Before(until)
		if errors.As(err, &held) != isOthers {
			t.Fatalf("step %d: %s to %s while %s holds it until %v, at %v: %v", i, who, to, holder, until, now, err)
		}
		switch c, ok := p.Task("a").Claim(); {
		case !ok:
			holder = ""
		case err == nil && to == InProgress && (c.Agent != who || !c.Live(now)):
			t.Fatalf("step %d: %s started it, and %v holds it", i, who, c)
		default:
			holder, until = c.Agent, c.Until
		}
	}
}
