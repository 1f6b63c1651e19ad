package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

// randomPlan is a plan of containers in containers whose tasks wait for some
// before them.
func randomPlan(r *rand.Rand, n int) *plan.Plan {
	var pairs, dirs []string
	used := map[string]int{}
	for i := range n {
		dir := ""
		if len(dirs) > 0 && r.IntN(2) == 0 {
			dir = dirs[r.IntN(len(dirs))]
		}
		used[dir]++
		path := fmt.Sprintf("%s%02d-t", dir, used[dir])
		if strings.Count(path, "/") < 2 && r.IntN(3) == 0 {
			dirs = append(dirs, path+"/")
		}
		needs := ""
		for range r.IntN(3) {
			if i > 0 {
				needs += fmt.Sprintf(", t%d", r.IntN(i))
			}
		}
		pairs = append(pairs, path, fmt.Sprintf("id: t%d\ndepends_on: [%s]", i, strings.TrimPrefix(needs, ", ")))
	}
	return tasks(pairs...)
}

// The lines of a drawing say exactly what waits for what, as anybody may read
// it who was told the rules.
func TestASCIIReadsBack(t *testing.T) {
	read := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPlan(r, 1+r.IntN(14))
		if slices.ContainsFunc(p.All(), func(u *plan.Task) bool { return slices.Contains(p.Graph().Downstream(u), u) }) {
			continue // a cycle
		}
		var b strings.Builder
		if err := ASCII(&b, p, &term.Page{Columns: 200}); err != nil {
			t.Fatal(err)
		}
		joins, ok := readBack(t, p, b.String())
		if !ok {
			continue
		}
		read++
		for _, u := range p.All() {
			got := map[*plan.Task]bool{}
			follow(joins, u, got)
			var extra, want []string
			for v := range got {
				if !v.IsAncestorOf(u) && v != u {
					extra = append(extra, v.ID)
				}
			}
			for _, v := range p.All() {
				if slices.Contains(p.Graph().Downstream(v), u) {
					want = append(want, v.ID)
				}
			}
			slices.Sort(extra)
			slices.Sort(want)
			if !slices.Equal(extra, want) {
				t.Fatalf("seed %d: %s waits for %v, the drawing says %v:\n%s", seed, u.ID, want, extra, b.String())
			}
		}
	}
	if read < 100 {
		t.Errorf("only %d drawings had lines", read)
	}
}

// readBack gives the tasks whose lines each task joins.
func readBack(t *testing.T, p *plan.Plan, text string) (joins map[*plan.Task][]*plan.Task, ok bool) {
	t.Helper()
	joins = map[*plan.Task][]*plan.Task{}
	lanes := map[int]*plan.Task{}
	seen := map[*plan.Task]bool{}
	for line := range strings.Lines(text) {
		art, rest, found := strings.Cut(strings.TrimRight(line, "\n"), "[ ]")
		if found && strings.TrimSpace(art) == "" {
			return nil, false // too many lines: told in words
		}
		own := -1
		var joined []*plan.Task
		for lane := 0; 2*lane < max(len(art), 40); lane++ {
			c := byte(' ')
			if 2*lane < len(art) {
				c = art[2*lane]
			}
			switch {
			case c == '*' || c == 'o':
				own = lane
				if c == '*' && lanes[lane] != nil {
					joined = append(joined, lanes[lane])
				}
			case c == '+' || c == '\'':
				joined = append(joined, lanes[lane])
				if lanes[lane] == nil {
					t.Fatalf("a line is joined that is not there:\n%s", text)
				}
			}
			if c != '|' && c != '+' {
				delete(lanes, lane)
			}
		}
		if !found {
			continue
		}
		u := p.Find(strings.Fields(rest)[0])
		if seen[u] || own < 0 {
			t.Fatalf("row %q", line)
		}
		seen[u] = true
		joins[u] = joined
		if art[2*own] == '*' {
			lanes[own] = u
		}
	}
	if len(seen) != len(p.All()) {
		t.Fatalf("%d of %d tasks are drawn:\n%s", len(seen), len(p.All()), text)
	}
	return joins, true
}

// follow notes all that a task waits for by the lines it joins.
func follow(joins map[*plan.Task][]*plan.Task, u *plan.Task, got map[*plan.Task]bool) {
	for _, v := range joins[u] {
		wait(joins, u, v, got)
	}
}

// wait notes what the line of v says to u: that it waits for v and all below
// it, or, if u is itself in there, for what v waits for.
func wait(joins map[*plan.Task][]*plan.Task, u, v *plan.Task, got map[*plan.Task]bool) {
	if v.IsAncestorOf(u) {
		follow(joins, v, got)
		return
	}
	if !got[v] {
		got[v] = true
		follow(joins, v, got)
	}
	for _, child := range v.Children {
		wait(joins, u, child, got)
	}
}
