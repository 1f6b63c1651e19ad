package prompt

import (
	"slices"

	"github.com/git-plan/git-plan/internal/session"
)

// Entry is a prompt of the catalogue.
type Entry struct {
	Name string
	// About says in a line what the prompt is for.
	About string
	text  func(session.Strategy) string
}

// Text gives the prompt, without a line break at its end. The strategy
// matters to the prompt "planning" alone.
func (e Entry) Text(s session.Strategy) string { return e.text(s) }

// Catalogue lists all prompts in their documented order.
func Catalogue() []Entry {
	return []Entry{
		{"decompose", "a model cuts a goal into tasks; answers {\"reasoning\", \"add_tasks\": [...]}", always(Decompose)},
		{"judge", "a model reviews a plan; answers {\"is_approved\", \"feedback\"}", always(Judge)},
		{"suggest", "a model looks for work that no plan holds; answers {\"suggestions\": [...]}", always(Suggest)},
		{"replan", "a model writes the next version of a plan that failed; answers {\"plan\", \"changes\", \"reasoning\"}", always(Replan)},
		{"planspec", "a model writes a plan in PlanSpec", always(PlanSpec)},
		{"overseer", "the system prompt of an agent that writes plans in threads", always(Overseer)},
		{"planning", "how to use the planning tools of a session, by strategy", session.Section},
		{"constitution", "the rules of an agent that works on plans", always(Constitution)},
		{"messages", "what the loop tells an agent, message by message", always(Messages)},
	}
}

// Find gives the prompt of a name.
func Find(name string) (Entry, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

func always(text func() string) func(session.Strategy) string {
	return func(session.Strategy) string { return text() }
}
