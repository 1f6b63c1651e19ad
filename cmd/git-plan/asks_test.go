package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What agents call all the time asks git nothing, once git has said where the
// repository is and how it is configured.
func TestReadingAsksNobody(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("nothing is remembered here")
	}
	g := gittest.New(t)
	trace := filepath.Join(t.TempDir(), "trace")
	run := func(environ []string, line string) {
		t.Helper()
		var said strings.Builder
		if status := Main(Env{Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said, Dir: g.Dir, Environ: environ, Now: time.Now}, strings.Fields(line)); status != 0 {
			t.Fatalf("%s: %d\n%s", line, status, &said)
		}
	}
	environ := slices.DeleteFunc(slices.Clone(g.Env), func(kv string) bool { // git alone reads dates, in their many forms
		return strings.HasPrefix(kv, "GIT_AUTHOR_DATE=") || strings.HasPrefix(kv, "GIT_COMMITTER_DATE=")
	})
	run(environ, "init --no-hooks")
	run(environ, "start --goal Ship")
	g.Git("remote", "add", "origin", "https://user:secret@example.com/x")
	aged(t, filepath.Join(g.Dir, ".git", "config"))
	run(environ, "list") // which keeps what it finds out, too
	for _, line := range []string{"show ship", "show ship --json", "next ship --json", "status --json", "prime", "list --json"} {
		run(append(slices.Clone(environ), "GIT_TRACE2_EVENT="+trace), line)
		if text, err := os.ReadFile(trace); err == nil {
			t.Errorf("%s asked git:\n%.2000s", line, text)
			_ = os.Remove(trace)
		}
	}
}

// aged waits until the times of a file tell one state of it from the next.
func aged(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(info.ModTime().Add(2100 * time.Millisecond)))
}
