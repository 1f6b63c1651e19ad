package render

import (
	"strconv"

	"github.com/git-plan/git-plan/plan"
)

// Alert is an open signal as an agent's loop has it: its task by number, which
// is an integer for a task at the top and a text such as "3.1" below, and by
// its permanent id; both are null for a signal on the plan.
func Alert(p *plan.Plan, s *plan.Signal) Object {
	var number, ref any
	if s.Task != "" {
		ref = s.Task
	}
	if t := p.Task(s.Task); t != nil {
		number = TaskNumber(t)
	}
	o := Object{{"id", s.ID}, {"task_id", number}, {"ref", ref}, {"level", s.Level}, {"message", s.Message()}, {"opened_at", s.Doc.Text("opened_at")}}
	o.addFields(s.Doc, "level", "task", "opened_at")
	return o
}

// TaskNumber is a task's number as an agent's loop has it.
func TaskNumber(t *plan.Task) any {
	if n, err := strconv.Atoi(t.Number()); err == nil {
		return n
	}
	return t.Number()
}
