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
}

// Planning is the name of the prompt that comes in strategies.
const Planning = "planning"

// Text gives the prompt, without a line break at its end. The strategy
// matters to the prompt [Planning] alone.
func (e Entry) Text(s session.Strategy) string {
	if e.Name == Planning {
		return session.Section(s)
	}
	return Text(e.Name)
}

// Catalogue lists all prompts in their documented order.
func Catalogue() []Entry {
	return []Entry{
		{"decompose", "a model cuts a goal into tasks; answers {\"reasoning\", \"add_tasks\": [...]}"},
		{"judge", "a model reviews a plan; answers {\"is_approved\", \"feedback\"}"},
		{"suggest", "a model looks for work that no plan holds; answers {\"suggestions\": [...]}"},
		{"replan", "a model writes the next version of a plan that failed; answers {\"plan\", \"changes\", \"reasoning\"}"},
		{"planspec", "a model writes a plan in PlanSpec"},
		{"overseer", "the system prompt of an agent that writes plans in threads"},
		{Planning, "how to use the planning tools of a session, by strategy"},
		{"constitution", "the rules of an agent that works on plans"},
		{"messages", "what the loop tells an agent, message by message"},
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
