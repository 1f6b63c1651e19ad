package diff

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
)

// counts says how much of each kind changed. A task counts in each kind that
// it has a change of.
type counts struct {
	added, dropped, renamed, moved, renumbered, rewired, reworded, status, edited int
	signals                                                                       int
}

// Summary tells the differences in a line: "3 tasks added, 1 dropped, 2
// rewired, 1 reworded".
func (r *Result) Summary() string {
	if r.Empty() {
		return "no difference"
	}
	var groups []string
	if text := r.plans(); text != "" {
		groups = append(groups, text)
	}
	var c counts
	descriptions, replanned, spelling := 0, 0, 0
	for i := range r.Plans {
		p := &r.Plans[i]
		spelling += len(p.Spelling)
		if p.Before == nil || p.After == nil {
			continue
		}
		c.count(p)
		others := len(p.Fields)
		if p.Before.Version() != p.After.Version() {
			replanned++
			others--
		}
		if others > 0 {
			descriptions++
		}
	}
	if text := c.text(); text != "" {
		groups = append(groups, text)
	}
	if replanned > 0 {
		groups = append(groups, words.Count(replanned, "plan")+" replanned")
	}
	if descriptions > 0 {
		groups = append(groups, words.Count(descriptions, "plan description")+" edited")
	}
	if c.signals > 0 {
		groups = append(groups, words.Count(c.signals, "signal")+" opened or cleared")
	}
	if text := r.files(); text != "" {
		groups = append(groups, text)
	}
	if len(groups) == 0 {
		return words.Count(spelling, "file") + " written differently, with the same meaning"
	}
	return strings.Join(groups, "; ")
}

// plans tells how many plans changed, where that says more than their tasks.
func (r *Result) plans() string {
	n := map[Change]int{}
	for _, p := range r.Plans {
		n[p.Change]++
	}
	if len(r.Plans) == n[Changed] && n[Changed] == 1 {
		return ""
	}
	return list("plan", []tally{
		{n[Added], "added"}, {n[Removed], "removed"}, {n[Archived], "archived"}, {n[Restored], "restored"}, {n[Changed], "changed"},
	})
}

// tally is a number of things and what became of them.
type tally struct {
	n    int
	what string
}

// list names what there is any of, the noun once.
func list(noun string, all []tally) string {
	var out []string
	for _, t := range all {
		switch {
		case t.n > 0 && len(out) == 0:
			out = append(out, words.Count(t.n, noun)+" "+t.what)
		case t.n > 0:
			out = append(out, fmt.Sprintf("%d %s", t.n, t.what))
		}
	}
	return strings.Join(out, ", ")
}

func (c *counts) text() string {
	return list("task", []tally{
		{c.added, "added"}, {c.dropped, "dropped"}, {c.renamed, "renamed"}, {c.moved, "moved"}, {c.renumbered, "renumbered"}, {c.rewired, "rewired"},
		{c.reworded, "reworded"}, {c.status, "with a new status"}, {c.edited, "edited"},
	})
}

func (c *counts) count(p *Plan) {
	c.signals += len(p.Signals)
	wired := map[string]bool{}
	for _, e := range append(p.Needs[:len(p.Needs):len(p.Needs)], p.NeedsNot...) {
		wired[e.Task] = true
	}
	for i := range p.Tasks {
		switch t := &p.Tasks[i]; t.Change {
		case Added:
			c.added++
		case Removed:
			c.dropped++
		default:
			c.countTask(t, wired[t.ID])
		}
	}
}

func (c *counts) countTask(t *Task, wired bool) {
	has := map[string]bool{}
	for _, f := range t.Fields {
		kind := fieldKind(f.Name)
		switch {
		case f.Name == "depends_on" && !wired:
			kind = "edited" // only the order is another
		case f.Name == "path" && t.KeptPlace && t.Before.NN == t.After.NN:
			kind = "" // it goes with its container
		case f.Name == "path" && t.KeptPlace:
			kind = "renumbered"
		}
		has[kind] = true
	}
	for kind, n := range map[string]*int{"renamed": &c.renamed, "moved": &c.moved, "renumbered": &c.renumbered, "rewired": &c.rewired, "reworded": &c.reworded, "status": &c.status} {
		if has[kind] {
			*n++
		}
	}
	if has["edited"] || has["report"] && !has["status"] {
		c.edited++
	}
}

// fieldKind says as what a change of a field counts.
func fieldKind(name string) string {
	switch name {
	case "id":
		return "renamed"
	case "path":
		return "moved"
	case "depends_on":
		return "rewired"
	case "title", "body":
		return "reworded"
	case "status":
		return "status"
	case "executed_by", "started_at", "completed_at", "lease_until", "result", "error", "affected_files", "notes", "evidence", "progress":
		return "report"
	}
	return "edited"
}
