package session

import (
	"encoding/json"
	"slices"
)

// PlanStatus is where a plan stands.
type PlanStatus string

// The statuses of a plan.
const (
	Active    PlanStatus = "active"
	Completed PlanStatus = "completed" // all steps are done
	Abandoned PlanStatus = "abandoned" // cleared; it has no steps
)

// StepStatus is where a step stands.
type StepStatus string

// The statuses of a step. A new step is pending.
const (
	Pending    StepStatus = "pending"
	InProgress StepStatus = "in_progress"
	Blocked    StepStatus = "blocked"
	Done       StepStatus = "done"
)

// StepStatuses lists the statuses of a step in their documented order.
func StepStatuses() []StepStatus { return []StepStatus{Pending, InProgress, Blocked, Done} }

// View is what a plan says, as plain data: what planning_read_plan answers. Without a
// status there is no plan.
type View struct {
	Objective string     `json:"objective"`
	Status    PlanStatus `json:"status"`
	Steps     []StepView `json:"steps"` // never nil in a plan
}

// StepView is what a step says.
type StepView struct {
	ID    string
	Title string
	// Details is empty where there are none, which JSON shows as null.
	Details string
	Status  StepStatus
	Notes   []string
}

// Exists reports whether there is a plan.
func (v View) Exists() bool { return v.Status != "" }

// Done counts the steps that are done.
func (v View) Done() int {
	n := 0
	for _, s := range v.Steps {
		if s.Status == Done {
			n++
		}
	}
	return n
}

// MarshalJSON writes notes as a list, also where there are none, and no details as
// null.
func (s StepView) MarshalJSON() ([]byte, error) {
	details := &s.Details
	if s.Details == "" {
		details = nil
	}
	return json.Marshal(struct {
		ID      string     `json:"step_id"`
		Title   string     `json:"title"`
		Details *string    `json:"details"`
		Status  StepStatus `json:"status"`
		Notes   []string   `json:"notes"`
	}{s.ID, s.Title, details, s.Status, append([]string{}, s.Notes...)})
}

// clone gives a view that shares nothing with v.
func (v View) clone() View {
	v.Steps = slices.Clone(v.Steps)
	for i := range v.Steps {
		v.Steps[i].Notes = slices.Clone(v.Steps[i].Notes)
	}
	return v
}

// index gives the place of a step, -1 without such a step.
func (v View) index(id string) int {
	return slices.IndexFunc(v.Steps, func(s StepView) bool { return s.ID == id })
}
