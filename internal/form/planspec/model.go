package planspec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
)

// MaxText is how many bytes a text may have to be read or written. It is as
// much as a stored plan may hold.
const MaxText = 4 << 20

// MaxLines is how many lines it may have.
const MaxLines = 100_000

// Status is where a step stands: a word, such as "active", how it is marked in a
// step's line, such as "[>]", and the status of the task that it becomes.
type Status struct {
	Word, Marker string
	Task         plan.Status
}

// Statuses lists all statuses in their documented order. A step without a marker
// has the first.
func Statuses() []Status {
	return []Status{
		{"pending", "[ ]", plan.Pending}, {"active", "[>]", plan.InProgress}, {"done", "[x]", plan.Done},
		{"blocked", "[!]", plan.Blocked}, {"skipped", "[~]", plan.Skipped},
	}
}

// StatusOf gives the status of a step.
func StatusOf(it *form.Item) Status { return statusOf(plan.Status(it.Get("status"))) }

// statusOf gives the status of the step that a task is.
func statusOf(s plan.Status) Status {
	switch s {
	case plan.Failed:
		s = plan.Blocked
	case plan.Cancelled:
		s = plan.Skipped
	}
	all := Statuses()
	return all[max(0, slices.IndexFunc(all, func(x Status) bool { return x.Task == s }))]
}

// say sets a field of a step to a text, if there is any.
func say(it *form.Item, field, text string) {
	if text != "" {
		it.Say(field, text)
	}
}

// mark sets the status of a step.
func mark(it *form.Item, s Status) {
	if s.Task != plan.Pending {
		it.Say("status", string(s.Task))
	}
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
// view and no part of a plan: no format holds it.
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

// Folds says by their numbers how steps are folded.
type Folds map[string]Fold

// Shows tells what of a step a folded plan shows.
func (f Folds) Shows(it *form.Item) (body, children bool) {
	switch f[it.Number] {
	case Expanded:
		return true, true
	case Collapsed:
		return false, false
	default:
		s := StatusOf(it).Task
		return s == plan.InProgress || s == plan.Blocked, true
	}
}

// Detail gives the lines of a step's body, but for its inputs. They keep leading
// white space.
func Detail(it *form.Item) []string {
	if it.Text == nil {
		return nil
	}
	return strings.Split(*it.Text, "\n")
}

// SetDetail gives a step a detail, or none.
func SetDetail(it *form.Item, lines []string) {
	it.Text = nil
	if len(lines) > 0 {
		text := strings.Join(lines, "\n")
		it.Text = &text
	}
}

// Label names a step in messages: "step 2 (name)", or "step 2".
func Label(it *form.Item) string {
	if name := it.Get("step_name"); name != "" {
		return fmt.Sprintf("step %s (%s)", quoteShort(it.Number), quoteShort(name))
	}
	return "step " + quoteShort(it.Number)
}

// count writes a progress; a nil total is not known.
func count(done int, total *int) string {
	if total == nil {
		return strconv.Itoa(done)
	}
	return fmt.Sprintf("%d/%d", done, *total)
}

// counted sets the progress of a step. None done of an unknown number is none.
func counted(it *form.Item, done int, total *int) {
	if done != 0 || total != nil {
		it.Say("progress", count(done, total))
	}
}

// StepError tells that a step is not there, or cannot be changed in that way.
type StepError struct {
	// ID is the number of the step that was asked for.
	ID string
	// Reason says what is wrong, and what to do.
	Reason string
}

func (e *StepError) Error() string { return e.Reason }
