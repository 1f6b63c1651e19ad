// Package hooks puts the gate where git runs: before a commit, before a push,
// and on the server before a push lands.
//
// [Events] are the hooks there are. A hook judges what native git is about to
// do, by the same gate as every other way to the plans; code that touches no
// plan passes at the cost of looking.
//
// An [Installer] puts the hooks into a repository, beside those of others and
// never over them, takes them out again and tests whether git would run them.
package hooks

import "slices"

// Event is the name of one of git's hooks.
type Event string

// The hooks git plan has a part in.
const (
	PreCommit            Event = "pre-commit"
	PreMergeCommit       Event = "pre-merge-commit"
	PrepareCommitMsg     Event = "prepare-commit-msg"
	CommitMsg            Event = "commit-msg"
	PrePush              Event = "pre-push"
	PreReceive           Event = "pre-receive"
	ReferenceTransaction Event = "reference-transaction"
)

// Known reports whether git plan has a part in the hook.
func (e Event) Known() bool { return slices.Contains(Events(), e) }

// Judges reports whether the hook judges commits that others are to get, or sent.
func (e Event) Judges() bool {
	return e == PrePush || e == PreReceive || e == ReferenceTransaction
}

// Events gives all of them, in the order in which git runs them.
func Events() []Event {
	return []Event{PreCommit, PreMergeCommit, PrepareCommitMsg, CommitMsg, PrePush, PreReceive, ReferenceTransaction}
}
