package planspec

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan/diag"
)

// MaxText is how many bytes a text may have to be read or written. It is as
// much as a stored plan may hold.
const MaxText = 4 << 20

// MaxLines is how many lines it may have.
const MaxLines = 100_000

// Status is where a step stands.
type Status int

// The statuses. A step without a marker is pending.
const (
	Pending Status = iota
	Active
	Done
	Blocked
	Skipped
)

// Statuses lists all statuses in their documented order.
func Statuses() []Status { return []Status{Pending, Active, Done, Blocked, Skipped} }

// String gives the status as a word, such as "active".
func (s Status) String() string {
	return [...]string{"pending", "active", "done", "blocked", "skipped"}[s]
}

// Marker gives the status as it stands in a step's line, such as "[>]".
func (s Status) Marker() string { return "[" + " >x!~"[s:s+1] + "]" }

// MarshalText makes statuses read as words in JSON.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseStatus reads a status from its word.
func ParseStatus(word string) (Status, bool) {
	for _, s := range Statuses() {
		if s.String() == word {
			return s, true
		}
	}
	return Pending, false
}

// The types a step may have. [Validate] complains of any other.
const (
	Reason  = "reason"  // thinking and analysis
	Act     = "act"     // an action or a computation
	Decide  = "decide"  // a choice; its children are the branches
	Subtask = "subtask" // a task in parts; its children are the parts
)

// Types lists the types of steps in their documented order.
func Types() []string { return []string{Reason, Act, Decide, Subtask} }

// IsContainer reports whether steps of the type may have children.
func IsContainer(typ string) bool { return typ == Decide || typ == Subtask }

// Fold says how much of a step a folded plan shows. It is a matter of the
// view and no part of a plan: no format holds it, and [Equal] ignores it.
type Fold int

// The ways to fold.
const (
	// ByStatus shows the body of active and blocked steps, and all children.
	ByStatus Fold = iota
	// Expanded shows body and children.
	Expanded
	// Collapsed shows neither.
	Collapsed
)

// Step is one step of a plan.
type Step struct {
	// ID is the step's place in the tree: "2", and "2.1" for a child of it.
	ID string `json:"step_id"`
	// Name is a unique anchor that tools may give, or empty.
	Name string `json:"step_name"`
	// Type is one of [Types]; a text may bring others.
	Type        string `json:"step_type"`
	Description string `json:"description"`
	// Inputs and Outputs are names of data, without white space and commas.
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
	// Detail are the lines of the step's body. They keep leading white space.
	Detail []string `json:"detail"`
	// Result is what came of the step, or why it is blocked or skipped.
	Result string `json:"result"`
	Status Status `json:"status"`
	// DoneCount and TotalCount count iterations. A nil total is not known.
	DoneCount  int     `json:"done_count"`
	TotalCount *int    `json:"total_count"`
	Children   []*Step `json:"children"`

	// Fold is how the step is shown; see [Fold].
	Fold Fold `json:"-"`
	// Pos is where the step was found, for findings. [Equal] ignores it.
	Pos diag.Pos `json:"-"`
}

// Plan is a PlanSpec. The zero value is the empty plan.
type Plan struct {
	Title string `json:"title"`
	Goal  string `json:"goal"`
	// GoalDetail are lines that explain the goal further.
	GoalDetail  []string `json:"goal_detail"`
	Constraints []string `json:"constraints"`
	Steps       []*Step  `json:"steps"`
}

// Label names the step in messages: "step 2 (name)", or "step 2".
func (s *Step) Label() string {
	if s.Name == "" {
		return "step " + quoteShort(s.ID)
	}
	return fmt.Sprintf("step %s (%s)", quoteShort(s.ID), quoteShort(s.Name))
}

// Walk calls f for every step in order, each before its children.
func (p *Plan) Walk(f func(*Step)) { walk(p.Steps, f) }

func walk(steps []*Step, f func(*Step)) {
	for _, s := range steps {
		f(s)
		walk(s.Children, f)
	}
}

// all gives the plan's steps in the order of Walk.
func (p *Plan) all() (out []*Step) {
	p.Walk(func(s *Step) { out = append(out, s) })
	return out
}

// Clone gives a copy that shares nothing with p.
func (p *Plan) Clone() *Plan {
	q := *p
	q.GoalDetail = slices.Clone(p.GoalDetail)
	q.Constraints = slices.Clone(p.Constraints)
	q.Steps = cloneSteps(p.Steps)
	return &q
}

func cloneSteps(steps []*Step) []*Step {
	out := make([]*Step, 0, len(steps))
	for _, s := range steps {
		c := *s
		c.Inputs, c.Outputs, c.Detail = slices.Clone(s.Inputs), slices.Clone(s.Outputs), slices.Clone(s.Detail)
		if s.TotalCount != nil {
			total := *s.TotalCount
			c.TotalCount = &total
		}
		c.Children = cloneSteps(s.Children)
		out = append(out, &c)
	}
	return out
}

// Equal reports whether two plans say the same. How steps are folded and
// where they were found makes no difference, nor does nil for an empty list.
func Equal(p, q *Plan) bool {
	return p.Title == q.Title && p.Goal == q.Goal && slices.Equal(p.GoalDetail, q.GoalDetail) &&
		slices.Equal(p.Constraints, q.Constraints) && slices.EqualFunc(p.Steps, q.Steps, equalStep)
}

func equalStep(s, t *Step) bool {
	return s.ID == t.ID && s.Name == t.Name && s.Type == t.Type && s.Description == t.Description &&
		slices.Equal(s.Inputs, t.Inputs) && slices.Equal(s.Outputs, t.Outputs) && slices.Equal(s.Detail, t.Detail) &&
		s.Result == t.Result && s.Status == t.Status && s.DoneCount == t.DoneCount && equalTotal(s.TotalCount, t.TotalCount) &&
		slices.EqualFunc(s.Children, t.Children, equalStep)
}

func equalTotal(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
