package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
)

// Summary tells the differences in a line: "3 tasks added, 1 dropped, 2
// rewired, 1 reworded".
func (r *Result) Summary() string {
	if r.Empty() {
		return "no difference"
	}
	plans, tasks := map[string]int{}, map[string]int{}
	descriptions, replanned, spelling, signals := 0, 0, 0, 0
	for i := range r.Plans {
		p := &r.Plans[i]
		plans[string(p.Change)]++
		spelling += len(p.Spelling)
		if p.Before == nil || p.After == nil {
			continue
		}
		p.count(tasks)
		others := 0
		for _, f := range p.Fields {
			if strings.HasPrefix(f.Name, signalPrefix) {
				signals++
			} else {
				others++
			}
		}
		if p.Before.Version() != p.After.Version() {
			replanned++
			others--
		}
		descriptions += min(others, 1)
	}
	if len(r.Plans) == 1 && r.Plans[0].Change == Changed {
		clear(plans) // its tasks say more
	}
	groups := slices.DeleteFunc([]string{
		tell("plan", plans, "added", "removed", "archived", "restored", "changed"),
		tell("task", tasks, "added", "dropped", "renamed", "moved", "renumbered", "rewired", "reworded", "with a new status", "edited"),
		tell("plan", map[string]int{"replanned": replanned}, "replanned"), tell("plan description", map[string]int{"edited": descriptions}, "edited"),
		tell("signal", map[string]int{"opened or cleared": signals}, "opened or cleared"), r.files(),
	}, func(s string) bool { return s == "" })
	if len(groups) == 0 {
		return words.Count(spelling, "file") + " written differently, with the same meaning"
	}
	return strings.Join(groups, "; ")
}

// tell says of how many things what became, the noun once.
func tell(noun string, count map[string]int, kinds ...string) string {
	var out []string
	for _, kind := range kinds {
		switch n := count[kind]; {
		case n > 0 && len(out) == 0:
			out = append(out, words.Count(n, noun)+" "+kind)
		case n > 0:
			out = append(out, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(out, ", ")
}

// count counts each task in each kind that it has a change of.
func (p *Plan) count(tasks map[string]int) {
	wired := map[string]bool{}
	for _, e := range slices.Concat(p.Edges.Added, p.Edges.Removed) {
		wired[e[0]] = true
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		has := map[string]bool{}
		for _, f := range t.Fields {
			kind := fieldKind(f.Name)
			switch {
			case t.Change == Added:
				kind = "added"
			case t.Change == Removed:
				kind = "dropped"
			case f.Name == "depends_on" && !wired[t.ID]:
				kind = "edited" // only the order is another
			case f.Name == "path" && t.KeptPlace && t.Before.NN == t.After.NN:
				continue // it goes with its container
			case f.Name == "path" && t.KeptPlace:
				kind = "renumbered"
			}
			has[kind] = true
		}
		if has["report"] && !has["with a new status"] {
			has["edited"] = true
		}
		for kind := range has {
			tasks[kind]++
		}
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
		return "with a new status"
	case "executed_by", "started_at", "completed_at", "lease_until", "result", "error", "affected_files", "notes", "evidence", "progress":
		return "report"
	}
	return "edited"
}
