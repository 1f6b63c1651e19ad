// Command bench measures the program as its users run it, whole processes,
// against native git doing the same in the same run, and prints the ratios.
//
//	go run ./internal/bench [-dir DIR] [-runs N] [-rows WORDS] [-huge N]
//
// The repositories it measures in are made once and kept in DIR: the large
// one takes minutes to make. Rows beside peers print where beads (bd) or
// git-bug are on PATH.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// suite is one run of the benchmark.
type suite struct {
	dir   string // of the repositories
	bin   string // the program under test
	runs  int
	huge  int // objects in the large repository
	only  []string
	table []row
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	s := &suite{}
	rows := flag.String("rows", "", "only groups whose name holds one of these comma-separated `words`")
	flag.StringVar(&s.dir, "dir", filepath.Join(cache, "git-plan-bench"), "the `folder` of the repositories")
	flag.IntVar(&s.runs, "runs", 21, "the `number` of runs of each side, taken in turn")
	flag.IntVar(&s.huge, "huge", 4_000_000, "the `number` of objects in the large repository")
	flag.Parse()
	if *rows != "" {
		s.only = strings.Split(*rows, ",")
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	fmt.Printf("%s/%s, %d cores, %s, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), gitVersion(ctx))
	for _, g := range s.groups() {
		if !s.wanted(g.name) {
			continue
		}
		if err := g.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		s.flush(g.name)
	}
	return nil
}

// group is a set of rows that share a repository.
type group struct {
	name    string
	measure func(context.Context) error
}

func (s *suite) groups() []group {
	return []group{
		{"start", s.startUp}, {"read", s.reads}, {"commit", s.commits}, {"growth", s.growth}, {"scale", s.scale}, {"publish", s.publish},
		{"gates", s.gates}, {"peers", s.peers},
	}
}

func (s *suite) wanted(name string) bool {
	for _, word := range s.only {
		if strings.Contains(name, word) {
			return true
		}
	}
	return len(s.only) == 0
}

// row is one measured ratio.
type row struct {
	what       string
	ours, base sample
	target     string
}

// flush prints the rows of a group as a markdown table.
func (s *suite) flush(name string) {
	if len(s.table) == 0 {
		return
	}
	fmt.Printf("### %s\n\n| what | ours, ms | beside it, ms | ratio | target | MiB |\n|---|---:|---:|---:|---|---:|\n", name)
	for _, r := range s.table {
		beside, ratio := "", ""
		if r.base.wall > 0 {
			beside = fmt.Sprintf("%.1f", r.base.ms())
			ratio = fmt.Sprintf("%.2f", r.ours.ms()/r.base.ms())
		}
		fmt.Printf("| %s | %.1f | %s | %s | %s | %.1f |\n", r.what, r.ours.ms(), beside, ratio, r.target, float64(r.ours.rss)/1024)
	}
	fmt.Println()
	s.table = nil
}

func (s *suite) add(what string, ours, base sample, target string) {
	s.table = append(s.table, row{what, ours, base, target})
}
