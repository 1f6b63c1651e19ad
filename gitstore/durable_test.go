package gitstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A git that does not flush what it writes by itself is told to flush objects in
// the way it knows; a later one is not told of that setting, of which it would
// complain.
func TestOldGitIsToldToFlush(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ version, want, not string }{
		{"2.34.8", "core.fsyncObjectFiles=true", "core.fsync=all"},
		{"2.36.0", "core.fsync=all", "core.fsyncObjectFiles"},
	} {
		s := open(t, gittest.New(t))
		dir := standIn(t, s, `echo "$@" >>$dir/said; if test "$*" = version; then echo "git version `+tt.version+`"; exit; fi`)
		put(t, s, file("a", "1"))
		put(t, s, file("b", "2"))
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"unpack-objects", "update-ref"} {
			count := 0
			for line := range strings.Lines(string(said)) {
				if !strings.Contains(line, " "+command+" ") {
					continue
				}
				count++
				if !strings.Contains(line, tt.want) || strings.Contains(line, tt.not) {
					t.Errorf("git %s is started as %s", tt.version, line)
				}
			}
			if count != 2 {
				t.Errorf("git %s: %d of 2 %s:\n%s", tt.version, count, command, said)
			}
		}
		if n := strings.Count("\n"+string(said), "\nversion\n"); n != 1 {
			t.Errorf("git is asked for its version %d times", n)
		}
	}
}

// What is fetched is flushed, and so are refs that are packed in the background:
// the ref of the store may rest on the one, and be among the others.
func TestFetchAndMaintenanceFlush(t *testing.T) {
	t.Parallel()
	for version, settings := range map[string]string{
		"2.34.8": "-c core.fsyncObjectFiles=true -c gc.packRefs=false ",
		"2.36.0": "-c core.fsync=all -c core.fsyncMethod=batch ",
	} {
		s := open(t, gittest.New(t))
		dir := standIn(t, s, `echo "$@" >>$dir/said; case " $* " in *" version "*) echo "git version `+version+`"; exit;; esac`)
		from := gittest.New(t)
		want := put(t, open(t, from), file("a", "1"))
		if got, err := s.Fetch(t.Context(), tracked(from.Dir)); got != want || err != nil {
			t.Fatalf("fetched %q, %v", got, err)
		}
		if err := s.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
		said := ""
		gittest.Until(t, "the start of git maintenance", func() bool { // which is not waited for
			data, err := os.ReadFile(filepath.Join(dir, "said"))
			if err != nil {
				t.Fatal(err)
			}
			said = string(data)
			return strings.Contains(said, " maintenance run ")
		})
		for _, command := range []string{"fetch --quiet", "maintenance run"} {
			if !strings.Contains(said, settings+command) {
				t.Errorf("git %s %s does not get %s:\n%s", version, command, settings, said)
			}
		}
	}
}

func TestFlushFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := flushFile(filepath.Join(dir, "none")); err != nil {
		t.Errorf("there is nothing to flush: %v", err)
	}
	if err := flushFile(dir); err == nil {
		t.Error("a folder is flushed as a file")
	}
	path := filepath.Join(dir, "some")
	write(t, path, "x")
	if err := flushFile(path); err != nil {
		t.Error(err)
	}
}

func TestFlushFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := flushFolder(dir); err != nil {
		t.Error(err)
	}
	if err := flushFolder(filepath.Join(dir, "none")); err != nil {
		t.Errorf("there is nothing to flush: %v", err)
	}
}
