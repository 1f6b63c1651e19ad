package validate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// A cycle stands at an entry of depends_on: no other edge makes one.
func TestCyclesStandAtEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cycles := 0
	for range 500 {
		in := input(randomTasks(r)...)
		for _, c := range in.Plan.Graph().Cycles() {
			cycles++
			if c.At.Kind != plan.DependsOn || c.At.From.Doc.Pos("depends_on").Line == 1 {
				t.Fatalf("%s stands at an edge of kind %d", c, c.At.Kind)
			}
		}
	}
	if cycles < 500 {
		t.Errorf("only %d cycles were made", cycles)
	}
}

// randomTasks gives tasks on two levels that wait for each other at random.
func randomTasks(r *rand.Rand) []string {
	var pairs []string
	for top := range 3 {
		for child := range 3 {
			name := fmt.Sprintf("%02d-t", top)
			if child > 0 {
				name += fmt.Sprintf("/%02d-c", child)
			}
			front := fmt.Sprintf("id: t%d%d\nkind: subtask\ninputs: [x%d]\noutputs: [x%d]", top, child, r.IntN(5), r.IntN(5))
			if r.IntN(2) == 0 {
				front += fmt.Sprintf("\ndepends_on: [t%d%d]", r.IntN(3), r.IntN(3))
			}
			pairs = append(pairs, name, front)
		}
	}
	return pairs
}

// The task that is meant is named alike each time, however many are as near.
func TestDependsUnknownSuggestion(t *testing.T) {
	equal(t, "findings", lines(Run(input("01-c", "id: task-c", "02-a", "id: task-a", "03-b", "id: task-b\ndepends_on: [task-x]"), DefaultGates(), Base)),
		`p/tasks/03-b.md:3:14: error: depends_on names no task "task-x" (did you mean "task-a"?) [depends-unknown]`)
}
