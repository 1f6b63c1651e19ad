package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// Critical is the longest chain of unfinished tasks, before and after: what
// decides how long the plan takes at least.
type Critical struct {
	Before, After []*plan.Task
	// Estimated says that the chains were measured by the tasks' estimates, as
	// every unfinished task has one on both sides; else by their number.
	Estimated bool
}

func critical(before, after *plan.Plan) Critical {
	byEstimate := graph.Estimated(before) && graph.Estimated(after)
	return Critical{graph.Critical(before, byEstimate), graph.Critical(after, byEstimate), byEstimate}
}

// Changed reports whether the chain is another one, or takes another time.
func (c Critical) Changed() bool {
	same := slices.EqualFunc(c.Before, c.After, func(a, b *plan.Task) bool {
		return a.ID == b.ID && (!c.Estimated || graph.Estimate(a) == graph.Estimate(b))
	})
	return !same
}

// text tells a chain and how long it is.
func (c Critical) text(chain []*plan.Task) string {
	var names []string
	for _, t := range chain {
		names = append(names, cmp.Or(t.ID, t.Doc.Path))
	}
	if len(names) > 12 {
		names = append(append(names[:6:6], "…"), names[len(names)-5:]...)
	}
	if len(chain) == 0 {
		return "nothing left to do"
	}
	return strings.Join(names, " > ") + " (" + graph.Length(chain, c.Estimated) + ")"
}
