package loop

import (
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// statusWords are the words of the loop's JSON for statuses, in the order in
// which they are told to whoever used another.
func statusWords() []string {
	return []string{"TODO", "IN_PROGRESS", "DONE", "CANCELLED", "BLOCKED", "FAILED", "SKIPPED"}
}

// StatusWord is a status in the words of the loop's JSON.
func StatusWord(s plan.Status) string {
	if s == plan.Pending {
		return "TODO"
	}
	return strings.ToUpper(string(s))
}

// parseStatus reads a status as the loop's JSON has it.
func parseStatus(word string) (plan.Status, bool) {
	for _, s := range plan.Statuses() {
		if StatusWord(s) == word {
			return s, true
		}
	}
	return "", false
}

// TaskID is a task's number as the loop's JSON has it: an integer, or text such
// as "3.1" for a task below another.
func TaskID(t *plan.Task) any {
	if t.Parent == nil {
		return t.NN
	}
	return t.Number()
}
