package draft

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// storeFile replaces a file of a stored plan by another.
func storeFile(t *testing.T, repo *store.Repo, id, old, name, text string) {
	t.Helper()
	_, err := repo.Commit(context.Background(), func(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
		stored, err := s.Load(ctx, id)
		if err != nil {
			return store.Candidate{}, err
		}
		list := []plan.File{{Path: name, Data: []byte(text)}}
		for file, data := range stored.Plan.Files() {
			if file != old && file != name {
				list = append(list, plan.File{Path: file, Data: data})
			}
		}
		p, _ := plan.Read(id, "", list)
		return store.Candidate{Writes: []store.Write{{ID: id, Plan: p}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func threadOfTwo(t *testing.T) (*store.Repo, *Drafts, Draft) {
	t.Helper()
	_, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"), "tasks/02-two.md", taskText("two"))
	commit(t, d)
	return repo, d, th
}

// arriving notes that the folder was being filled from the newest state when the process
// was killed.
func arriving(t *testing.T, repo *store.Repo, d *Drafts) {
	t.Helper()
	next := tip(t, repo)
	if err := d.state.change(context.Background(), func(s *State) error {
		s.Drafts[0].Next = next
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// A task that the store moved, of which a command that was cut off brought the
// new file and left the old one, is one task still.
func TestMoveThatArrivedInPart(t *testing.T) {
	repo, d, th := threadOfTwo(t)
	storeFile(t, repo, "auth", "tasks/02-two.md", "tasks/03-two.md", taskText("two"))
	arriving(t, repo, d)
	write(t, th, "tasks/03-two.md", taskText("two"), "tasks/01-one.md", strings.Replace(taskText("one"), "Do it", "Do it well", 1))
	p := commit(t, d).Plans[0].After
	if got := p.Task("two").Doc.Path; got != "tasks/03-two.md" || len(p.All()) != 2 {
		t.Errorf("%d tasks, two is %s", len(p.All()), got)
	}
	if _, err := os.Stat(filepath.Join(th.Dir, "tasks/02-two.md")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old file is still there: %v", err)
	}
}

// A change that arrived, and was then taken back in the store, is taken back.
func TestChangeThatArrivedAndWent(t *testing.T) {
	repo, d, th := threadOfTwo(t)
	retitled := strings.Replace(taskText("two"), "id: two\n", "id: two\ntitle: Due\n", 1)
	storeFile(t, repo, "auth", "", "tasks/02-two.md", retitled)
	arriving(t, repo, d)
	write(t, th, "tasks/02-two.md", retitled)
	storeFile(t, repo, "auth", "", "tasks/02-two.md", strings.Replace(retitled, "Due", "Deux", 1))
	if r := commit(t, d); r.Changed() {
		t.Errorf("the thread has no edit, and changed %v", r.Plans)
	}
	if data, _ := os.ReadFile(filepath.Join(th.Dir, "tasks/02-two.md")); !strings.Contains(string(data), "Deux") {
		t.Errorf("the folder did not follow: %q", data)
	}
}

// What the merge does that nobody asked for is told, once.
func TestNotesAreTold(t *testing.T) {
	repo, d, th := threadOfTwo(t)
	var told []string
	d.Note = func(id, what string) { told = append(told, id+": "+what) }
	write(t, th, "tasks/03-mine.md", taskText("mine"))
	storeFile(t, repo, "auth", "", "tasks/03-yours.md", taskText("yours"))
	p := commit(t, d).Plans[0].After
	if p.Task("mine").Doc.Path != "tasks/04-mine.md" || strings.Join(told, "; ") != "auth: task mine: number 3 is taken, it has 4 now" {
		t.Errorf("mine is %s, told %q", p.Task("mine").Doc.Path, told)
	}
	if commit(t, d); len(told) != 1 {
		t.Errorf("told %q", told)
	}
	for _, name := range []string{"tasks/03-yours.md", "tasks/04-mine.md"} {
		if _, err := os.Stat(filepath.Join(th.Dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// A folder that was being emptied, as its plan is finished, has no edit in what is
// left of it.
func TestReleaseCutOff(t *testing.T) {
	for _, gone := range [][]string{{"plan.md"}, {"plan.md", "tasks/01-one.md"}, {"tasks/02-two.md"}} {
		repo, d, th := threadOfTwo(t)
		done(t, repo, "auth", "one")
		done(t, repo, "auth", "two")
		arriving(t, repo, d)
		for _, name := range gone {
			if err := os.Remove(filepath.Join(th.Dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if r := commit(t, d); r.Changed() {
			t.Errorf("without %q: %+v", gone, r.Plans)
		}
		if !isEmpty(th.Dir) {
			t.Errorf("without %q, the others are still there", gone)
		}
	}
}

// A plan that comes back from the archive has what was done since its draft was filled,
// though that was put into the archive as well.
func TestBackFromTheArchive(t *testing.T) {
	t.Parallel()
	repo, d, th := threadOfTwo(t)
	move := func(m store.Mutation) {
		t.Helper()
		if _, err := repo.Commit(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	move(store.ToArchive("ann", true, "auth"))
	at := tip(t, repo)
	move(store.Restore("ann", "auth"))
	storeFile(t, repo, "auth", "", "tasks/02-two.md", "---\nid: two\n---\n\nDo it twice.\n")
	move(store.ToArchive("ann", true, "auth"))
	write(t, th, "plan.md", "---\ntitle: Auth\n---\n\nDecided.\n")
	if err := d.state.change(t.Context(), func(s *State) error {
		s.Drafts[0].Base, s.Drafts[0].Next = at, ""
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	commit(t, d)
	s, err := repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Load(t.Context(), "auth")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"plan.md": "Decided.", "tasks/02-two.md": "Do it twice."} {
		if got := string(stored.Plan.Files()[name]); !strings.Contains(got, want) {
			t.Errorf("%s is\n%s", name, got)
		}
	}
}
