package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
	for _, shape := range s.shapes() {
		dir, err := shape.make(ctx)
		if err != nil {
			return err
		}
		ours, base, err := s.paired(ctx, one(s.plan(dir, "show", "auth", "--json")), one(s.plan(tiny, "show", "auth", "--json")))
		if err != nil {
			return err
		}
		s.add("`show`, "+shape.name+", beside tiny", ours, base, shape.target)
	}
	return nil
}

// shape is a repository in which reading must cost what it costs in the tiny
// one.
type shape struct {
	name   string
	make   func(context.Context) (string, error)
	target string
}

func (s *suite) shapes() []shape {
	return []shape{
		{fmt.Sprintf("%d objects in one pack", s.huge), s.hugeRepo, "2; 24 MiB"},
		{"60 packs", func(ctx context.Context) (string, error) { return s.packs(ctx, "packs-60", false) }, "2"},
		{"60 packs, multi-pack-index", func(ctx context.Context) (string, error) { return s.packs(ctx, "packs-60-midx", true) }, "2"},
		{"100,000 packed refs", s.manyRefs, "2"},
	}
}

// packs is the tiny store in one of sixty packs.
func (s *suite) packs(ctx context.Context, name string, midx bool) (string, error) {
	return s.repository(ctx, name, func(dir string) error {
		if err := s.onePlan(ctx, dir); err != nil {
			return err
		}
		if _, err := s.git(dir, "gc", "-q").output(ctx); err != nil {
			return err
		}
		for i := range 59 {
			err := s.fastImport(ctx, dir, func(w *stream) {
				w.commit(fmt.Sprintf("refs/heads/b%d", i), "more")
				for k := range 200 {
					w.inline(fmt.Sprintf("f%d-%d", i, k), fmt.Sprintf("%d %d\n", i, k))
				}
			})
			if err != nil {
				return err
			}
		}
		if !midx {
			return nil
		}
		_, err := s.git(dir, "multi-pack-index", "write").output(ctx)
		return err
	})
}

func (s *suite) manyRefs(ctx context.Context) (string, error) {
	return s.repository(ctx, "refs-100000", func(dir string) error {
		if err := s.onePlan(ctx, dir); err != nil {
			return err
		}
		commit, err := s.git(dir, "rev-parse", "main").output(ctx)
		if err != nil {
			return err
		}
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, "create refs/tags/t%06d %s\n", i, commit)
		}
		update := s.git(dir, "update-ref", "--stdin")
		update.stdin = []byte(b.String())
		return s.inOrder(ctx, s.step(update), s.step(s.git(dir, "pack-refs", "--all")), s.step(s.git(dir, "gc", "-q")))
	})
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
	s.add("`task start`, tiny, beside hash-object, mktree, commit-tree, update-ref", ours, git, "1.6")
	huge, err := s.hugeRepo(ctx)
	if err != nil {
		return err
	}
	ours, git, err = s.paired(ctx, s.toggle(huge, "auth/step-1"), s.toggle(tiny, "auth/step-1"))
	s.add(fmt.Sprintf("`task start`, %d objects, beside tiny", s.huge), ours, git, "1.5")
	return err
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
	s.add("`list`, 10,000 plans, cold", ours, sample{}, "10 s")
	if err := s.oneChanged(ctx); err != nil {
		return err
	}
	for _, args := range [][]string{{"list", "--json"}, {"next", "plan-77", "--json"}, {"status", "plan-77", "--json"}, {"prime", "plan-77"}} {
		ours, _, err := s.paired(ctx, one(s.plan(dir, args...)), nil)
		if err != nil {
			return err
		}
		s.add("`"+strings.Join(args, " ")+"`, 10,000 plans, warm", ours, sample{}, "100 ms")
	}
	return nil
}

