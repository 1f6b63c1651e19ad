package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// counting makes a git that notes each maintenance instead of doing it.
func counting(t *testing.T, s *Store) (count func() int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script that stands before git needs a shell")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *\" maintenance \"*) echo x >>%s/ran; exit;; esac\nexec %s \"$@\"\n", dir, real)
	gittest.Script(t, filepath.Join(dir, "git"), script)
	s.repo.Git = s.repo.Git.WithEnv("PATH=" + dir + ":" + s.repo.Git.Getenv("PATH"))
	return func() int {
		data, _ := os.ReadFile(filepath.Join(dir, "ran"))
		return strings.Count(string(data), "x")
	}
}

// tidied is a store in a repository where git may tidy, as it may not in those
// of other tests.
func tidied(t *testing.T, settings ...string) *Store {
	t.Helper()
	r := gittest.New(t)
	for _, setting := range append([]string{"maintenance.auto=true"}, settings...) {
		key, value, _ := strings.Cut(setting, "=")
		r.Git("config", key, value)
	}
	return open(t, r)
}

// lastMaintained sets when git was last started.
func lastMaintained(t *testing.T, s *Store, ago time.Duration) {
	t.Helper()
	at := time.Now().Add(-ago)
	if err := os.Chtimes(filepath.Join(s.repo.dir(), "maintained"), at, at); err != nil {
		t.Fatal(err)
	}
}

func mayMaintain(t *testing.T, s *Store) bool {
	t.Helper()
	started, err := s.MaintainNowAndThen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return started
}

func TestMaintainNowAndThen(t *testing.T) {
	t.Parallel()
	s := tidied(t)
	counting(t, s)
	if mayMaintain(t, s) {
		t.Error("after the first write")
	}
	for ago, want := range map[time.Duration]bool{
		time.Second: false, 2 * time.Minute: false, 11 * time.Minute: true, -time.Hour: true,
	} {
		lastMaintained(t, s, ago)
		if got := mayMaintain(t, s); got != want {
			t.Errorf("%s after the last: %v", ago, got)
		}
	}
	if mayMaintain(t, s) {
		t.Error("a second one at once")
	}
}

// Who turned git's own tidying off does not get it from here.
func TestMaintenanceIsOff(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"gc.auto=0", "gc.auto=-1", "maintenance.auto=false"} {
		s := tidied(t, setting)
		counting(t, s)
		mayMaintain(t, s)
		lastMaintained(t, s, 2*time.Hour)
		if mayMaintain(t, s) {
			t.Errorf("started with %s", setting)
		}
	}
}

// Of a hundred writers that find it due, one starts it.
func TestManyFindMaintenanceDue(t *testing.T) {
	t.Parallel()
	s := tidied(t)
	count := counting(t, s)
	mayMaintain(t, s)
	lastMaintained(t, s, 2*time.Hour)
	var started atomic.Int32
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if yes, err := s.MaintainNowAndThen(t.Context()); yes {
				started.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if started.Load() != 1 {
		t.Errorf("%d starts", started.Load())
	}
	gittest.Until(t, "the start of git", func() bool { return count() > 0 })
	if count() != 1 {
		t.Errorf("git was started %d times", count())
	}
}

// What each write pays for it.
func BenchmarkMaintainNowAndThen(b *testing.B) {
	s := open(b, gittest.New(b))
	for name, ago := range map[string]time.Duration{"new": 0, "minutes": 5 * time.Minute} {
		b.Run(name, func(b *testing.B) {
			_, _ = s.MaintainNowAndThen(b.Context())
			at := time.Now().Add(-ago)
			if err := os.Chtimes(filepath.Join(s.repo.dir(), "maintained"), at, at); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if started, err := s.MaintainNowAndThen(b.Context()); started || err != nil {
					b.Fatal(started, err)
				}
			}
		})
	}
}
