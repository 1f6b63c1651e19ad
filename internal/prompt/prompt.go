// Package prompt holds the texts that instruct models, embedded in the
// program. Begin with [Overseer], what a planning agent is told.
package prompt

import (
	_ "embed"
	"strings"
)

//go:embed overseer.md
var overseer string

// Overseer is the system prompt of an agent that writes plans in threads.
func Overseer() string { return strings.TrimRight(overseer, "\n") }
