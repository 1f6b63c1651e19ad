package draft

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-plan/git-plan/internal/store"
)

// killedFilling does what a process does that fills the thread's folder with a stored
// plan and is killed after some of its files.
func killedFilling(t *testing.T, d *Drafts, thread, plan string, written ...string) {
	t.Helper()
	ctx, killed := context.Background(), errors.New("killed")
	err := d.change(ctx, func(s *State) error {
		snapshot, err := d.repo.Snapshot(ctx)
		if err != nil {
			return err
		}
		stored, err := snapshot.Mended(ctx, plan)
		if err != nil {
			return err
		}
		th, to, part := s.thread(thread), stored.Plan.Files(), map[string][]byte{}
		for _, name := range written {
			part[name] = to[name]
		}
		if err := d.noteFilling(s, th, nil, to, Thread{Plan: plan, Base: snapshot.Commit}); err != nil {
			return err
		}
		if _, err := d.writeFolder(th.Dir, nil, part); err != nil {
			return err
		}
		return killed
	})
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
}

// storedAlone makes a store with a plan that no thread holds.
func storedAlone(t *testing.T) (*store.Repo, *Drafts, Thread) {
	t.Helper()
	repo, d, th := threadOfTwo(t)
	if err := d.change(context.Background(), func(s *State) error {
		_, err := d.empty(*s.thread(th.ID))
		s.thread(th.ID).become(Thread{}, nil)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return repo, d, current(t, d)
}

// A folder that was filled in part is no plan that somebody wrote: it is filled before
// anything is committed, and what was written into it meanwhile is an edit.
func TestFillingCutOff(t *testing.T) {
	for _, tt := range []struct {
		name    string
		written []string // before the kill
		edit    string   // of plan.md after it
	}{
		{"noted only", nil, ""},
		{"in part", []string{"plan.md", "tasks/01-one.md"}, ""},
		{"whole", []string{"plan.md", "tasks/01-one.md", "tasks/02-two.md"}, ""},
		{"edited since", []string{"plan.md"}, planText("Auth") + "\nMine.\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			repo, d, th := storedAlone(t)
			killedFilling(t, d, th.ID, "auth", tt.written...)
			if tt.edit != "" {
				write(t, th, "plan.md", tt.edit)
			}
			if r := commit(t, d); r.Changed() != (tt.edit != "") {
				t.Errorf("committed %v", r.Plans)
			}
			snapshot, err := repo.Snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if stored, err := snapshot.Load(context.Background(), "auth"); err != nil || len(stored.Plan.All()) != 2 || len(snapshot.IDs()) != 1 {
				t.Errorf("plans %v, %v", snapshot.IDs(), err)
			}
			if _, err := os.Stat(filepath.Join(th.Dir, "tasks/02-two.md")); err != nil {
				t.Error(err)
			}
			if s, _ := d.State(); s.isFilling() || s.thread(th.ID).Plan != "auth" {
				t.Errorf("state %+v", s)
			}
		})
	}
}

// What came past the gate may be no UTF-8, and is filled in as it is.
func TestFillingOfBytes(t *testing.T) {
	_, d, th := storedAlone(t)
	const text = "caf\xe9\n"
	killed := errors.New("killed")
	if err := d.change(context.Background(), func(s *State) error {
		return errors.Join(killed, d.noteFilling(s, s.thread(th.ID), nil, map[string][]byte{"plan.md": []byte(text)}, Thread{}))
	}); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	if err := d.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(th.Dir, "plan.md")); err != nil || string(data) != text {
		t.Errorf("%q, %v", data, err)
	}
}

// Where the folder cannot be filled it is as it was, and so is what is remembered.
func TestFillingFails(t *testing.T) {
	_, d, th := storedAlone(t)
	write(t, th, "tasks", "a file where a folder is to be")
	before, _ := os.ReadFile(d.stateFile())
	err := d.change(context.Background(), func(s *State) error {
		files := map[string][]byte{"plan.md": []byte(planText("Auth")), "tasks/01-one.md": []byte(taskText("one"))}
		return d.fill(s, s.thread(th.ID), nil, files, Thread{Plan: "auth"})
	})
	if err == nil {
		t.Fatal("filled")
	}
	if after, _ := os.ReadFile(d.stateFile()); string(after) != string(before) {
		t.Errorf("state %s", after)
	}
	if _, err := os.Stat(filepath.Join(th.Dir, "plan.md")); !os.IsNotExist(err) {
		t.Errorf("plan.md: %v", err)
	}
}

// A folder that cannot be filled hinders no other thread, and can be given up.
func TestFillingThatStays(t *testing.T) {
	ctx := context.Background()
	_, d, th := storedAlone(t)
	stuck, err := d.Request(ctx)
	if err != nil {
		t.Fatal(err)
	}
	killedFilling(t, d, stuck.ID, "auth")
	write(t, stuck, "tasks", "a file where a folder is to be")
	write(t, th, "plan.md", planText("Shop"), "tasks/01-one.md", taskText("one"))
	if r := commit(t, d); len(r.Plans) != 1 || len(r.Notes) != 1 {
		t.Errorf("committed %v, %q", r.Plans, r.Notes)
	}
	var unfilled *unfilledError
	if _, err := d.Checkout(ctx, "auth", CheckoutOptions{}); !errors.As(err, &unfilled) {
		t.Errorf("checkout of what is on its way there: %v", err)
	}
	if err := os.Remove(filepath.Join(stuck.Dir, "tasks")); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Checkout(ctx, "auth", CheckoutOptions{Force: true}); err != nil || got.ID != stuck.ID || got.Plan != "auth" || got.Filling != nil {
		t.Errorf("%+v, %v", got, err)
	}

	killedFilling(t, d, th.ID, "auth")
	if err := os.RemoveAll(filepath.Join(th.Dir, "tasks")); err != nil {
		t.Fatal(err)
	}
	write(t, th, "tasks", "a file where a folder is to be")
	if err := d.Remove(ctx, th.ID); err != nil {
		t.Error(err)
	}
	if s, _ := d.State(); s.thread(th.ID) != nil {
		t.Error("the thread is still there")
	}
}

// A folder without any file of the plan is noted before it is filled: cut off, what is
// not there yet would be an edit that takes it away.
func TestFollowsNotWhatIsEmpty(t *testing.T) {
	th, files := Thread{Plan: "auth", Base: "c0ffee", Dir: t.TempDir()}, map[string][]byte{"plan.md": nil}
	if then := (Thread{Plan: "auth"}); !th.follows(then, files) || th.follows(then, nil) {
		t.Error("only a folder with files of the plan goes on without a note")
	}
}
