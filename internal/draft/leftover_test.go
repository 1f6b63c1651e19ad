package draft

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// old makes a file of a thread as old as what a killed process left yesterday.
func old(t *testing.T, path string) {
	t.Helper()
	at := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// What a process that was killed while it wrote left beside a thread's files is
// found, in threads that are forgotten too, and nothing else is.
func TestDraftLeftovers(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	outside := t.TempDir()
	write(t, Draft{Dir: outside}, "plan.md.tmp12", "x")
	old(t, filepath.Join(outside, "plan.md.tmp12"))
	left := []string{"plan.md.tmp12", "tasks/01-a.md.tmp4711"}
	kept := []string{"plan.md", "plan.md.tmp", "plan.md.tmp012", "plan.md.tmp1x", ".md.tmp1", "notes.tmp12", "tasks/02-new.md.tmp12"}
	for _, name := range append(slices.Clone(left), kept...) {
		write(t, th, name, "x")
		if name != "tasks/02-new.md.tmp12" {
			old(t, filepath.Join(th.Dir, name))
		}
	}
	lost := filepath.Join(g.Dir, DefaultDir, "thread-9")
	write(t, Draft{Dir: lost}, "plan.md.tmp12", "x")
	old(t, filepath.Join(lost, "plan.md.tmp12"))
	if err := os.Symlink(outside, filepath.Join(g.Dir, DefaultDir, "away")); err != nil {
		t.Skip(err)
	}
	var got []string
	for _, l := range d.Leftovers() {
		got = append(got, l.Path)
		if err := l.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(l.Path); err == nil {
			t.Errorf("%s is there", l.Path)
		}
	}
	want := []string{filepath.Join(th.Dir, left[0]), filepath.Join(th.Dir, left[1]), filepath.Join(lost, "plan.md.tmp12")}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, name := range kept {
		if _, err := os.Lstat(filepath.Join(th.Dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(filepath.Join(outside, "plan.md.tmp12")); err != nil {
		t.Error(err)
	}
}

// One that is another by the time it is removed stays.
func TestDraftLeftoverChanged(t *testing.T) {
	_, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md.tmp12", "x")
	path := filepath.Join(th.Dir, "plan.md.tmp12")
	old(t, path)
	found := d.Leftovers()
	write(t, th, "plan.md.tmp12", "anew")
	if len(found) != 1 || found[0].Remove() == nil {
		t.Errorf("%+v", found)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}

// A plan in the folder of drafts that is no thread's is told.
func TestForgottenDrafts(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Known"))
	write(t, Draft{Dir: filepath.Join(g.Dir, DefaultDir, "thread-9")}, "plan.md", planText("Lost"))
	write(t, Draft{Dir: filepath.Join(g.Dir, DefaultDir, "notes")}, "a.md", "x")
	got, err := d.Forgotten()
	if want := []string{filepath.Join(g.Dir, DefaultDir, "thread-9")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
