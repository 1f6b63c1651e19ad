package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func (s *suite) startUp(ctx context.Context) error {
	ours, base, err := s.paired(ctx, one(s.plan(s.dir, "version")), one(s.git(s.dir, "--version")))
	s.add("`version` beside `git --version`", ours, base, "3.5; 14 MiB")
	return err
}

// objectNames are those that showing the plan reads: commit, trees, blobs.
func (s *suite) objectNames(ctx context.Context, dir, plan string) ([]byte, error) {
	out, err := s.git(dir, "rev-parse", "plans", "plans^{tree}", "plans:"+plan).output(ctx)
	if err != nil {
		return nil, err
	}
	blobs, err := s.git(dir, "ls-tree", "-r", "-t", "--format=%(objectname)", "plans:"+plan).output(ctx)
	return []byte(out + "\n" + blobs + "\n"), err
}

// catFile is y: one `git cat-file --batch` fed the same object names.
func (s *suite) catFile(ctx context.Context, dir, plan string) (action, error) {
	names, err := s.objectNames(ctx, dir, plan)
	j := s.git(dir, "cat-file", "--batch")
	j.stdin = names
	return one(j), err
}

func (s *suite) reads(ctx context.Context) error {
	tiny, err := s.tiny(ctx)
	if err != nil {
		return err
	}
	y, err := s.catFile(ctx, tiny, "auth")
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"show", "auth", "--json"}, {"next", "auth", "--json"}} {
		ours, base, err := s.paired(ctx, one(s.plan(tiny, args...)), y)
		if err != nil {
			return err
		}
		s.add("`"+strings.Join(args, " ")+"`, tiny, beside y", ours, base, "3.2")
	}
	huge, err := s.hugeRepo(ctx)
	if err != nil {
		return err
	}
	ours, base, err := s.paired(ctx, one(s.plan(huge, "show", "auth", "--json")), one(s.plan(tiny, "show", "auth", "--json")))
	s.add(fmt.Sprintf("`show`, %d objects in one pack, beside tiny", s.huge), ours, base, "1.1; 16 MiB")
	return err
}

// toggle starts and releases a task in turn, so that each run is a commit.
func (s *suite) toggle(dir, task string, flags ...string) action {
	verb := "release"
	return func(ctx context.Context) (sample, error) {
		verb = map[string]string{"start": "release", "release": "start"}[verb]
		return s.plan(dir, append([]string{"task", verb, task}, flags...)...).measure(ctx)
	}
}

// plumbing is what a commit of one change costs native git: the chain
// hash-object, mktree, commit-tree, update-ref, with the same fsync.
func (s *suite) plumbing(ctx context.Context, dir string) (action, error) {
	tree, err := s.git(dir, "ls-tree", "plans").output(ctx)
	if err != nil {
		return nil, err
	}
	name, err := s.git(dir, "rev-parse", "plans^{tree}").output(ctx)
	if err != nil {
		return nil, err
	}
	safe := []string{"-c", "core.fsync=all", "-c", "core.fsyncMethod=batch"}
	n, commit := 0, ""
	git := func(stdin string, args ...string) func() job {
		return func() job {
			j := s.git(dir, append(safe, args...)...)
			j.stdin = []byte(stdin)
			return j
		}
	}
	return func(ctx context.Context) (sample, error) {
		n++
		sum, err := chain(
			git(fmt.Sprintf("bench %d %d\n", os.Getpid(), n), "hash-object", "-w", "--stdin"),
			git(tree+"\n", "mktree"),
		)(ctx)
		if err != nil {
			return sum, err
		}
		// The commit's name is needed by the last step: its command is run
		// once for its time, and again, unmeasured, for its answer.
		message := fmt.Sprintf("bench %d", n)
		made, err := git(message, "commit-tree", name, "-p", "plans")().measure(ctx)
		if err != nil {
			return sum, err
		}
		if commit, err = git(message, "commit-tree", name, "-p", "plans")().output(ctx); err != nil {
			return sum, err
		}
		moved, err := git("", "update-ref", "refs/heads/bench", commit)().measure(ctx)
		sum.wall += made.wall + moved.wall
		return sum, err
	}, nil
}

func (s *suite) commits(ctx context.Context) error {
	tiny, err := s.copyOf(ctx, s.tiny, "tiny-write")
	if err != nil {
		return err
	}
	base, err := s.plumbing(ctx, tiny)
	if err != nil {
		return err
	}
	ours, git, err := s.paired(ctx, s.toggle(tiny, "auth/step-1"), base)
	if err != nil {
		return err
	}
	s.add("`task start`, tiny, beside hash-object, mktree, commit-tree, update-ref", ours, git, "1.8")
	return nil
}

// copyOf makes a fresh copy of a repository, to write in.
func (s *suite) copyOf(ctx context.Context, from func(context.Context) (string, error), name string) (string, error) {
	source, err := from(ctx)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.dir, name)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.CopyFS(dir, os.DirFS(source))
}

// growth compares what 10,000 siblings add to a commit with what they add to
// one made by fast-import.
func (s *suite) growth(ctx context.Context) error {
	var ours, git [2]sample
	for i, n := range []int{10, 10_000} {
		dir, err := s.copyOf(ctx, func(ctx context.Context) (string, error) { return s.manyPlans(ctx, n) }, fmt.Sprintf("plans-%d-write", n))
		if err != nil {
			return err
		}
		k := 0
		fastImport := func(ctx context.Context) (sample, error) {
			k++
			text := taskText(1, "pending") + fmt.Sprint(k)
			j := s.git(dir, "-c", "core.fsync=all", "-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--force")
			j.stdin = fmt.Appendf(nil, "commit refs/heads/bench\ncommitter Bench <b@example.com> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/plans^0\nM 100644 inline plan-1/tasks/01-step.md\ndata %d\n%s\n", len(text), text)
			return j.measure(ctx)
		}
		if ours[i], git[i], err = s.paired(ctx, s.toggle(dir, "plan-1/step-1"), fastImport); err != nil {
			return err
		}
		s.add(fmt.Sprintf("`task start`, %d sibling plans, beside fast-import", n), ours[i], git[i], "")
	}
	grown := sample{wall: ours[1].wall - ours[0].wall}
	s.add("growth from 10 to 10,000 sibling plans", grown, sample{wall: git[1].wall - git[0].wall}, "1")
	return nil
}

func (s *suite) scale(ctx context.Context) error {
	dir, err := s.manyPlans(ctx, 10_000)
	if err != nil {
		return err
	}
	runs := s.runs
	s.runs = min(runs, 5)
	defer func() { s.runs = runs }()
	cold := func(ctx context.Context) (sample, error) {
		if err := os.RemoveAll(filepath.Join(dir, ".git", "git-plan", "cache")); err != nil {
			return sample{}, err
		}
		return s.plan(dir, "list", "--json").measure(ctx)
	}
	ours, _, err := s.paired(ctx, cold, nil)
	if err != nil {
		return err
	}
	s.add("`list`, 10,000 plans, cold", ours, sample{}, "2 s")
	for _, args := range [][]string{{"list", "--json"}, {"next", "plan-77", "--json"}, {"status", "plan-77", "--json"}} {
		ours, _, err := s.paired(ctx, one(s.plan(dir, args...)), nil)
		if err != nil {
			return err
		}
		s.add("`"+strings.Join(args, " ")+"`, 10,000 plans, warm", ours, sample{}, "100 ms")
	}
	return nil
}
