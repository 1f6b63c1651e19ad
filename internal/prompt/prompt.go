// Package prompt holds the texts that instruct models, embedded in the
// program. Begin with [Constitution], the rules of an agent that works on a
// plan, and [Overseer], what a planning agent is told.
package prompt

import (
	_ "embed"
	"strings"
)

//go:embed overseer.md
var overseer string

//go:embed constitution.md
var constitution string

// Overseer is the system prompt of an agent that writes plans in threads.
func Overseer() string { return strings.TrimRight(overseer, "\n") }

// Constitution is the whole rulebook of an agent that works on plans: the text
// that is kept in step with the file of instructions in its project. It ends
// without a line break.
func Constitution() string { return strings.TrimRight(constitution, "\n") }