// oneChanged lists plans of which one was changed since the last time.
func (s *suite) oneChanged(ctx context.Context) error {
	dir, err := s.copyOf(ctx, func(ctx context.Context) (string, error) { return s.manyPlans(ctx, 10_000) }, "list-write")
	if err != nil {
		return err
	}
	change := s.toggle(dir, "plan-1/step-1")
	ours, _, err := s.paired(ctx, func(ctx context.Context) (sample, error) {
		if _, err := change(ctx); err != nil {
			return sample{}, err
		}
		return s.plan(dir, "list", "--json").measure(ctx)
	}, nil)
	s.add("`list --json`, 10,000 plans, one of them changed", ours, sample{}, "100 ms")
	return err
}

// parsing finds out what a task file more costs `check`, in the time that the
// processor works for it.
func (s *suite) parsing(ctx context.Context) error {
	dir, err := s.tiny(ctx)
	if err != nil {
		return err
	}
	var took [2]time.Duration
	counts := [2]int{1, 99}
	for i, n := range counts {
		folder := filepath.Join(s.dir, fmt.Sprintf("folder-%d", n))
		for name, text := range planFiles("Plan", n) {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return err
			}
		}
		all := make([]time.Duration, s.runs)
		for k := range all {
			one, err := s.plan(dir, "check", folder).measure(ctx)
			if err != nil {
				return err
			}
			all[k] = one.cpu
		}
		slices.Sort(all)
		took[i] = all[len(all)/2]
	}
	each := (took[1] - took[0]) / time.Duration(counts[1]-counts[0])
	fmt.Printf("Parsing and validating one task file takes %d µs of CPU time (target: 250).\n\n", each.Microseconds())
	return nil
}

func (s *suite) history(ctx context.Context) error {
	dir, err := s.longHistory(ctx, 1000, 10_000)
	if err != nil {
		return err
	}
	ours, base, err := s.paired(ctx, one(s.plan(dir, "log", "plan-77", "--json")), one(s.git(dir, "log", "plans", "--", "plan-77")))
	if err != nil {
		return err
	}
	s.add("`log PLAN`, 10,000 commits of 1,000 plans, beside `git log -- PLAN`", ours, base, "1.2")
	ours, base, err = s.paired(ctx, one(s.plan(dir, "log", "--json", "-n", "20")), one(s.git(dir, "log", "-n", "20", "--stat", "plans")))
	if err != nil {
		return err
	}
	s.add("`log -n 20` of all plans, beside `git log -n 20 --stat`", ours, base, "")
	runs := s.runs
	s.runs = min(runs, 5)
	defer func() { s.runs = runs }()
	ours, base, err = s.paired(ctx, one(s.plan(dir, "log", "--json")), one(s.git(dir, "log", "--stat", "plans")))
	if err != nil {
		return err
	}
	s.add("`log` of all plans, beside `git log --stat`", ours, base, "")
	ours, base, err = s.paired(ctx, one(s.plan(dir, "events")), one(s.git(dir, "log", "--stat", "plans")))
	s.add("`events` of all plans, beside `git log --stat`", ours, base, "")
	return err
}

// disk makes 1,000 commits beside 10,000 plans and packs them.
func (s *suite) disk(ctx context.Context) error {
	dir, err := s.copyOf(ctx, func(ctx context.Context) (string, error) { return s.manyPlans(ctx, 10_000) }, "disk-write")
	if err != nil {
		return err
	}
	before, err := packSize(dir)
	if err != nil {
		return err
	}
	next := s.toggle(dir, "plan-1/step-1")
	for range 1000 {
		if _, err := next(ctx); err != nil {
			return err
		}
	}
	if _, err := s.git(dir, "gc", "-q").output(ctx); err != nil {
		return err
	}
	after, err := packSize(dir)
	fmt.Printf("1,000 commits beside 10,000 plans add %.2f MB once packed (target: 5).\n\n", float64(after-before)/1e6)
	return err
}

func packSize(dir string) (int64, error) {
	packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	total := int64(0)
	for _, p := range packs {
		if info, err := os.Stat(p); err == nil {
			total += info.Size()
		}
	}
	return total, err
}
