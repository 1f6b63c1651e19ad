// Package ci is the job that the workflows of forges run.
//
// A job reads what it was started for with [ReadEvent] and does its work with
// [Job.Run]: it checks what the event brought and tells the forge of it, in
// annotations, a summary, report files and, if that is wanted, a comment on the
// proposal, which [Discussion.Keep] keeps up to date. The workflows themselves
// are in internal/workflow.
package ci
