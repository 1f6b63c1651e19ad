// Package brief writes what a model is told that works by a PlanSpec: to carry
// out a step, to reflect on one that did not go well, to plan anew; and what an
// arbiter is told that picks the agent for the next step.
//
// [NewExecution], [NewReflection] and [NewReplan] gather what is to be told, as
// values for programs; their Text method writes it for a model. The package
// does no I/O.
package brief
