package validate

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
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

// quick runs all rules and requires that no pair of tasks costs anything. It
// gives how many findings there are for the whole.
func quick(t *testing.T, what string, size int, pairs func(n int) []string) (findings int) {
	t.Helper()
	gittest.Linear(t, what, size, func(n int) func() {
		in := input(pairs(n)...)
		in.Exists = project("src/app.go")
		return func() { findings = len(Run(in, DefaultGates(), Strict)) }
	})
	return findings
}

func TestLargePlansAreQuick(t *testing.T) {
	of := func(front func(i, n int) string) func(n int) []string {
		return func(n int) []string { return many(n, func(i int) string { return front(i, n) }) }
	}
	n := quick(t, "unknown tasks", 1940, of(func(i, _ int) string {
		return fmt.Sprintf("depends_on: [tosk-%[1]d, tusk-%[1]d, tesk-%[1]d, tisk-%[1]d, tysk-%[1]d]", i)
	}))
	if n < 9700 {
		t.Errorf("%d findings", n)
	}
	long := strings.Repeat("abcdefghi-", 9)
	quick(t, "long unknown tasks", 1940, of(func(i, _ int) string { return fmt.Sprintf("x-a: b\ndepends_on: [%s%d]", long, i) }))
	quick(t, "data flow", 8900, of(func(int, int) string { return "inputs: [all]\noutputs: [all]" }))
	quick(t, "missing paths", 8900, of(func(i, _ int) string { return fmt.Sprintf("relevant_file_paths: [src/%d.go]", i) }))
	quick(t, "paths made too late", 8900, of(func(i, _ int) string {
		return fmt.Sprintf("relevant_file_paths: [src/%d.go]\ncreates: [src/%d.go]\ndepends_on: [task-%d]", i+1, i, max(i-1, 0))
	}))
	quick(t, "a folder that all make", 8900, of(func(i, n int) string {
		return fmt.Sprintf("relevant_file_paths: [gen]\ncreates: [gen/%d.go]", n-i)
	}))
	quick(t, "misnamed and orphaned tasks", 4000, func(n int) (pairs []string) {
		for i := range n {
			pairs = append(pairs, fmt.Sprintf("tasks/%d-t.md", i), "---\nid: a\n---\nb\n", fmt.Sprintf("%02d-gone-%d/01-t", i%100, i), fmt.Sprintf("id: t-%d", i))
		}
		return pairs
	})
}

// A title is as long as frontmatter may be, or the heading of a long text.
func TestLongTitlesAreQuick(t *testing.T) {
	for _, unit := range []string{", a", " and add", "; then ſ1", "a_b "} {
		gittest.Linear(t, fmt.Sprintf("a title of %q", unit), 63_000, func(n int) func() {
			in := input("01-t", "id: a\ntitle: 'Add x"+strings.Repeat(unit, n/len(unit))+"'")
			return func() { Run(in, DefaultGates(), Strict) }
		})
	}
}

// A commit that moves one task of a large plan along must not cost a look at
// all pairs of before and after.
func TestLargePlansMoveQuickly(t *testing.T) {
	gittest.Linear(t, "a move", 8900, func(n int) func() {
		pairs := many(n, func(int) string { return "inputs: [all]\noutputs: [all]" })
		for i := range n / 18 {
			pairs = append(pairs, fmt.Sprintf("signals/s-%d.md", i), "---\nlevel: info\n---\nb\n")
		}
		cache, all := plan.NewCache(), files(pairs...)
		before, _ := cache.Read("p", "", all)
		now, found := cache.Read("p", "", all)
		return func() { moveOne(t, before, now, found) }
	})
}

// moveOne does with a plan what a commit that moves a task does.
func moveOne(t *testing.T, before, now *plan.Plan, found []diag.Diagnostic) {
	t.Helper()
	now.Ready()
	if _, err := now.Transition(now.Task("task-0"), plan.Move{To: plan.Done, At: time.Now(), Agent: "me"}); err != nil {
		t.Fatal(err)
	}
	if events := plan.Compare(before, now); len(events) != 1 {
		t.Errorf("events %v", events)
	}
	for _, scope := range []Scope{Change, Whole} {
		Run(Input{Plan: now, Found: found, Parent: before, Scope: scope}, DefaultGates(), Base)
	}
	now.Progress()
	now.Status()
	now.WaitsFor(now.Task("task-1"))
}

// makesNaively is what isMade tells, as its definition reads.
func makesNaively(p *plan.Plan, t *plan.Task, want string) bool {
	for _, u := range p.All() {
		if u != t && !t.IsAncestorOf(u) && !slices.Contains(p.Graph().Downstream(u), t) {
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
		c := &Context{Input: in}
		for _, task := range in.Plan.All() {
			for _, name := range names {
				name = path.Clean(name)
				if got := c.isMade(task, name); got != makesNaively(in.Plan, task, name) {
					t.Fatalf("%s: %s is made: %v\n%q", task.ID, name, got, pairs)
				}
			}
		}
	}
}
