package draft

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// begin makes a repository with a store and gives its drafts.
func begin(t *testing.T) (*gittest.Repo, *store.Repo, *Drafts) {
	t.Helper()
	g := gittest.New(t)
	repo, d := open(t, g)
	if _, err := repo.Init(context.Background(), validate.Base); err != nil {
		t.Fatal(err)
	}
	return g, repo, d
}

func open(t testing.TB, g *gittest.Repo) (*store.Repo, *Drafts) {
	t.Helper()
	repo, err := store.Open(context.Background(), store.Options{
		Git: g.G(), Getenv: func(string) string { return "" }, Agent: "tester",
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	d, err := Open(repo, g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo, d
}

// write puts files into a thread's folder, "path" and text in turn.
func write(t *testing.T, th Draft, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		full := filepath.Join(th.Dir, files[i])
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func planText(title string) string { return "---\ntitle: " + title + "\n---\n\nText.\n" }
func taskText(id string) string    { return "---\nid: " + id + "\n---\n\nDo it.\n" }

func current(t *testing.T, d *Drafts) Draft {
	t.Helper()
	th, err := d.Current(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func commit(t *testing.T, d *Drafts) store.Result {
	t.Helper()
	result, _, err := d.Commit(context.Background(), CommitOptions{Agent: "tester"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func done(t *testing.T, repo *store.Repo, id, task string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), store.Edit(id, func(p *plan.Plan) (store.Message, error) {
		_, err := p.Transition(p.Task(task), plan.Move{To: plan.Done, At: repo.Now(), Agent: "tester"})
		return store.Message{}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func retitle(t *testing.T, repo *store.Repo, id, title string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), store.Edit(id, func(p *plan.Plan) (store.Message, error) {
		return store.Message{}, p.Set("title", title)
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func tip(t *testing.T, repo *store.Repo) string {
	t.Helper()
	at, err := repo.Store.Tip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return at.Commit
}
