package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What agents call all the time asks git where the repository is and how it is
// configured, at once, and nothing else.
func TestReadingAsksTwice(t *testing.T) {
	t.Parallel()
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
	g.Git("update-ref", "refs/remotes/origin/plans", "plans^") // as if all but one commit were published
	run(environ, "list")                                       // which keeps what it finds out
	started := regexp.MustCompile(`"event":"cmd_name".*?"name":"([^"]*)"`)
	for _, line := range []string{"show ship", "show ship --json", "next ship --json", "status --json", "prime", "list --json"} {
		run(append(slices.Clone(environ), "GIT_TRACE2_EVENT="+trace), line)
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, command := range started.FindAllStringSubmatch(string(text), -1) {
			asked = append(asked, command[1])
		}
		slices.Sort(asked)
		if !slices.Equal(asked, []string{"config", "rev-parse"}) {
			t.Errorf("%s asked git %q", line, asked)
		}
		if err := os.Remove(trace); err != nil {
			t.Fatal(err)
		}
	}
}
