package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

func TestRefreshSparesEdits(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
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
	if _, err := repo.Commit(context.Background(), store.Edit("auth", func(p *plan.Plan) (store.Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Pending, Reopen: true, At: repo.Now()})
		return store.Message{}, err
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

// A refresh that is cut off before the draft noted it leaves files that nobody
// edited: they go on following the store, and edits beside them are committed.
func TestRefreshCutOff(t *testing.T) {
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
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
	before.Drafts[0].Next = tip(t, repo)
	if err := d.state.change(ctx, func(s *State) error { *s = before; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit(ctx, store.Edit("auth", func(p *plan.Plan) (store.Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Pending, Reopen: true, At: repo.Now()})
		return store.Message{}, err
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
	if len(s.Drafts) != 9 {
		t.Errorf("%d threads, want the current one and 8", len(s.Drafts))
	}
}

func readFolder(dir string) ([]plan.File, error) {
	root, err := os.OpenRoot(dir)
	return ReadRoot(root, err, true)
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
	files, err := readFolder(dir)
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
	if again := current(t, d); !reflect.DeepEqual(again, th) && again.Dir != th.Dir {
		t.Errorf("another thread: %+v", again)
	}
	if _, err := os.Stat(filepath.Join(th.Dir, "tasks/01-one.md")); err != nil {
		t.Errorf("the stored plan did not come back: %v", err)
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
	if err := d.state.change(context.Background(), func(s *State) error {
		s.draft(th.ID).Plan = ""
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	chosen, err := d.Edit(context.Background(), "other", EditOptions{Dir: own})
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
	for _, dir := range []string{th.Dir, filepath.Join(th.Dir, "new"), filepath.Join(link, "new"), filepath.Join(d.repo.GitDir, "x"), d.folders.root, d.repo.WorkTree} {
		if got, err := d.placeAt(&state, dir); err == nil {
			t.Errorf("%s became the folder of %s", dir, got.ID)
		}
	}
	if got, err := d.placeAt(&state, spare.Dir); err != nil || got.ID != spare.ID {
		t.Errorf("the folder of an unused thread gave %+v, %v", got, err)
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
		files, err := readFolder(th.Dir)
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
		var conflict *store.ConflictError
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
