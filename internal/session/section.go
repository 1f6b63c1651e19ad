package session

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed section/*.md
var sectionTexts embed.FS

// Strategy is a way of reasoning that the planning section asks of a model.
type Strategy int

// The strategies. The zero Strategy is the default.
const (
	// React alternates between thinking, acting and observing.
	React Strategy = iota
	// PlanActReflect outlines the whole plan, carries it out, and reflects on
	// each step.
	PlanActReflect
	// GoalDecomposeRouteSynthesise restates the goal, cuts it into problems,
	// gives each to tools, and brings the results together.
	GoalDecomposeRouteSynthesise
)

// Strategies lists the strategies in their documented order, the default
// first.
func Strategies() []Strategy {
	return []Strategy{React, PlanActReflect, GoalDecomposeRouteSynthesise}
}

// String gives the strategy's name, such as "plan-act-reflect".
func (s Strategy) String() string {
	switch s {
	case PlanActReflect:
		return "plan-act-reflect"
	case GoalDecomposeRouteSynthesise:
		return "goal-decompose-route-synthesise"
	default:
		return "react"
	}
}

// ParseStrategy reads a strategy from its name.
func ParseStrategy(name string) (Strategy, error) {
	var known []string
	for _, s := range Strategies() {
		if s.String() == name {
			return s, nil
		}
		known = append(known, s.String())
	}
	return React, fmt.Errorf("no strategy is called %s: give %s", quote(name), strings.Join(known, ", "))
}

// Section is the text that tells a model how to plan with the tools, as
// markdown with one heading and ordered lists. Strategies differ in the part
// about the mindset alone. It stands beside other sections, in any order, and
// ends without a line break.
func Section(s Strategy) string {
	text := strings.Replace(sectionText("guidance"), "{{mindset}}", sectionText(s.String()), 1)
	return strings.TrimRight(text, "\n")
}

func sectionText(name string) string {
	data, err := sectionTexts.ReadFile("section/" + name + ".md")
	if err != nil {
		panic(err) // it is embedded; a test reads all of them
	}
	return strings.TrimRight(string(data), "\n")
}
