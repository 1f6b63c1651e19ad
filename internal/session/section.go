package session

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed section/*.md
var sectionTexts embed.FS

// Strategy is a way of reasoning that the planning section asks of a model, by
// its name.
type Strategy string

// The strategies. The empty Strategy is [React].
const (
	// React alternates between thinking, acting and observing.
	React Strategy = "react"
	// PlanActReflect outlines the whole plan, carries it out, and reflects on
	// each step.
	PlanActReflect Strategy = "plan-act-reflect"
	// GoalDecomposeRouteSynthesise restates the goal, cuts it into problems,
	// gives each to tools, and brings the results together.
	GoalDecomposeRouteSynthesise Strategy = "goal-decompose-route-synthesise"
)

// Strategies lists the strategies in their documented order, the default
// first.
func Strategies() []Strategy {
	return []Strategy{React, PlanActReflect, GoalDecomposeRouteSynthesise}
}

// ParseStrategy reads a strategy from its name.
func ParseStrategy(name string) (Strategy, error) {
	if slices.Contains(Strategies(), Strategy(name)) {
		return Strategy(name), nil
	}
	return React, fmt.Errorf("no strategy is called %s: give react, plan-act-reflect, goal-decompose-route-synthesise", quote(name))
}

// Section is the text that tells a model how to plan with the tools, as
// markdown with one heading and ordered lists. Strategies differ in the part
// about the mindset alone. It stands beside other sections, in any order, and
// ends without a line break.
func Section(s Strategy) string {
	text := strings.Replace(sectionText("guidance"), "{{mindset}}", sectionText(string(cmp.Or(s, React))), 1)
	return strings.TrimRight(text, "\n")
}

func sectionText(name string) string {
	data, err := sectionTexts.ReadFile("section/" + name + ".md")
	if err != nil {
		panic(err) // it is embedded; a test reads all of them
	}
	return strings.TrimRight(string(data), "\n")
}
