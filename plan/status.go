package plan

// Status is where a task stands.
type Status string

// The statuses of a task. Done, skipped and cancelled are settled.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked"
	Done       Status = "done"
	Failed     Status = "failed"
	Skipped    Status = "skipped"
	Cancelled  Status = "cancelled"
)

// Settled reports whether nothing is left to do.
func (s Status) Settled() bool { return s == Done || s == Skipped || s == Cancelled }

// Statuses lists all statuses of a task in their documented order.
func Statuses() []Status {
	return []Status{Pending, InProgress, Blocked, Done, Failed, Skipped, Cancelled}
}

// PlanStatus is where a plan stands. It is derived from its leaf tasks and
// never stored, except that a plan may be marked abandoned.
type PlanStatus string

// The statuses of a plan.
const (
	Draft          PlanStatus = "draft"
	PlanInProgress PlanStatus = "in_progress"
	Replanning     PlanStatus = "replanning"
	PlanFailed     PlanStatus = "failed"
	Complete       PlanStatus = "complete"
	Abandoned      PlanStatus = "abandoned"
)

// Finished reports whether the plan asks for no more work.
func (s PlanStatus) Finished() bool { return s == Complete || s == Abandoned }

// PlanStatuses lists all statuses of a plan.
func PlanStatuses() []PlanStatus {
	return []PlanStatus{Draft, PlanInProgress, Replanning, PlanFailed, Complete, Abandoned}
}

// Status derives the plan's status from its leaves: abandoned if set;
// complete when every task is settled and one is done; failed when a task
// failed and no replan is left, replanning when one is; in progress once any
// task left pending; else draft.
func (p *Plan) Status() PlanStatus {
	if p.IsAbandoned() {
		return Abandoned
	}
	count := map[Status]int{}
	leaves, settled := 0, 0
	for _, t := range p.All() {
		if len(t.Children) > 0 {
			continue
		}
		leaves++
		count[t.Status]++
		if t.Status.Settled() {
			settled++
		}
	}
	switch {
	case leaves > 0 && settled == leaves && count[Done] > 0:
		return Complete
	case count[Failed] > 0 && p.Version()-1 >= p.MaxReplans():
		return PlanFailed
	case count[Failed] > 0:
		return Replanning
	case count[Pending] < leaves:
		return PlanInProgress
	}
	return Draft
}

// Progress counts every task, nested ones too. Skipped counts the cancelled
// ones with it.
type Progress struct {
	Total   int `json:"total"`
	Done    int `json:"done"`
	Active  int `json:"active"`
	Blocked int `json:"blocked"`
	Pending int `json:"pending"`
	Skipped int `json:"skipped"`
	Failed  int `json:"failed"`
}

// Progress counts the plan's tasks by status.
func (p *Plan) Progress() Progress {
	var c Progress
	for _, t := range p.All() {
		c.Total++
		switch t.Status {
		case Done:
			c.Done++
		case InProgress:
			c.Active++
		case Blocked:
			c.Blocked++
		case Failed:
			c.Failed++
		case Skipped, Cancelled:
			c.Skipped++
		default:
			c.Pending++
		}
	}
	return c
}

// Converged reports whether nothing is pending or active and each output that
// a container names is produced by a done child.
func (p *Plan) Converged() bool {
	for _, t := range p.All() {
		if t.Status == Pending || t.Status == InProgress {
			return false
		}
		if len(t.Children) == 0 {
			continue
		}
		produced := map[string]bool{}
		for _, c := range t.Children {
			if c.Status == Done {
				for _, o := range c.Doc.List("outputs") {
					produced[o] = true
				}
			}
		}
		for _, o := range t.Doc.List("outputs") {
			if !produced[o] {
				return false
			}
		}
	}
	return true
}
