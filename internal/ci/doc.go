// Package ci is what git plan is on a forge: the workflows it puts on the plans
// branch, and the job that they run.
//
// Begin with [Forge.Workflow], the text of a workflow, and [Forge.Renew], which
// says what to do where one is already. A job reads what it was started for
// with [ReadEvent] and does its work with [Job.Run]: it checks what the event
// brought and tells the forge of it, in annotations, a summary, report files
// and, if that is wanted, a comment on the proposal, which [Discussion.Keep]
// keeps up to date.
package ci
