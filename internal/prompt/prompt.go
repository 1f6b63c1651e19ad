// Package prompt holds the texts that instruct models, embedded in the
// program. Begin with [Constitution], the rules of an agent that works on a
// plan, [Guide], how a plan is made, and [Overseer], what a planning agent is
// told. [Decompose], [Judge], [Suggest], [Replan] and [PlanSpec] ask a model
// for one answer of a strict form; what they are about follows them as
// [Parts]. [Catalogue] lists all that can be shown.
package prompt

import (
	_ "embed"
	"strings"
)

//go:embed overseer.md
var overseer string

//go:embed constitution.md
var constitution string

//go:embed guide.md
var guide string

//go:embed block.md
var block string

//go:embed decompose.md
var decompose string

//go:embed judge.md
var judge string

//go:embed suggest.md
var suggest string

//go:embed replan.md
var replan string

//go:embed planspec.md
var planSpec string

//go:embed messages.md
var messages string

// Overseer is the system prompt of an agent that writes plans in threads.
func Overseer() string { return strings.TrimRight(overseer, "\n") }

// Constitution is the whole rulebook of an agent that works on plans: the text
// that is kept in step with the file of instructions in its project. It ends
// without a line break.
func Constitution() string { return strings.TrimRight(constitution, "\n") }

// Guide is the planning guide: what makes a good task, how to get there, and a
// worked example, whose payload passes the strict gate in a project that has
// the files it names. It ends without a line break.
func Guide() string { return strings.TrimRight(guide, "\n") }

// Block is what stands in a project's own instructions for agents, AGENTS.md
// for instance: enough to begin, and where the rest is. It ends without a line
// break.
func Block() string { return strings.TrimRight(block, "\n") }
