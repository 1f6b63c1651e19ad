package diff

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// maxSiblings bounds the tasks of one container among which places are
// compared. Two digits number at most a hundred.
const maxSiblings = 200

// keptPlaces gives the tasks, as they are now, that stand among the same tasks
// in the same order as before. Their files may have other paths: where a task
// came in, all that follow have other numbers.
func (ps *pairing) keptPlaces() map[*plan.Task]bool {
	former := map[*plan.Task]*plan.Task{}
	for _, p := range ps.list {
		former[p.after] = p.before
	}
	delete(former, nil)
	siblings := map[*plan.Task][]pair{} // by container, in the order of now
	for _, p := range ps.list {
		if p.before != nil && p.after != nil && p.before.Parent == former[p.after.Parent] {
			siblings[p.after.Parent] = append(siblings[p.after.Parent], p)
		}
	}
	kept := map[*plan.Task]bool{}
	for _, list := range siblings {
		for _, p := range inOrder(list) {
			kept[p.after] = true
		}
	}
	return kept
}

// inOrder gives as many of the pairs as stood in this order before, too, and of
// several such choices the one with the most tasks that kept their numbers.
func inOrder(list []pair) []pair {
	if len(list) > maxSiblings {
		return nil
	}
	const one = maxSiblings + 1 // a task counts more than all the numbers kept
	weight, back := make([]int, len(list)), make([]int, len(list))
	best := -1
	for i, p := range list {
		back[i] = -1
		for j := range i {
			if byPlace(list[j].before, p.before) < 0 && weight[j] > weight[i] {
				weight[i], back[i] = weight[j], j
			}
		}
		weight[i] += one
		if p.before.NN == p.after.NN {
			weight[i]++
		}
		if best < 0 || weight[i] > weight[best] {
			best = i
		}
	}
	var out []pair
	for i := best; i >= 0; i = back[i] {
		out = append(out, list[i])
	}
	return out
}

// onlyFollows reports whether all that is new about a task is a path that
// follows from what happened to others.
func (t *Task) onlyFollows() bool { return t.Change == Moved && t.KeptPlace }

// renumbered tells in a line of the tasks that have another number and are
// otherwise what they were, where they were. It is empty without any.
func renumbered(p *Plan) string {
	var runs []string
	n := 0
	var first, last *Task
	flush := func() {
		switch {
		case first == nil:
		case first == last:
			runs = append(runs, first.Before.Number()+" is "+first.After.Number())
		default:
			runs = append(runs, fmt.Sprintf("%s-%s are %s-%s", first.Before.Number(), last.Before.Number(), first.After.Number(), last.After.Number()))
		}
	}
	before, after := followers(p.Before), followers(p.After)
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if !t.onlyFollows() || t.Before.NN == t.After.NN {
			continue
		}
		n++
		if last == nil || before[last.Before] != t.Before || after[last.After] != t.After || last.After.NN-last.Before.NN != t.After.NN-t.Before.NN {
			flush()
			first = t
		}
		last = t
	}
	flush()
	if n == 0 {
		return ""
	}
	return words.Count(n, "task") + " only renumbered: " + words.Few(runs, 5)
}

// followers gives for each task the one that comes next among those beside it.
func followers(p *plan.Plan) map[*plan.Task]*plan.Task {
	next, last := map[*plan.Task]*plan.Task{}, map[*plan.Task]*plan.Task{}
	for _, t := range allTasks(p) {
		next[last[t.Parent]], last[t.Parent] = t, t
	}
	return next
}

// shown gives the tasks that have a line of their own.
func shown(p *Plan) []*Task {
	var out []*Task
	for i := range p.Tasks {
		if t := &p.Tasks[i]; !t.onlyFollows() {
			out = append(out, t)
		}
	}
	return slices.Clip(out)
}
