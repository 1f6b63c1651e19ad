package validate

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// many makes n tasks in folders of ninety; front gives the rest of the
// frontmatter of the i-th.
func many(n int, front func(i int) string) []string {
	var pairs []string
	for i := range n {
		dir := fmt.Sprintf("%02d-d", i/90)
		if i%90 == 0 {
			pairs = append(pairs, dir, fmt.Sprintf("id: box-%d", i/90))
		}
		pairs = append(pairs, fmt.Sprintf("%s/%02d-t", dir, i%90), fmt.Sprintf("id: task-%d\n%s", i, front(i)))
	}
	return pairs
}

// quick runs all rules and requires that no pair of tasks costs anything.
func quick(t *testing.T, what string, in Input) int {
	t.Helper()
	in.Exists = project("src/app.go")
	began := time.Now()
	found := Run(in, DefaultGates(), Strict)
	took := time.Since(began)
	t.Logf("%s: %d findings in %v", what, len(found), took)
	if took > 2*time.Second {
		t.Errorf("%s: %v", what, took)
	}
	return len(found)
}

func TestLargePlansAreQuick(t *testing.T) {
	in := input(many(1940, func(i int) string {
		return fmt.Sprintf("depends_on: [tosk-%[1]d, tusk-%[1]d, tesk-%[1]d, tisk-%[1]d, tysk-%[1]d]", i)
	})...)
	if n := quick(t, "unknown tasks", in); n < 9700 {
		t.Errorf("%d findings", n)
	}
	long := strings.Repeat("abcdefghi-", 9)
	quick(t, "long unknown tasks", input(many(1940, func(i int) string { return fmt.Sprintf("x-a: b\ndepends_on: [%s%d]", long, i) })...))
	quick(t, "data flow", input(many(8900, func(int) string { return "inputs: [all]\noutputs: [all]" })...))
	quick(t, "missing paths", input(many(8900, func(i int) string { return fmt.Sprintf("relevant_file_paths: [src/%d.go]", i) })...))
	quick(t, "paths made too late", input(many(8900, func(i int) string {
		return fmt.Sprintf("relevant_file_paths: [src/%d.go]\ncreates: [src/%d.go]\ndepends_on: [task-%d]", i+1, i, max(i-1, 0))
	})...))
	quick(t, "a folder that all make", input(many(8900, func(i int) string { return fmt.Sprintf("relevant_file_paths: [gen]\ncreates: [gen/%d.go]", 8900-i) })...))
	var pairs []string
	for i := range 4000 {
		pairs = append(pairs, fmt.Sprintf("tasks/%d-t.md", i), "---\nid: a\n---\nb\n", fmt.Sprintf("%02d-gone-%d/01-t", i%100, i), fmt.Sprintf("id: t-%d", i))
	}
	quick(t, "misnamed and orphaned tasks", input(pairs...))
}

// A commit that moves one task of a large plan along must not cost a look at
// all pairs of before and after.
func TestLargePlansMoveQuickly(t *testing.T) {
	pairs := many(8900, func(int) string { return "inputs: [all]\noutputs: [all]" })
	for i := range 500 {
		pairs = append(pairs, fmt.Sprintf("signals/s-%d.md", i), "---\nlevel: info\n---\nb\n")
	}
	cache, all := plan.NewCache(), files(pairs...)
	before, _ := cache.Read("p", "", all)
	now, found := cache.Read("p", "", all)
	began := time.Now()
	now.Ready()
	if _, err := now.Transition(now.Task("task-0"), plan.Move{To: plan.Done, At: began, Agent: "me"}); err != nil {
		t.Fatal(err)
	}
	if events := plan.Compare(before, now); len(events) != 1 {
		t.Errorf("events %v", events)
	}
	for _, scope := range []Scope{Change, Whole} {
		Run(Input{Plan: now, Found: found, Parents: []*plan.Plan{before}, Scope: scope}, DefaultGates(), Base)
	}
	now.Progress()
	now.Status()
	now.WaitsFor(now.Task("task-1"))
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %v", took)
	} else {
		t.Log(took)
	}
}

// makesNaively is what isMade tells, as its definition reads.
func makesNaively(p *plan.Plan, t *plan.Task, want string) bool {
	upstream := p.Graph().Upstream(t)
	for _, u := range p.All() {
		if u != t && !t.IsAncestorOf(u) && !slices.Contains(upstream, u) {
			continue
		}
		for _, made := range u.Doc.List("creates") {
			clean := path.Clean(made)
			if clean == want || strings.HasPrefix(clean, want+"/") || strings.HasSuffix(made, "/") && strings.HasPrefix(want, clean+"/") {
				return true
			}
		}
	}
	return false
}

func TestIsMadeAsDefined(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	names := []string{"a", "a/", "a/b", "a/b/", "a/b/c", "ab", "./a/b", "a//b/", "b/c/d", "./", "."}
	for range 400 {
		pairs := randomTasks(r)
		for i := 1; i < len(pairs); i += 2 {
			if r.IntN(2) == 0 {
				pairs[i] += fmt.Sprintf("\ncreates: [%s, %s]", names[r.IntN(len(names))], names[r.IntN(len(names))])
			}
		}
		in := input(pairs...)
		f := &facts{in: in}
		for _, task := range in.Plan.All() {
			for _, name := range names {
				name = path.Clean(name)
				if got := f.isMade(task, name); got != makesNaively(in.Plan, task, name) {
					t.Fatalf("%s: %s is made: %v\n%q", task.ID, name, got, pairs)
				}
			}
		}
	}
}
