// Package loop is the agent's loop: which answer `status` gives, what a payload
// of `update` says and does to a plan, and the plan that `start` makes.
//
// Begin with [View.Decide], which finds what is to be done now, and [Answer], the
// document that says so. [ParsePayload] reads a payload and an [Update] is the
// mutation that carries it out: all of it, or nothing and a [Rejection] that
// names every fault. [Start] is the mutation that makes a plan for a goal.
//
// Nothing here writes: the mutations are run by package store, whose gate
// judges what they want.
package loop
