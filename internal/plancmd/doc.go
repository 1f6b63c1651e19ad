// Package plancmd carries out PLAN_CMD commands on plans of ours.
//
// [Apply] carries them out by our own rules: a status moves as plan.Transition
// allows, claims and open blockers hold, tasks keep their ids whatever their
// numbers become. [ReplaceChildren]
// puts the steps of a PlanSpec below a task. The package does no I/O; whoever
// stores the plan has the gate judge it, and [Blame] finds which command a
// finding is about.
package plancmd
