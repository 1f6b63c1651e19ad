package main

import (
	"reflect"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/internal/schema"
)

// specSchema is a PlanSpec as JSON.
func specSchema() *schema.Node {
	const name = "planspec-json"
	steps := func() *schema.Node { return schema.List(schema.Ref("step")) }
	var statuses []string
	for _, status := range planspec.Statuses() {
		statuses = append(statuses, status.String())
	}
	m := schema.Maker{
		Words:   map[reflect.Type][]string{reflect.TypeFor[planspec.Status](): statuses},
		Instead: map[string]func() *schema.Node{name + ".steps": steps, name + ".children": steps},
	}
	n := m.Of(name, planspec.Plan{})
	n.Defs = schema.Properties{{Name: "step", Node: m.Of(name, planspec.Step{})}}
	return n
}

// hopSchema is a HopSpec: a list of steps.
func hopSchema() *schema.Node {
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
