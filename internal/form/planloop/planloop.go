// Package planloop reads and writes plans as the task list of planloop:
// `{"tasks": […]}` with the keys that the agent's loop has.
//
// [Write] writes one, [Parse] reads one strictly, and [Plan.Files] makes our
// files of what was read. All three say what the other form cannot hold. The
// package does no I/O.
package planloop

import (
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/plan"
)

// MaxFile bounds a file in bytes.
const MaxFile = plan.MaxPlan

func bounds() form.Bounds {
	return form.Bounds{Bounds: plan.Bounds{Bytes: MaxFile, Keys: 20 * plan.MaxFiles, Items: 20 * plan.MaxFiles}, Depth: 8}
}

// key is a key of a task and the field of ours that it is.
type key struct{ name, field string }

// keys are those whose values are the same in both forms.
func keys() []key {
	same := func(names ...string) (out []key) {
		for _, n := range names {
			out = append(out, key{n, n})
		}
		return out
	}
	return append(same("title", "type", "context_hints", "relevant_file_paths", "creates", "acceptance_criteria", "agent", "priority", "kind",
		"inputs", "outputs", "result", "error", "notes", "affected_files", "executed_by", "lease_until"),
		key{"status", "status"}, key{"dependencies", "depends_on"}, key{"ref", "id"})
}

// Plan is a task list that was read.
type Plan struct {
	tasks []*task
	items []*form.Item // of the plan and the tasks, as they were made last
}

// task is one task of a list: an item, whose id is the ref, and what it waits for.
type task struct {
	form.Item
	depends []plan.Node
	needs   []*task
}

// Detect reports whether a file looks like such a list.
func Detect(name string, data []byte) bool {
	fields, _ := form.ReadJSON(bounds(), name, data)
	return len(fields) == 1 && form.HasKeys(fields, "tasks")
}

// Write writes a plan's tasks. What the form has no place for is told in
// losses, a phrase each.
func Write(p *plan.Plan) (text []byte, losses []string) {
	tasks := []loop.Task{}
	for _, t := range p.All() {
		tasks = append(tasks, loop.Full(p, t))
	}
	return form.JSON(map[string]any{"tasks": tasks}), form.Loss{Field: "`%s` of the plan"}.Of(p, stored(p))
}

// titleOf makes a title of a plan's id.
func titleOf(id string) string {
	text := strings.ReplaceAll(id, "-", " ")
	if text == "" {
		return "Plan"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
