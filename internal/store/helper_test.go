package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// open gives the repository of a test to code under test.
func open(t *testing.T, g *gittest.Repo) *Repo {
	t.Helper()
	repo, err := Open(context.Background(), Options{
		Git: g.G(), Getenv: func(string) string { return "" }, Agent: "tester",
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

// begin makes a repository with a store.
func begin(t *testing.T) (*gittest.Repo, *Repo) {
	t.Helper()
	g := gittest.New(t)
	repo := open(t, g)
	if _, err := repo.Init(context.Background(), validate.Base); err != nil {
		t.Fatal(err)
	}
	return g, repo
}

// files makes a plan's files: plan.md and a task for each id, each depending
// on the one before.
func files(title string, ids ...string) []plan.File {
	out := []plan.File{{Path: "plan.md", Data: fmt.Appendf(nil, "---\ntitle: %s\n---\n\nText.\n", title)}}
	for i, id := range ids {
		needs := ""
		if i > 0 {
			needs = "depends_on: [" + ids[i-1] + "]\n"
		}
		out = append(out, plan.File{
			Path: fmt.Sprintf("tasks/%02d-%s.md", i+1, id), Data: fmt.Appendf(nil, "---\nid: %s\n%s---\n\nDo it.\n", id, needs),
		})
	}
	return out
}

// put stores a plan made of files.
func put(t *testing.T, repo *Repo, id string, list []plan.File) Result {
	t.Helper()
	result, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		p, found := plan.Read(id, "", list)
		return Candidate{Writes: []Write{{ID: id, Plan: p, Found: Strays(p, found), Whole: true}}, Message: Message{Agent: "tester"}}, nil
	})
	if err != nil {
		t.Fatalf("put %s: %v", id, err)
	}
	return result
}

// load reads a plan as it is stored.
func load(t *testing.T, repo *Repo, id string) *Stored {
	t.Helper()
	s, err := repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// move reports on a task.
func move(repo *Repo, id, task string, to plan.Status) (Result, error) {
	return repo.Commit(context.Background(), Edit(id, func(p *plan.Plan) (Message, error) {
		_, err := p.Transition(p.Task(task), plan.Move{To: to, At: repo.Now(), Agent: "tester", Reopen: true})
		return Message{Agent: "tester"}, err
	}))
}

// events gives the history of a plan as "event task" words, oldest first.
func events(t *testing.T, repo *Repo, id string) string {
	t.Helper()
	s, err := repo.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	history, err := s.History(context.Background(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, r := range history {
		for _, c := range r.Changes {
			for _, o := range c.Occurrences {
				words = append([]string{strings.TrimSpace(string(o.Event) + " " + o.Task)}, words...)
			}
		}
	}
	return strings.Join(words, ", ")
}
