package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

	// The same line written two ways is a conflict: both are in the file, and nothing
	// is committed before that is resolved.
	retitle(t, repo, "auth", "In the store")
	data, _ := os.ReadFile(filepath.Join(th.Dir, "plan.md"))
	write(t, th, "plan.md", strings.Replace(string(data), "Auth", "In the draft", 1))
	before := tip(t, repo)
	_, _, err := d.Commit(context.Background(), CommitOptions{})
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) || strings.Join(conflict.Files, " ") != ".plans/thread-1/plan.md" {
		t.Fatalf("got %v, want a conflict in plan.md", err)
	}
	data, _ = os.ReadFile(filepath.Join(th.Dir, "plan.md"))
	marked := regexp.MustCompile("<<<<<<< ours\ntitle: In the draft\n=======\ntitle: In the store\n>>>>>>> .+, [0-9a-f]{7}\n")
	if !marked.Match(data) || tip(t, repo) != before {
		t.Errorf("the file holds %q", data)
	}
	var rejected *store.RejectedError
	if _, _, err := d.Commit(context.Background(), CommitOptions{}); !errors.As(err, &rejected) || rejected.Findings[0].Rule != plan.RuleConflictMarker {
		t.Errorf("a commit of markers: %v", err)
	}
	write(t, th, "plan.md", string(marked.ReplaceAll(data, []byte("title: In both\n"))))
	if p := commit(t, d).Plans[0].After; p.Title() != "In both" || p.Task("two").Status != plan.Done {
		t.Errorf("resolved as %v", p.Files())
	}
	if r := commit(t, d); r.Changed() {
		t.Errorf("a second commit changed %v", r.Plans)
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
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", text, "tasks/01-one.md", taskText("one"))
	cutOff(t, d)
	// c.end does not run: the process is gone. Another one commits.
	_, again := open(t, g)
	if r := commit(t, again); r.Changed() {
		t.Errorf("committed again as %v", r.Plans[0].ID)
	}
	if s, _ := again.State(); s.Plan != "auth" || s.draft(th.ID).Plan != "auth" {
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
	cutOff(t, d)
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

// cutOff is a commit that lands and ends there, as if the process had been killed.
func cutOff(t *testing.T, d *Drafts) {
	t.Helper()
	ctx := context.Background()
	c := &committer{drafts: d, opts: CommitOptions{Agent: "tester"}}
	if err := c.load(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := d.repo.CommitAllowing(ctx, c.build, func(r store.Result) error { return c.prepare(ctx, r) }); err != nil {
		t.Fatal(err)
	}
}

// A refusal does not make a commit forgotten that had landed, nor does one that is cut
// off after it.
func TestCutOffAgain(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	cutOff(t, d)
	write(t, th, "tasks/02-two.md", "---\nid: two\ndepends_on: [none]\n---\n\nDo it.\n")
	_, again := open(t, g)
	var rejected *store.RejectedError
	if _, _, err := again.Commit(context.Background(), CommitOptions{}); !errors.As(err, &rejected) {
		t.Fatalf("commit of a bad plan: %v", err)
	}
	for _, file := range []string{"02-two", "03-three"} {
		write(t, th, "tasks/"+file+".md", taskText(file[3:]))
		cutOff(t, again)
	}
	commit(t, again)
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "auth" {
		t.Errorf("plans %q", got)
	}
	if s, _ := again.State(); s.Plan != "auth" && s.Drafts[0].Change != "" {
		t.Errorf("state %+v", s)
	}
}

// A plan that is complete lets go of its draft: what is written there next is another
// plan, and takes nothing from the first.
func TestFinishedPlanIsLetGo(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	done(t, repo, "auth", "one")
	write(t, th, "plan.md", planText("Shop"), "tasks/01-one.md", taskText("other"))
	commit(t, d)
	if got := g.Git("ls-tree", "--name-only", "-d", "plans"); got != "auth\nshop" {
		t.Errorf("plans %q", got)
	}
	done(t, repo, "shop", "other")
	if err := d.Refresh(context.Background(), tip(t, repo), "shop"); err != nil {
		t.Fatal(err)
	}
	if s, _ := d.State(); len(s.Drafts) != 1 || s.Drafts[0].Plan != "" || !isEmpty(th.Dir) {
		t.Errorf("state %+v", s)
	}
}

// A draft does not take the place of a plan that is not finished.
func TestDraftOfAnotherPlan(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	write(t, th, "plan.md", planText("Shop"), "tasks/01-one.md", taskText("other"))
	var conflict *store.ConflictError
	_, _, err := d.Commit(context.Background(), CommitOptions{})
	if !errors.As(err, &conflict) || !strings.Contains(conflict.Hint, "git plan new") || !strings.Contains(conflict.Hint, "git plan replan auth") {
		t.Errorf("got %v", err)
	}
}

// Drafts of version 0.1 are taken over once, whatever was under way in them.
func TestThreadsAreTakenOver(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	s, err := d.State()
	if err != nil {
		t.Fatal(err)
	}
	old := fmt.Sprintf(`{"current":"thread-1","plan":"auth","threads":[
		{"id":"thread-1","dir":".plans/thread-1","plan":"auth","base":%q,"proposed":["x"]},
		{"id":"thread-2","dir":".plans/thread-2","plan":"gone","base":%q,"cleared":true},
		{"id":"thread-4","dir":".plans/thread-4","plan":"met","base":"b","merging":"b","ours":"o","conflicts":[{"field":"title"}]}]}`, s.Drafts[0].Base, s.Drafts[0].Base)
	if err := os.WriteFile(d.state.path, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	now, err := d.State()
	if err != nil || len(now.Drafts) != 3 || now.Last != 4 || now.Drafts[0] != s.Drafts[0] || now.Drafts[1].Plan != "" || now.Drafts[2].Base != "o" {
		t.Fatalf("taken over as %+v, %v", now, err)
	}
	write(t, th, "tasks/02-two.md", taskText("two"))
	if got := commit(t, d).Plans; len(got) != 1 || got[0].ID != "auth" {
		t.Errorf("committed %+v", got)
	}
	if data, _ := os.ReadFile(d.state.path); strings.Contains(string(data), "threads") {
		t.Errorf("the state keeps both: %s", data)
	}
}

// The number of a draft that was removed is not given again.
func TestNumbersAreGivenOnce(t *testing.T) {
	_, _, d := begin(t)
	ctx := context.Background()
	for _, want := range []string{"thread-2", "thread-3"} {
		th, err := d.Request(ctx)
		if err != nil || th.ID != want {
			t.Fatalf("got %s, %v, want %s", th.ID, err, want)
		}
		if err := d.Remove(ctx, th.ID); err != nil {
			t.Fatal(err)
		}
	}
}
