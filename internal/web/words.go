package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// mark is a status as pages show it: in words, and as an icon, which is told
// from others by its shape as well as its colour.
type mark struct{ Word, Class string }

func taskMark(s plan.Status) mark {
	return mark{strings.ReplaceAll(string(s), "_", " "), strings.ReplaceAll(string(s), "_", "-")}
}

// planMark is the status of a plan, by the icon of the task status that is most
// like it.
func planMark(s plan.PlanStatus) mark {
	like := map[plan.PlanStatus]plan.Status{
		plan.Draft: plan.Pending, plan.PlanInProgress: plan.InProgress, plan.Replanning: plan.Blocked,
		plan.PlanFailed: plan.Failed, plan.Complete: plan.Done, plan.Abandoned: plan.Cancelled,
	}
	return mark{strings.ReplaceAll(string(s), "_", " "), taskMark(like[s]).Class}
}

// when is a moment: to the day for people, and in full for the script that
// tells how long ago it was.
type when struct{ ISO, Day string }

func at(t time.Time) when {
	if t.IsZero() {
		return when{}
	}
	return when{plan.FormatTime(t), t.UTC().Format("2006-01-02")}
}

// stamp reads a time of a file; what is none is shown as it is.
func stamp(text string) when {
	t, err := plan.ParseTime(text)
	if err != nil {
		return when{Day: text}
	}
	return at(t)
}

// bar is progress as a picture 100 wide.
type bar struct {
	Done, Total int
	Parts       []part
	// Says is the bar in words.
	Says string
}

// part is a stretch of a bar.
type part struct {
	Class string
	X, W  string
}

func barOf(p plan.Progress) bar {
	b := bar{Done: p.Done, Total: p.Total}
	var says []string
	from := 0
	for _, x := range []struct {
		class, word string
		n           int
	}{
		{"done", "done", p.Done}, {"skipped", "skipped", p.Skipped}, {"in-progress", "active", p.Active},
		{"blocked", "blocked", p.Blocked}, {"failed", "failed", p.Failed}, {"pending", "pending", p.Pending},
	} {
		if x.n == 0 {
			continue
		}
		says = append(says, fmt.Sprintf("%d %s", x.n, x.word))
		if x.class != "pending" {
			b.Parts = append(b.Parts, part{x.class, share(from, p.Total), share(x.n, p.Total)})
		}
		from += x.n
	}
	b.Says = strings.Join(says, ", ")
	if p.Total == 0 {
		b.Says = "no tasks"
	}
	return b
}

func share(n, total int) string { return fmt.Sprintf("%.2f", 100*float64(n)/float64(max(1, total))) }

// short cuts an object name to what people read.
func short(commit string) string { return commit[:min(len(commit), 10)] }

// card is a plan in a list or on a board.
type card struct {
	Link, ID, Title, Goal string
	Mark                  mark
	Version               int
	Bar                   bar
	Ready, Faults         int
	Archived              bool
	Updated               when
	// Hits are the tasks that a search found.
	Hits []node
}

func cardOf(s store.Summary, l links) card {
	c := card{
		Link: l.To(planPath(s.ID)), ID: s.ID, Title: s.Title, Mark: planMark(s.Status), Version: s.Version, Bar: barOf(s.Progress),
		Ready: s.Ready, Faults: s.Errors, Archived: s.Archived(), Updated: at(s.Updated),
	}
	if c.Title == "" {
		c.Title = s.ID
	}
	if s.Goal != s.Title {
		c.Goal = s.Goal
	}
	return c
}

// taskKey names the page of a task: its id, or where that cannot be, as in a
// plan that came past the gate, its place in the plan.
func taskKey(p *plan.Plan, t *plan.Task) string {
	if plan.IsKebab(t.ID) && len(t.ID) <= maxName && p.Task(t.ID) == t {
		return t.ID
	}
	return fmt.Sprintf("_%d", slices.Index(p.All(), t)+1)
}

// maxName bounds names that become those of files.
const maxName = 200

// findKey finds the task of a page.
func findKey(p *plan.Plan, key string) *plan.Task {
	for _, t := range p.All() {
		if taskKey(p, t) == key {
			return t
		}
	}
	return nil
}
