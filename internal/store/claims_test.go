package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

func noon(more time.Duration) time.Time {
	return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC).Add(more)
}

// setClock sets the time after noon.
func (r *Repo) setClock(more time.Duration) { r.opts.Now = func() time.Time { return noon(more) } }

// claimTask starts a task for an agent at the clock's time.
func claimTask(t *testing.T, repo *Repo, id, task, agent string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), func(ctx context.Context, s *Snapshot) (Candidate, error) {
		lease, err := s.Lease(ctx)
		if err != nil {
			return Candidate{}, err
		}
		return Edit(id, func(p *plan.Plan) (Message, error) {
			_, err := p.Transition(p.Task(task), plan.Move{To: plan.InProgress, At: repo.Now(), Agent: agent, Lease: lease})
			return Message{Agent: agent}, err
		})(ctx, s)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// leases gives what is left of the leases of some plans at noon, in hours.
func leases(t *testing.T, repo *Repo, ids ...string) string {
	t.Helper()
	var out []string
	for _, id := range ids {
		for _, task := range load(t, repo, id).Plan.All() {
			if c, ok := task.Claim(); ok {
				out = append(out, fmt.Sprintf("%s/%s %s %v", id, task.ID, c.Agent, c.Until.Sub(noon(0)).Hours()))
			}
		}
	}
	return strings.Join(out, ", ")
}

// jot edits plans in what has nothing to do with claims.
func jot(repo *Repo, agent string, ids ...string) (Result, error) {
	return repo.Commit(context.Background(), func(ctx context.Context, s *Snapshot) (Candidate, error) {
		all := Candidate{Message: Message{Agent: agent}}
		for _, id := range ids {
			one, err := Edit(id, func(p *plan.Plan) (Message, error) { return Message{}, p.Set("final_summary", "so far") })(ctx, s)
			if err != nil {
				return all, err
			}
			all.Writes = append(all.Writes, one.Writes...)
		}
		return all, nil
	})
}

func TestWritesRenewLeases(t *testing.T) {
	_, repo := begin(t)
	for _, id := range []string{"a", "b", "c"} {
		put(t, repo, id, files(id, "one", "two"))
	}
	repo.setClock(0)
	for _, claim := range []string{"a/one ant", "a/two bee", "b/one ant", "c/one ant"} {
		name, agent, _ := strings.Cut(claim, " ")
		id, task, _ := strings.Cut(name, "/")
		claimTask(t, repo, id, task, agent)
	}
	want := func(when, leased string) {
		t.Helper()
		if got := leases(t, repo, "a", "b", "c"); got != leased {
			t.Errorf("%s\n got  %s\n want %s", when, got, leased)
		}
	}
	want("at the start", "a/one ant 4, a/two bee 4, b/one ant 4, c/one ant 4")
	repo.setClock(3 * time.Hour)
	result, err := jot(repo, "ant", "a", "b")
	if err != nil || len(result.Plans) != 2 || result.Plans[0].Event != plan.Revised {
		t.Fatalf("%+v %v", result, err)
	}
	want("after a write to two plans", "a/one ant 7, a/two bee 4, b/one ant 7, c/one ant 4")
	repo.setClock(5 * time.Hour)
	if result, err = jot(repo, "ant", "a", "b", "c"); err != nil || len(result.Plans) != 1 {
		t.Fatalf("%+v %v", result, err)
	}
	want("after a write to which two plans had nothing to say", "a/one ant 7, a/two bee 4, b/one ant 7, c/one ant 9")
	if _, err = jot(repo, "", "a"); err != nil {
		t.Fatal(err)
	}
	want("after a write by nobody", "a/one ant 7, a/two bee 4, b/one ant 7, c/one ant 9")
}

// What a folder holds is stored with what a start writes, and stays as it is
// there until the commit is made.
func TestStartedByHand(t *testing.T) {
	_, repo := begin(t)
	put(t, repo, "a", files("A", "one", "two"))
	repo.setClock(0)
	list := files("A", "one", "two", "new", "done")
	list[1].Data = []byte("---\nid: one # mine\nstatus: in_progress\n---\n\nDo it.\n")
	list[3].Data = []byte("---\nid: new\nstatus: in_progress\n---\n\nDo it.\n")
	list[4].Data = []byte("---\nid: done\nstatus: done\n---\n\nDo it.\n")
	p, _ := plan.Read("a", ".plans/thread-1", list)
	before := string(list[1].Data)
	result, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		return Candidate{Writes: []Write{{ID: "a", Plan: p, Prefix: p.Prefix}}, Message: Message{Agent: "ant"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Task("one").Doc.Source; got != before {
		t.Errorf("the folder's file became %q", got)
	}
	want := "---\nid: one # mine\nstatus: in_progress\nexecuted_by: ant\nstarted_at: 2026-01-02T12:00:00Z\nlease_until: 2026-01-02T16:00:00Z\n---\n\nDo it.\n"
	if got := result.Plans[0].After.Task("one").Doc.Source; got != want {
		t.Errorf("stored as %q", got)
	}
	if got, want := result.Plans[0].After.Task("new").Doc.Source, strings.Replace(want, "one # mine", "new", 1); got != want {
		t.Errorf("a new task was stored as %q", got)
	}
	if got := result.Plans[0].After.Task("done").Doc.Source; got != string(list[4].Data) {
		t.Errorf("a new task that is done was stored as %q", got)
	}
	if got := events(t, repo, "a"); got != "created, revised, started one" {
		t.Errorf("events: %s", got)
	}
}

// Claims hold against whatever is written, but not against what settles a task
// as unwanted, drops it, or begins a new version.
func TestClaimsHoldAgainstEveryWrite(t *testing.T) {
	task := func(front string) []plan.File {
		list := files("A", "one", "two")
		list[1].Data = []byte("---\nid: one\n" + front + "---\n\nDo it.\n")
		return list
	}
	second := task("")
	second[0].Data = []byte("---\ntitle: A\nversion: 2\n---\n\nText.\n")
	without := append(slices.Clone(second[:1]), plan.File{Path: "tasks/02-two.md", Data: []byte("---\nid: two\n---\n\nDo it.\n")})
	claim := "executed_by: ant\nstarted_at: 2026-01-02T12:00:00Z\nlease_until: 2026-01-02T16:00:00Z\n"
	cases := []struct {
		name  string
		agent string
		list  []plan.File
		held  bool
	}{
		{"finished", "bee", task("status: done\ncompleted_at: 2026-01-02T13:00:00Z\n" + claim), true},
		{"let go", "bee", task(""), true},
		{"taken", "bee", task("status: in_progress\nexecuted_by: bee\n"), true},
		{"reworded", "bee", task("status: in_progress\ntitle: New\n" + claim), false},
		{"cancelled", "bee", task("status: cancelled\n"), false},
		{"replanned", "bee", second, false},
		{"dropped by a replan", "bee", without, false},
		{"finished by its holder", "ant", task("status: done\n" + claim), false},
	}
	for _, c := range cases {
		_, repo := begin(t)
		put(t, repo, "a", files("A", "one", "two"))
		repo.setClock(0)
		claimTask(t, repo, "a", "one", "ant")
		p, _ := plan.Read("a", "", c.list)
		version := p.Version()
		result, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
			return Candidate{Writes: []Write{{ID: "a", Plan: p, Version: version}}, Message: Message{Agent: c.agent}}, nil
		})
		if told := slices.ContainsFunc(result.Notes, func(n string) bool { return strings.Contains(n, "task `one` of a is gone, and ant works on it") }); told != (c.name == "dropped by a replan") {
			t.Errorf("%s: %q", c.name, result.Notes)
		}
		var held *plan.HeldError
		if errors.As(err, &held) != c.held || !c.held && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A claim holds also against a write that was made without knowing of it, as long as
// that did not stand so before, and has no claim of its own that is the earlier one.
func TestClaimsHoldAgainstWhoDoesNotKnow(t *testing.T) {
	task := func(front string, more ...plan.File) *plan.Plan {
		list := append(files("A", "one"), more...)
		list[1].Data = []byte("---\nid: one\n" + front + "---\n\nDo it.\n")
		p, _ := plan.Read("a", "", list)
		return p
	}
	below := plan.File{Path: "tasks/01-one/01-part.md", Data: []byte("---\nid: part\n---\n\nDo a part.\n")}
	const theirs = "status: in_progress\nexecuted_by: ant\nlease_until: 2026-01-02T16:00:00Z\n"
	cases := []struct {
		name       string
		since, now *plan.Plan
		held       bool
	}{
		{"finished", task(""), task("status: done\n"), true},
		{"let go", task("status: blocked\n"), task(""), true},
		{"given a part", task(""), task("", below), true},
		{"given a part, and finished", task(""), task("status: done\n", below), true},
		{"reworded", task(""), task("title: New\n" + theirs), false},
		{"cancelled", task(""), task("status: cancelled\n"), false},
		{"begun earlier", task(""), task("status: in_progress\nexecuted_by: bee\n"), false},
		{"taken knowingly", task(theirs), task("status: in_progress\nexecuted_by: bee\n"), true},
		{"finished before", task("status: done\n"), task("status: done\ntitle: New\n"), false},
		{"given a part before", task("", below), task("status: in_progress\n", below), false},
	}
	for _, c := range cases {
		_, repo := begin(t)
		put(t, repo, "a", files("A", "one"))
		repo.setClock(0)
		claimTask(t, repo, "a", "one", "ant")
		_, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
			return Candidate{Writes: []Write{{ID: "a", Plan: c.now, Since: c.since}}, Message: Message{Agent: "bee"}}, nil
		})
		var held *plan.HeldError
		if errors.As(err, &held) != c.held || !c.held && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestLeaseFromGates(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "a", files("A", "one"))
	g.Git("worktree", "add", "-q", "../plans", "plans")
	plans := g.At(g.Dir + "/../plans")
	plans.Write("gates.yaml", "gate: base\nlease: 90m\n")
	plans.Commit("short leases")
	repo.setClock(0)
	claimTask(t, repo, "a", "one", "ant")
	if got := leases(t, repo, "a"); got != "a/one ant 1.5" {
		t.Error(got)
	}
}
