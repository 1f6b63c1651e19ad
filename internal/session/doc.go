// Package session is a suite of six planning tools for agents that need a
// short list of steps in mind for as long as a session lasts. The plan lives
// in memory; nothing here reads or writes anything else.
//
// A server makes one [Session] for each session of a client, offers [Tools],
// gives what a model sends to [Session.Call] and puts [Section] into the
// model's prompt. A server that keeps the plan somewhere else takes [Decode],
// which checks what was sent, [Next], which says what is to become of the plan,
// and [Message], which says what came of it, and shows the plan as a [View].
//
// [Next] is the only function that makes a plan: it takes the last snapshot and
// one of the six inputs, and gives the next. What is wrong with an input is a [ValidationError], which
// names every fault at once.
//
// Texts are ASCII without control characters, of at most [MaxObjective],
// [MaxTitle] and [MaxText] characters after spaces, tabs and line ends around
// them were taken off. Steps are numbered S001, S002 and so on; after S999
// comes S1000.
package session
