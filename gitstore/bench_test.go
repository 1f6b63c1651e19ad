package gitstore

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// BenchmarkRead reads the 13 objects of a plan of ten files with a store that
// has read nothing before: a commit, the root, two folders, nine or ten files.
// GIT_PLAN_BENCH_HUGE may name a bare repository with many objects and such
// plans, plan-07 among them, on its plans branch.
func BenchmarkRead(b *testing.B) {
	b.Run("tiny", func(b *testing.B) {
		r := gittest.New(b)
		var all []FileChange
		for i := range 10 {
			all = append(all, file(fmt.Sprintf("plan-07/tasks/%02d-task.md", i), strings.Repeat(fmt.Sprint("line of task ", i, "\n"), 40)))
		}
		put(b, open(b, r), append(all, file("plan-07/plan.md", "plan"))...)
		r.Git("gc", "-q")
		benchmarkRead(b, r.G())
	})
	if huge := os.Getenv("GIT_PLAN_BENCH_HUGE"); huge != "" {
		b.Run("huge", func(b *testing.B) { benchmarkRead(b, git.Git{Dir: huge}) })
	}
}

func benchmarkRead(b *testing.B, g git.Git) {
	repo, err := Discover(b.Context(), g, "")
	if err != nil {
		b.Fatal(err)
	}
	config, err := repo.Config(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	tip, err := Open(repo, testRef).Tip(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{engineGogit, engineNative} {
		b.Run(name, func(b *testing.B) {
			config.settings["plan.engine"] = []setting{{value: name}}
			for b.Loop() {
				s := Open(repo, testRef)
				if got := readPlan(b, s, tip.Commit, "plan-07"); got < 13 {
					b.Fatalf("%d objects", got)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// readPlan reads all of a plan and counts the objects.
func readPlan(b *testing.B, s *Store, commit, plan string) (count int) {
	entry, ok, err := s.Lookup(b.Context(), commit, plan)
	if err != nil || !ok {
		b.Fatal(ok, err)
	}
	count = 2
	var read func(e Entry)
	read = func(e Entry) {
		count++
		if !e.IsFolder() {
			if _, err := s.Blob(b.Context(), e.Object, 1<<20); err != nil {
				b.Fatal(err)
			}
			return
		}
		entries, err := s.Tree(b.Context(), e.Object)
		if err != nil {
			b.Fatal(err)
		}
		for _, below := range entries {
			read(below)
		}
	}
	read(entry)
	return count
}
