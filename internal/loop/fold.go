package loop

import (
	"encoding/json"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// budget is how long, in bytes, an answer about one task may become by what it
// says of the others: 1,500 tokens of about four characters.
const budget = 5900

// Tasks is what an answer says of the plan's tasks.
type Tasks struct {
	// Tasks are in file order, each in full or folded to a [Brief].
	Tasks []any `json:"tasks"`
	Total int   `json:"total"`
	// Omitted counts by status the tasks that there was no room for.
	Omitted map[string]int `json:"omitted"`
}

// tasks lists the plan's tasks as far as the document has room for them. The
// settled ones are folded; where the others are too many for a document of the
// size that an agent can take in, they are folded too, beginning with those
// that come last, and then what is settled and what comes last is counted only.
func (v View) tasks(doc Document, current *plan.Task) *Tasks {
	all := v.Plan.All()
	out := &Tasks{Tasks: []any{}, Total: len(all), Omitted: map[string]int{}}
	if v.All {
		for _, t := range all {
			out.Tasks = append(out.Tasks, Full(v.Plan, t))
		}
		return out
	}
	room := budget - size(doc) - 100 // the keys around the list
	shown := v.briefs(current, &room)
	shown = v.unfold(shown, current, room)
	for _, t := range all {
		if one, ok := shown[t]; ok {
			out.Tasks = append(out.Tasks, one)
		} else {
			out.Omitted[StatusWord(t.Status)]++
		}
	}
	return out
}

// briefs gives the folded tasks that there is room for, and takes that room:
// the current task, what is not settled in file order, then what is settled,
// latest first.
func (v View) briefs(current *plan.Task, room *int) map[*plan.Task]any {
	order := slices.Clone(v.Plan.All())
	slices.SortStableFunc(order, func(a, b *plan.Task) int { return rank(a, current) - rank(b, current) })
	if first := slices.IndexFunc(order, func(t *plan.Task) bool { return rank(t, current) == 2 }); first >= 0 {
		slices.Reverse(order[first:])
	}
	out := map[*plan.Task]any{}
	for _, t := range order {
		one := Fold(t)
		if *room -= size(one) + 1; *room < 0 && t != current {
			break
		}
		out[t] = one
	}
	return out
}

func rank(t, current *plan.Task) int {
	switch {
	case t == current:
		return 0
	case !t.Status.Settled():
		return 1
	}
	return 2
}

// unfold shows unsettled tasks in full, in file order, where all of the tasks
// are shown and there is room left.
func (v View) unfold(shown map[*plan.Task]any, current *plan.Task, room int) map[*plan.Task]any {
	if len(shown) < len(v.Plan.All()) {
		return shown
	}
	order := slices.DeleteFunc(slices.Clone(v.Plan.All()), func(t *plan.Task) bool { return t.Status.Settled() || t == current })
	if current != nil {
		order = append(order, current) // it stands in the answer already
	}
	for _, t := range order {
		one := Full(v.Plan, t)
		if room -= size(one) - size(shown[t]); room < 0 {
			return shown
		}
		shown[t] = one
	}
	return shown
}

// size is how long a value is as JSON, in bytes.
func size(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(data)
}
