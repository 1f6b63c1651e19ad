package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
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
	c := Critical{Estimated: estimated(before) && estimated(after)}
	weight := func(t *plan.Task) int64 {
		switch {
		case len(t.Children) > 0 || t.Status.Settled():
			return 0
		case c.Estimated:
			return estimate(t)
		}
		return 1
	}
	if before != nil {
		c.Before = before.Graph().Longest(weight)
	}
	if after != nil {
		c.After = after.Graph().Longest(weight)
	}
	return c
}

// estimated reports whether every unfinished task has an estimate.
func estimated(p *plan.Plan) bool {
	return !slices.ContainsFunc(allTasks(p), func(t *plan.Task) bool {
		return len(t.Children) == 0 && !t.Status.Settled() && estimate(t) == 0
	})
}

// estimate gives a task's estimate in milliseconds, 0 without one.
func estimate(t *plan.Task) int64 {
	d, err := plan.ParseDuration(t.Doc.Text("estimate"))
	if err != nil {
		return 0
	}
	return d.Milliseconds()
}

// Changed reports whether the chain is another one, or takes another time.
func (c Critical) Changed() bool {
	same := slices.EqualFunc(c.Before, c.After, func(a, b *plan.Task) bool {
		return a.ID == b.ID && (!c.Estimated || estimate(a) == estimate(b))
	})
	return !same
}

// text tells a chain and how long it is.
func (c Critical) text(chain []*plan.Task) string {
	var names []string
	total := int64(0)
	for _, t := range chain {
		names, total = append(names, cmp.Or(t.ID, t.Doc.Path)), total+estimate(t)
	}
	length := words.Count(len(chain), "task")
	if c.Estimated && total > 0 {
		length += ", " + hours(total)
	}
	if len(names) > 12 {
		names = append(append(names[:6:6], "…"), names[len(names)-5:]...)
	}
	if len(chain) == 0 {
		return "nothing left to do"
	}
	return strings.Join(names, " > ") + " (" + length + ")"
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
