package main

import (
	"reflect"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/schema"
)

// specSchema is a PlanSpec as JSON.
func specSchema() *schema.Node {
	const name = "planspec-json"
	steps := func() *schema.Node { return schema.List(schema.Ref("step")) }
	statuses := namesOf(planspec.Statuses(), planspec.Status.String)
	m := schema.Maker{
		Glossary: specGlossary(),
		Words:    map[reflect.Type][]string{reflect.TypeFor[planspec.Status](): statuses},
		Instead:  map[string]func() *schema.Node{name + ".steps": steps, name + ".children": steps},
	}
	n := m.Of(name, planspec.Plan{})
	n.Defs = schema.Properties{{Name: "step", Node: m.Of(name, planspec.Step{})}}
	return n
}

// hopSchema is a HopSpec: a list of steps.
func hopSchema() *schema.Node {
	about := specGlossary()
	property := func(key string, n *schema.Node) schema.Property {
		return schema.Property{Name: key, Node: n.About(about[key])}
	}
	step := schema.Object(property("step_name", schema.Text()), property("step_type", schema.Word(planspec.HopTypes()...)))
	for _, key := range []string{"task", "description", "condition", "collection", "element", "verifier", "call_target", "return_format", "expand_mode"} {
		step.Maybe(property(key, schema.Text()))
	}
	for _, key := range []string{"inputs", "outputs"} {
		step.Maybe(property(key, schema.List(schema.Text())))
	}
	step.Maybe(property("children", schema.List(schema.Ref("step"))))
	n := schema.List(schema.Ref("step"))
	n.Defs = schema.Properties{{Name: "step", Node: step}}
	return n
}

// specGlossary says what the keys of PlanSpecs and HopSpecs mean.
func specGlossary() map[string]string {
	return map[string]string{
		"title": "What the plan is called, or empty", "goal": "What the plan is for, in one line", "goal_detail": "Lines that explain the goal further",
		"constraints": "What must hold", "steps": "The steps at the top, in order",
		"step_id": "The step's place in the tree, such as 2.1", "step_name": "A unique anchor", "step_type": "What kind of step it is",
		"description": "What the step does, in one line", "inputs": "The names of the data that the step takes",
		"outputs": "The names of the data that the step makes", "detail": "Lines that say more of the step", "result": "What came of the step",
		"status": "Where the step stands", "done_count": "How many iterations are done", "total_count": "How many iterations there are, null if that is not known",
		"children": "The steps below this one", "task": "What a model is to do", "condition": "What a branch or a loop depends on",
		"collection": "What a loop goes through", "element": "What a loop calls each item", "verifier": "How the result is checked",
		"call_target": "What is called", "return_format": "The form of the answer", "expand_mode": "How a subtask gets the steps below it",
	}
}
