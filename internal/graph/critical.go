package graph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Critical gives the longest chain of unfinished tasks, each of which waits for
// the one before: what decides how long the plan takes at least. It is measured
// by the estimates of tasks, or by their number. There is none of no plan.
func Critical(p *plan.Plan, byEstimate bool) []*plan.Task {
	if p == nil {
		return nil
	}
	return p.Graph().Longest(func(t *plan.Task) int64 {
		switch {
		case len(t.Children) > 0 || t.Status.Settled():
			return 0
		case byEstimate:
			return Estimate(t)
		}
		return 1
	})
}

// Estimated reports whether every unfinished task of a plan, if there is one, has
// an estimate.
func Estimated(p *plan.Plan) bool {
	return p == nil || !slices.ContainsFunc(p.All(), func(t *plan.Task) bool {
		return len(t.Children) == 0 && !t.Status.Settled() && Estimate(t) == 0
	})
}

// Estimate gives a task's estimate in milliseconds, 0 without one.
func Estimate(t *plan.Task) int64 {
	d, err := plan.ParseDuration(t.Doc.Text("estimate"))
	if err != nil {
		return 0
	}
	return d.Milliseconds()
}

// Length tells how long a chain is: how many tasks it has and, where it is
// measured by estimates, how much time they take.
func Length(chain []*plan.Task, byEstimate bool) string {
	total := int64(0)
	for _, t := range chain {
		total += Estimate(t)
	}
	text := words.Count(len(chain), "task")
	if byEstimate && total > 0 {
		text += ", " + hours(total)
	}
	return text
}

// hours writes milliseconds as estimates are written: 1d4h, 30m.
func hours(ms int64) string {
	minutes := (ms + 59_999) / 60_000
	text := ""
	for _, u := range []struct {
		name string
		size int64
	}{{"d", 24 * 60}, {"h", 60}, {"m", 1}} {
		if n := minutes / u.size; n > 0 {
			text += fmt.Sprintf("%d%s", n, u.name)
			minutes %= u.size
		}
	}
	return cmp.Or(text, "0m")
}
