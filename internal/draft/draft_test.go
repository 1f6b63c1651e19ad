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

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// begin makes a repository with a store and gives its drafts.
func begin(t *testing.T) (*gittest.Repo, *planrepo.Repo, *Drafts) {
	t.Helper()
	g := gittest.New(t)
	repo, d := open(t, g)
	if _, err := repo.Init(context.Background(), validate.Base); err != nil {
		t.Fatal(err)
	}
	return g, repo, d
}

func open(t testing.TB, g *gittest.Repo) (*planrepo.Repo, *Drafts) {
	t.Helper()
	repo, err := planrepo.Open(context.Background(), planrepo.Options{
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
func write(t *testing.T, th Thread, files ...string) {
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

func current(t *testing.T, d *Drafts) Thread {
	t.Helper()
	th, err := d.Current(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func commit(t *testing.T, d *Drafts) planrepo.Result {
	t.Helper()
	result, _, err := d.Commit(context.Background(), CommitOptions{Agent: "tester"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func done(t *testing.T, repo *planrepo.Repo, id, task string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), planrepo.Edit(id, func(p *plan.Plan) (planrepo.Message, error) {
		_, err := p.Transition(p.Task(task), plan.Move{To: plan.Done, At: repo.Now(), Agent: "tester"})
		return planrepo.Message{}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func retitle(t *testing.T, repo *planrepo.Repo, id, title string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), planrepo.Edit(id, func(p *plan.Plan) (planrepo.Message, error) {
		return planrepo.Message{}, p.Set("title", title)
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func tip(t *testing.T, repo *planrepo.Repo) string {
	t.Helper()
	at, err := repo.Store.Tip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return at.Commit
}

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
	var conflict *planrepo.ConflictError
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

func TestRefreshSparesEdits(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	done(t, repo, "auth", "one")
	if err := d.Refresh(context.Background(), tip(t, repo), "auth"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(th.Dir, "tasks/01-one.md")
	if data, _ := os.ReadFile(file); !strings.Contains(string(data), "status: done") {
		t.Error("the draft did not follow")
	}
	write(t, th, "tasks/01-one.md", taskText("one")+"\nMine.\n")
	if _, err := repo.Commit(context.Background(), planrepo.Edit("auth", func(p *plan.Plan) (planrepo.Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Pending, Reopen: true, At: repo.Now()})
		return planrepo.Message{}, err
	})); err != nil {
		t.Fatal(err)
	}
	if err := d.Refresh(context.Background(), tip(t, repo), "auth"); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(file); !strings.HasSuffix(string(data), "Mine.\n") {
		t.Errorf("an edit was overwritten: %q", data)
	}
}

// A refresh that is cut off before the thread noted it leaves files that nobody
// edited: they go on following the store, and edits beside them are committed.
func TestRefreshCutOff(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	before, err := d.State()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	done(t, repo, "auth", "one")
	if err := d.Refresh(ctx, tip(t, repo), "auth"); err != nil {
		t.Fatal(err)
	}
	if err := d.change(ctx, func(s *State) error { *s = before; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit(ctx, planrepo.Edit("auth", func(p *plan.Plan) (planrepo.Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Pending, Reopen: true, At: repo.Now()})
		return planrepo.Message{}, err
	})); err != nil {
		t.Fatal(err)
	}
	write(t, th, "plan.md", planText("Auth")+"\nMine.\n")
	if r := commit(t, d); !r.Changed() {
		t.Error("the edit was not committed")
	}
	if data, _ := os.ReadFile(filepath.Join(th.Dir, "tasks/01-one.md")); strings.Contains(string(data), "status: done") {
		t.Errorf("the draft did not follow: %s", data)
	}
}

// A commit that is cut off after it landed is known again, and not made twice
// under another id.
func TestCommitCutOffAfterLanding(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
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

func TestRequestsAtOnce(t *testing.T) {
	_, _, d := begin(t)
	var wait sync.WaitGroup
	dirs := make(chan string, 8)
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			th, err := d.Request(context.Background())
			if err != nil {
				t.Error(err)
			}
			dirs <- th.Dir
		}()
	}
	wait.Wait()
	close(dirs)
	seen := map[string]bool{}
	for dir := range dirs {
		if seen[dir] {
			t.Errorf("%s was given twice", dir)
		}
		seen[dir] = true
	}
	s, _ := d.State()
	if len(s.Threads) != 9 {
		t.Errorf("%d threads, want the current one and 8", len(s.Threads))
	}
}

func TestReadFolderFollowsNothing(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.md")
	for _, err := range []error{
		os.WriteFile(secret, []byte("---\ntitle: secret\n---\nx\n"), 0o600),
		os.Symlink(secret, filepath.Join(dir, "plan.md")),
		os.Symlink(filepath.Dir(secret), filepath.Join(dir, "tasks")),
		os.WriteFile(filepath.Join(dir, "run.md"), []byte("x"), 0o755),
		os.WriteFile(filepath.Join(dir, "big.md"), make([]byte, plan.MaxFile+1), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := ReadFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s %d %d", f.Path, f.Mode, len(f.Data)))
	}
	want := fmt.Sprintf("big.md %d 0|plan.md %d 0|run.md %d 1|tasks %d 0", plan.Regular, plan.Symlink, plan.Executable, plan.Symlink)
	if strings.Join(got, "|") != want {
		t.Errorf("read %q, want %q", strings.Join(got, "|"), want)
	}
}

func TestFolderDeletedFromOutside(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	g.Git("clean", "-fdxq")
	if _, err := os.Stat(th.Dir); err == nil {
		t.Fatal("git clean -fdx spared the drafts")
	}
	if r := commit(t, d); r.Changed() {
		t.Errorf("a deleted folder was committed: %v", r.Plans)
	}
	if again := current(t, d); again != th && again.Dir != th.Dir {
		t.Errorf("another thread: %+v", again)
	}
	if _, err := os.Stat(filepath.Join(th.Dir, "tasks/01-one.md")); err != nil {
		t.Errorf("the stored plan did not come back: %v", err)
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

func TestClearSparesWhatIsNotOurs(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	own := filepath.Join(t.TempDir(), "own")
	if err := errors.Join(os.RemoveAll(th.Dir), d.Remove(context.Background(), "thread-9")); err == nil {
		t.Error("an unknown thread was removed")
	}
	if _, err := d.ClearCurrent(context.Background()); err != nil {
		t.Fatal(err)
	}
	commit(t, d) // removes the plan, the thread is free
	write(t, th, "plan.md", planText("Other"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	if err := d.change(context.Background(), func(s *State) error {
		s.thread(th.ID).Plan = ""
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	chosen, err := d.Checkout(context.Background(), "other", CheckoutOptions{Dir: own})
	if err != nil {
		t.Fatal(err)
	}
	write(t, chosen, "notes.txt", "precious\n", ".git/config", "mine\n")
	if _, err := d.ClearCurrent(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.txt", ".git/config"} {
		if _, err := os.Stat(filepath.Join(own, name)); err != nil {
			t.Errorf("%s is gone from a folder of the user's", name)
		}
	}
	if _, err := os.Stat(filepath.Join(own, "plan.md")); err == nil {
		t.Error("plan.md is still there")
	}
}

func TestClearFollowsNoLink(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	victim := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(victim, "precious"), nil, 0o666), os.Remove(th.Dir), os.Symlink(victim, th.Dir),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.ClearCurrent(context.Background()); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Stat(filepath.Join(victim, "precious")); err != nil {
		t.Error("what is behind a link was deleted")
	}
}

// A repository that is moved keeps its drafts, and a copy has drafts of its
// own.
func TestMovedRepository(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved, os.DirFS(g.Dir)); err != nil {
		t.Fatal(err)
	}
	repo, copied := open(t, g.At(moved))
	there := current(t, copied)
	if there.Dir != filepath.Join(repo.WorkTree, ".plans", "thread-1") || there.Plan != "auth" {
		t.Errorf("the copy's thread is %+v", there)
	}
	done(t, repo, "auth", "one")
	if err := copied.Refresh(context.Background(), tip(t, repo), "auth"); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(filepath.Join(th.Dir, "tasks/01-one.md")); strings.Contains(string(data), "done") {
		t.Error("the copy wrote in the original's draft")
	}
}

func TestOneFolderIsOneThread(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	spare, err := d.Request(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(th.Dir, link); err != nil {
		t.Fatal(err)
	}
	state, _ := d.State()
	for _, dir := range []string{th.Dir, filepath.Join(th.Dir, "new"), filepath.Join(link, "new"), filepath.Join(d.repo.GitDir, "x"), d.root, d.repo.WorkTree} {
		if got, err := d.placeAt(&state, dir); err == nil {
			t.Errorf("%s became the folder of %s", dir, got.ID)
		}
	}
	if got, err := d.placeAt(&state, spare.Dir); err != nil || got.ID != spare.ID {
		t.Errorf("the folder of an unused thread gave %+v, %v", got, err)
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
	var conflict *planrepo.ConflictError
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

// The next version of a plan keeps what others changed since its thread began.
func TestUpToDate(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
	commit(t, d)
	done(t, repo, "auth", "one")
	write(t, th, "tasks/02-two.md", taskText("two")+"\nMore.\n", "notes.txt", "mine\n")
	read := func() map[string]string {
		t.Helper()
		files, err := ReadFolder(th.Dir, true)
		if err != nil {
			t.Fatal(err)
		}
		now, err := repo.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		stored, err := now.Load(context.Background(), "auth")
		if err != nil {
			t.Fatal(err)
		}
		next, err := d.UpToDate(context.Background(), th.Dir, stored, now.Commit, files)
		var conflict *planrepo.ConflictError
		if errors.As(err, &conflict) {
			return map[string]string{"conflict": strings.Join(conflict.Details, " ")}
		}
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, f := range next {
			out[f.Path] = string(f.Data)
		}
		return out
	}
	next := read()
	if !strings.Contains(next["tasks/01-one.md"], "done") || !strings.Contains(next["tasks/02-two.md"], "More.") || len(next) != 4 {
		t.Errorf("the next version %v", next)
	}
	done(t, repo, "auth", "two")
	if got := read()["tasks/02-two.md"]; !strings.Contains(got, "done") || !strings.Contains(got, "More.") {
		t.Errorf("one of the two changes is lost: %q", got)
	}
	retitle(t, repo, "auth", "Theirs")
	write(t, th, "plan.md", planText("Ours"))
	if got := read()["conflict"]; got != "auth: title: ours `Ours`, theirs `Theirs`" {
		t.Errorf("conflict %q, want one of titles", got)
	}
}
