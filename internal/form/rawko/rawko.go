// Package rawko reads and writes plans in the form of rawko-sdk: a flat list of
// steps under camelCase keys, as YAML or JSON.
//
// [Parse] reads a file strictly and reports every fault with its place.
// [Plan.Files] makes the files of one of our plans from what was read, and
// [FromPlan] goes the other way; both say what the other form cannot hold.
// [Plan.YAML] and [Plan.JSON] write. The package does no I/O.
package rawko

import (
	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// MaxFile bounds a file in bytes, MaxSteps the steps of a plan.
const (
	MaxFile  = 512 << 10
	MaxSteps = plan.MaxSiblings
)

// maxKeys bounds the keys of a file, those of MaxSteps steps with room to spare;
// maxItems the items of its lists, 200 a step; maxDepth how deep values nest, as
// in YAML.
const (
	maxKeys  = 4096
	maxItems = 200 * MaxSteps
	maxDepth = 16
)

func bounds() plan.Bounds { return plan.Bounds{Bytes: MaxFile, Keys: maxKeys, Items: maxItems} }

// Plan is a plan as rawko keeps it. Members that are not set are nil or empty;
// a list that is set and empty is not nil.
type Plan struct {
	ID               string    `json:"id"`
	Task             string    `json:"task"`
	Status           string    `json:"status"`
	Version          int       `json:"version"`
	PreviousPlanID   *string   `json:"previousPlanId,omitzero"`
	CurrentStepIndex int       `json:"currentStepIndex"`
	CreatedAt        string    `json:"createdAt"`
	UpdatedAt        string    `json:"updatedAt"`
	CreatedBy        string    `json:"createdBy"`
	Steps            []Step    `json:"steps"`
	Metadata         *Metadata `json:"metadata,omitzero"`

	pos positions
}

// Step is one step of a plan.
type Step struct {
	Index              int      `json:"index"`
	Description        string   `json:"description"`
	Status             string   `json:"status"`
	SuggestedAgent     *string  `json:"suggestedAgent,omitzero"`
	ExecutedBy         *string  `json:"executedBy,omitzero"`
	StartedAt          *string  `json:"startedAt,omitzero"`
	CompletedAt        *string  `json:"completedAt,omitzero"`
	Output             *string  `json:"output,omitzero"`
	Error              *string  `json:"error,omitzero"`
	AffectedFiles      []string `json:"affectedFiles,omitzero"`
	DependsOn          []int    `json:"dependsOn,omitzero"`
	Instructions       *string  `json:"instructions,omitzero"`
	AcceptanceCriteria []string `json:"acceptanceCriteria,omitzero"`
}

// Metadata is what a plan may say about itself beside its steps.
type Metadata struct {
	Complexity         *int     `json:"complexity,omitzero"`
	Tags               []string `json:"tags,omitzero"`
	Constraints        []string `json:"constraints,omitzero"`
	InformedByMemories []string `json:"informedByMemories,omitzero"`
}

// CurrentTask is the file beside the plans that names the one worked on.
type CurrentTask struct {
	Task   string `json:"task"`
	PlanID string `json:"planId"`
	Status string `json:"status"`
}

// positions are the places in the file that was read.
type positions struct {
	id, version, current diag.Pos
	steps                []diag.Pos
	items                []*form.Item // of the plan and the steps, as they were made last
}

// The statuses of a plan and of a step.
func planStatuses() []string {
	return []string{"draft", "in_progress", "complete", "failed", "replanning"}
}

func stepStatuses() []string {
	return []string{"pending", "in_progress", "complete", "failed", "skipped"}
}

// stepStatus says a task's status in rawko's words.
func stepStatus(s plan.Status) string {
	switch s {
	case plan.Done:
		return "complete"
	case plan.Blocked:
		return "pending"
	case plan.Cancelled:
		return "skipped"
	}
	return string(s)
}

// taskStatus says a step's status in our words.
func taskStatus(s string) plan.Status {
	if s == "complete" {
		return plan.Done
	}
	return plan.Status(s)
}

// CurrentTask gives the file that names the plan as the one worked on.
func (p *Plan) CurrentTask() CurrentTask { return CurrentTask{p.Task, p.ID, p.Status} }
