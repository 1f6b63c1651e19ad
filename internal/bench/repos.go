package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// repository gives a repository of that name, which fill makes the first
// time it is asked for.
func (s *suite) repository(ctx context.Context, name string, fill func(dir string) error) (string, error) {
	dir := filepath.Join(s.dir, name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	fmt.Fprintf(os.Stderr, "making %s…\n", dir)
	temp := dir + ".part"
	if err := os.RemoveAll(temp); err != nil {
		return "", err
	}
	if _, err := s.git(s.dir, "init", "-q", "-b", "main", temp).output(ctx); err != nil {
		return "", err
	}
	if err := fill(temp); err != nil {
		return "", err
	}
	forgetPeak()
	return dir, os.Rename(temp, dir)
}

// tiny is a repository with a store of one plan of ten files, packed.
func (s *suite) tiny(ctx context.Context) (string, error) {
	return s.repository(ctx, "tiny", func(dir string) error {
		return s.inOrder(ctx, func() error { return s.onePlan(ctx, dir) },
			s.step(s.git(dir, "gc", "-q")))
	})
}

func (s *suite) inOrder(_ context.Context, steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) step(j job) func() error {
	return func() error {
		_, err := j.output(context.Background())
		return err
	}
}

// onePlan makes a store and the plan `auth` in it.
func (s *suite) onePlan(ctx context.Context, dir string) error {
	for _, j := range []job{s.git(dir, "commit", "-q", "--allow-empty", "-m", "begin"), s.plan(dir, "init")} {
		if _, err := j.output(ctx); err != nil {
			return err
		}
	}
	thread, err := s.plan(dir, "dir").output(ctx)
	if err != nil {
		return err
	}
	for name, text := range planFiles("Auth", 9) {
		full := filepath.Join(thread, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			return err
		}
	}
	_, err = s.plan(dir, "commit").output(ctx)
	return err
}

// planFiles makes a plan of n tasks, each waiting for the one before.
func planFiles(title string, n int) map[string]string {
	files := map[string]string{"plan.md": "---\ntitle: " + title + "\ntags: [bench]\n---\n\nWhat is to be reached, and why.\n"}
	for i := 1; i <= n; i++ {
		files[fmt.Sprintf("tasks/%02d-step.md", i)] = taskText(i, "pending")
	}
	return files
}

func taskText(i int, status string) string {
	needs := "[]"
	if i > 1 {
		needs = fmt.Sprintf("[step-%d]", i-1)
	}
	return fmt.Sprintf(`---
id: step-%d
title: Do step %d of the work
type: feature
status: %s
depends_on: %s
priority: medium
tags: [backend, bench]
subtasks:
  - Write the code
  - Write its test
context_hints:
  - Read the section about step %d
acceptance_criteria:
  - The test passes
---

Do what step %d asks for, and show that it holds by a test. It takes a few
lines to say so, as tasks do.
`, i, i, status, needs, i, i)
}

// stream writes a fast-import stream.
type stream struct {
	*bufio.Writer
	clock int
}

func (w *stream) commit(ref, message string) {
	w.clock++
	fmt.Fprintf(w, "commit %s\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n", ref, 1_700_000_000+w.clock, len(message), message)
}

// inline puts a file with its content into the commit being written.
func (w *stream) inline(path, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

// fastImport feeds native git what write makes.
func (s *suite) fastImport(ctx context.Context, dir string, write func(*stream)) error {
	cmd := s.git(dir, "fast-import", "--quiet").command(ctx)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := &stream{Writer: bufio.NewWriterSize(in, 1<<20)}
	write(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	return cmd.Wait()
}

// hugeRepo holds the tiny repository's store and millions of objects beside
// it, all in one pack.
func (s *suite) hugeRepo(ctx context.Context) (string, error) {
	tiny, err := s.tiny(ctx)
	if err != nil {
		return "", err
	}
	return s.repository(ctx, fmt.Sprintf("huge-%d", s.huge), func(dir string) error {
		export, err := s.git(tiny, "fast-export", "refs/heads/plans").output(ctx)
		if err != nil {
			return err
		}
		err = s.fastImport(ctx, dir, func(w *stream) {
			fmt.Fprintln(w, export)
			w.commit("refs/heads/main", "code")
			for i := range s.huge {
				w.inline(fmt.Sprintf("d%d/f%d", i/2000, i), fmt.Sprintf("object %d\n", i))
			}
		})
		if err != nil {
			return err
		}
		_, err = s.git(dir, "rev-parse", "--verify", "plans").output(ctx)
		return err
	})
}

// manyPlans is a store of n plans of ten tasks, packed.
func (s *suite) manyPlans(ctx context.Context, n int) (string, error) {
	return s.withPlans(ctx, fmt.Sprintf("plans-%d", n), n, 10, func(*stream) {})
}

// longHistory is a store of plans with many commits, each changing one task.
func (s *suite) longHistory(ctx context.Context, plans, commits int) (string, error) {
	return s.withPlans(ctx, fmt.Sprintf("history-%d", commits), plans, 9, func(w *stream) {
		status := []string{"in_progress", "done", "pending"}
		for i := range commits {
			w.commit("refs/heads/plans", fmt.Sprintf("plan-%d: report", i%plans))
			w.inline(fmt.Sprintf("plan-%d/tasks/01-step.md", i%plans), taskText(1, status[i/plans%3]))
		}
	})
}

// withPlans is a store of so many plans of so many tasks, and of what more
// commits, packed.
func (s *suite) withPlans(ctx context.Context, name string, plans, tasks int, more func(*stream)) (string, error) {
	return s.repository(ctx, name, func(dir string) error {
		if err := s.onePlan(ctx, dir); err != nil {
			return err
		}
		err := s.fastImport(ctx, dir, func(w *stream) {
			w.commit("refs/heads/plans", "many plans")
			fmt.Fprintln(w, "from refs/heads/plans^0")
			for i := range plans {
				for name, text := range planFiles(fmt.Sprintf("Plan %d", i), tasks) {
					w.inline(fmt.Sprintf("plan-%d/%s", i, name), text)
				}
			}
			more(w)
		})
		if err != nil {
			return err
		}
		_, err = s.git(dir, "gc", "-q").output(ctx)
		return err
	})
}
