package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sample is what one process, or a chain of them, took.
type sample struct {
	wall time.Duration
	cpu  time.Duration // of the process itself, not of its children
	rss  int64         // peak memory of the largest process, in KiB
}

func (s sample) ms() float64 { return float64(s.wall.Microseconds()) / 1000 }

// job is a command line to measure.
type job struct {
	dir   string
	args  []string
	stdin []byte
}

// environ is the machine's environment without its git configuration.
func environ() []string {
	var out []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "GIT_TEST_") {
			out = append(out, kv)
		}
	}
	return append(out, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_PLAN_AGENT=bench",
		"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@example.com",
		"GIT_COMMITTER_NAME=Bench", "GIT_COMMITTER_EMAIL=bench@example.com")
}

func (j job) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, j.args[0], j.args[1:]...)
	cmd.Dir, cmd.Env = j.dir, environ()
	if j.stdin != nil {
		cmd.Stdin = bytes.NewReader(j.stdin)
	}
	return cmd
}

// measure runs the job once.
func (j job) measure(ctx context.Context) (sample, error) {
	cmd := j.command(ctx)
	var said bytes.Buffer
	cmd.Stderr = &said
	begun := time.Now()
	err := cmd.Run()
	s := sample{wall: time.Since(begun)}
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", strings.Join(j.args, " "), err, said.String())
	}
	s.rss = peakMemory(cmd.ProcessState)
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return s, nil
}

// output runs the job and gives what it printed.
func (j job) output(ctx context.Context) (string, error) {
	out, err := j.command(ctx).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(j.args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// action is something to time: a job, or several in a row.
type action func(context.Context) (sample, error)

func one(j job) action { return j.measure }

// chain runs jobs one after the other, each built from what came before.
func chain(steps ...func() job) action {
	return func(ctx context.Context) (sample, error) {
		var sum sample
		for _, step := range steps {
			s, err := step().measure(ctx)
			if err != nil {
				return sum, err
			}
			sum.wall += s.wall
			sum.rss = max(sum.rss, s.rss)
		}
		return sum, nil
	}
}

// paired runs two actions in turn, so that whatever the machine does else
// meets both, and gives the median of each. The first run of each is not
// counted.
func (s *suite) paired(ctx context.Context, a, b action) (x, y sample, err error) {
	var xs, ys []sample
	for i := range s.runs + 1 {
		x, err := a(ctx)
		if err != nil {
			return x, y, err
		}
		if b == nil {
			b = func(context.Context) (sample, error) { return sample{}, nil }
		}
		y, err := b(ctx)
		if err != nil {
			return x, y, err
		}
		if i > 0 {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return median(xs), median(ys), nil
}

func median(all []sample) sample {
	slices.SortFunc(all, func(a, b sample) int { return int(a.wall - b.wall) })
	return all[len(all)/2]
}

func gitVersion(ctx context.Context) string {
	out, err := job{args: []string{"git", "--version"}}.output(ctx)
	if err != nil {
		return "no git"
	}
	return out
}

// build makes the program that is measured, as `make build` does.
func (s *suite) build(ctx context.Context) error {
	s.bin = filepath.Join(s.dir, "bin", "git-plan")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", s.bin, "./cmd/git-plan")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// plan is a job of the program under test.
func (s *suite) plan(dir string, args ...string) job {
	return job{dir: dir, args: append([]string{s.bin}, args...)}
}

// git is a job of native git.
func (s *suite) git(dir string, args ...string) job {
	return job{dir: dir, args: append([]string{"git"}, args...)}
}
