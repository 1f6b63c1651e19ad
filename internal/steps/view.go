package steps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/plan"
)

// View shows a stored plan as the planning tools do. Tasks that are not
// theirs are steps, too, by their number; those below other tasks are not shown.
func View(p *plan.Plan) session.View {
	v := session.View{Objective: objective(p), Status: session.Active, Steps: []session.StepView{}}
	for i, id := range stepIDs(p.Tasks) {
		t := p.Tasks[i]
		v.Steps = append(v.Steps, session.StepView{
			ID: id, Title: t.Title(), Details: details(t), Status: statusOf(t.Status), Notes: t.Doc.List("notes"),
		})
	}
	switch {
	case p.IsAbandoned():
		v.Status = session.Abandoned
	case len(v.Steps) > 0 && v.Done() == len(v.Steps):
		v.Status = session.Completed
	}
	return v
}

func objective(p *plan.Plan) string {
	if goal := strings.TrimSpace(p.Doc.Text("goal")); goal != "" {
		return goal
	}
	return p.Title()
}

// details are what the body says beside the title.
func details(t *plan.Task) string {
	body := t.Doc.Prose()
	if body == t.Title() {
		return ""
	}
	if len(body) <= session.MaxText {
		return body
	}
	return strings.ToValidUTF8(body[:session.MaxText-3], "") + "..." // of a task that is not a step of theirs
}

// statusOf gives the status that a step has in the eyes of the tools.
func statusOf(s plan.Status) session.StepStatus {
	switch s {
	case plan.InProgress:
		return session.InProgress
	case plan.Blocked, plan.Failed:
		return session.Blocked
	case plan.Done, plan.Skipped, plan.Cancelled:
		return session.Done
	}
	return session.Pending
}

// stepIDs gives the ids of tasks as steps: by their own id if they are steps of
// the tools, else by their number, or the next one where that is taken.
func stepIDs(tasks []*plan.Task) []string {
	ids, taken, highest := make([]string, len(tasks)), map[int]bool{}, 0
	take := func(i, n int) {
		ids[i], taken[n], highest = fmt.Sprintf("S%03d", n), true, max(highest, n)
	}
	for i, t := range tasks {
		if n := stepNumber(t.ID); n > 0 && !taken[n] {
			take(i, n)
		}
	}
	for i, t := range tasks {
		switch {
		case ids[i] != "":
		case t.NN > 0 && !taken[t.NN]:
			take(i, t.NN)
		default:
			take(i, highest+1)
		}
	}
	return ids
}

// stepNumber gives the number in the id of a step of the tools, such as s001,
// and 0 for other tasks.
func stepNumber(id string) int {
	digits, ok := strings.CutPrefix(id, "s")
	if !ok || len(digits) != 3 || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// isOurs reports whether a plan was begun by the planning tools: nothing but
// their own plans may they reword, give up or drop the tasks of.
func isOurs(p *plan.Plan) bool { return len(p.Tasks) == 0 || stepNumber(p.Tasks[0].ID) > 0 }
