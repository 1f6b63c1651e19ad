package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

func TestCommitBindsTheThread(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Über die Straße"), "tasks/01-one.md", "\xEF\xBB\xBF---\r\nid: one\r\n---\r\n\r\nDo it.\r\n", "notes.txt", "mine\n")
	commit(t, d)
	if got := g.Git("show", "plans:uber-die-strasse/tasks/01-one.md"); got != "---\nid: one\n---\n\nDo it." {
		t.Errorf("stored %q", got)
	}
	data, err := os.ReadFile(filepath.Join(th.Dir, "plan.md"))
	if err != nil || !strings.Contains(string(data), "created_by: tester") {
		t.Errorf("the folder does not hold what was committed: %q, %v", data, err)
	}
	if data, _ := os.ReadFile(filepath.Join(th.Dir, "notes.txt")); string(data) != "mine\n" {
		t.Errorf("a stray file became %q", data)
	}
	if out, _ := g.TryGit("ls-tree", "-r", "--name-only", "plans:uber-die-strasse"); strings.Contains(out, "notes") {
		t.Errorf("a stray file was committed: %s", out)
	}
	if s, _ := d.State(); s.Plan != "uber-die-strasse" {
		t.Errorf("the current plan is %q", s.Plan)
	}
	if r := commit(t, d); r.Changed() {
		t.Errorf("a second commit changed %v", r.Plans)
	}
}

func TestEditsMeetTheStore(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
	commit(t, d)
	done(t, repo, "auth", "one")

	// An edit of another file and the report both hold.
	write(t, th, "tasks/02-two.md", strings.Replace(taskText("two"), "Do it", "Do it well", 1))
	result := commit(t, d)
	p := result.Plans[0].After
	if p.Task("one").Status != plan.Done || !strings.Contains(p.Task("two").Doc.Body, "well") {
		t.Error("one of the two changes is lost")
	}
	if data, _ := os.ReadFile(filepath.Join(th.Dir, "tasks/01-one.md")); !strings.Contains(string(data), "status: done") {
		t.Error("the file that was not edited did not follow the store")
	}

	// So do an edit and a report in one file.
	done(t, repo, "auth", "two")
	write(t, th, "tasks/02-two.md", strings.Replace(taskText("two"), "Do it", "Do it soon", 1))
	p = commit(t, d).Plans[0].After
	if p.Task("two").Status != plan.Done || !strings.Contains(p.Task("two").Doc.Body, "soon") {
		t.Error("one of the two changes of a file is lost")
	}

	// The same line written two ways is a conflict, and nothing is written.
	retitle(t, repo, "auth", "In the store")
	data, _ := os.ReadFile(filepath.Join(th.Dir, "plan.md"))
	write(t, th, "plan.md", strings.Replace(string(data), "Auth", "In the otherwise edited draft", 1))
	before, _ := repo.Store.Tip(context.Background())
	_, _, err := d.Commit(context.Background(), CommitOptions{})
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) || strings.Join(conflict.Details, " ") != "auth: title: ours `In the otherwise edited draft`, theirs `In the store`" {
		t.Fatalf("got %v, want a conflict of titles", err)
	}
	after, _ := repo.Store.Tip(context.Background())
	data, _ = os.ReadFile(filepath.Join(th.Dir, "plan.md"))
	if before != after || !strings.Contains(string(data), "otherwise") {
		t.Error("a refused commit changed the store or the draft")
	}
	if _, err := d.Checkout(context.Background(), "auth", CheckoutOptions{}); !errors.As(err, &conflict) {
		t.Errorf("checkout over edits: %v, want a conflict", err)
	}
	if _, err := d.Checkout(context.Background(), "auth", CheckoutOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	if r := commit(t, d); r.Changed() {
		t.Errorf("after a forced checkout there is still a change: %v", r.Plans)
	}
}

// A commit that is cut off after it landed is known again, and not made twice
// under another id.
func TestCommitCutOffAfterLanding(t *testing.T) {
	for name, text := range map[string]string{
		"in lines": planText("Auth"),
		"in one":   "---\n{title: Auth}\n---\n\nWhy.\n", // which gets lines of its own with the first field that is added
	} {
		t.Run(name, func(t *testing.T) { cutOffAfterLanding(t, text) })
	}
}

func cutOffAfterLanding(t *testing.T, text string) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", text, "tasks/01-one.md", taskText("one"))
	cutOff(t, repo, d, noted)
	// c.end does not run: the process is gone. Another one commits.
	_, again := open(t, g)
	if r := commit(t, again); r.Changed() {
		t.Errorf("committed again as %v", r.Plans[0].ID)
	}
	if s, _ := again.State(); s.Plan != "auth" || s.thread(th.ID).Plan != "auth" {
		t.Errorf("state %+v", s)
	}
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "auth" {
		t.Errorf("plans %q", got)
	}
}

// Lines that an agent writes while commits run are never lost.
func TestEditsWhileCommitting(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
	commit(t, d)
	file := filepath.Join(th.Dir, "tasks/01-one.md")
	stop, written := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		defer func() { written <- n }()
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			n++
			fmt.Fprintf(f, "line %d\n", n)
			f.Close()
		}
	}()
	for i := range 10 {
		write(t, th, "tasks/02-two.md", taskText("two")+fmt.Sprintf("\nEdit %d.\n", i))
		commit(t, d)
	}
	close(stop)
	want := <-written
	commit(t, d)
	if got := strings.Count(g.Git("show", "plans:auth/tasks/01-one.md"), "line "); got != want {
		t.Errorf("%d of %d lines are left", got, want)
	}
}

// Two commits of one draft at once store it once.
func TestCommitsAtOnce(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, _, err := d.Commit(context.Background(), CommitOptions{Agent: "tester"}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "auth" {
		t.Errorf("plans %q", got)
	}
}

// A commit that was cut off is known again though the draft went on.
func TestCutOffThenEdited(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	cutOff(t, repo, d, noted)
	done(t, repo, "auth", "one")
	write(t, th, "tasks/02-two.md", taskText("two"))
	_, again := open(t, g)
	result := commit(t, again)
	p := result.Plans[0].After
	if result.Plans[0].ID != "auth" || p.Task("one").Status != plan.Done || p.Task("two") == nil || p.Doc.Text("created_by") != "tester" {
		t.Errorf("stored as %s: %v", result.Plans[0].ID, p.Files())
	}
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "auth" {
		t.Errorf("plans %q", got)
	}
}

// What clear-current says holds: the next commit removes the plan, and what
// was drafted in its place is a plan of its own. Checking the old one out does
// not throw the new draft away.
func TestClearedThenRefilled(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	if _, err := d.ClearCurrent(context.Background()); err != nil {
		t.Fatal(err)
	}
	write(t, th, "plan.md", planText("Shop"), "tasks/01-two.md", taskText("two"))
	var conflict *store.ConflictError
	if _, err := d.Checkout(context.Background(), "auth", CheckoutOptions{}); !errors.As(err, &conflict) {
		t.Errorf("checkout over a new draft: %v, want a conflict", err)
	}
	_, committed, err := d.Commit(context.Background(), CommitOptions{Agent: "tester"})
	if err != nil || len(committed) != 2 {
		t.Fatalf("committed %+v, %v", committed, err)
	}
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "shop" {
		t.Errorf("plans %q, want shop alone", got)
	}
	if s, _ := d.State(); s.Plan != "shop" || s.thread(th.ID).Plan != "shop" || s.thread(th.ID).Cleared {
		t.Errorf("state %+v", s)
	}
	if r := commit(t, d); r.Changed() {
		t.Errorf("a second commit changed %v", r.Plans)
	}
}
