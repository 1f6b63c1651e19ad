// Package draft owns threads: plain folders on disk in which plans are
// written, and what a worktree remembers about them.
//
// [Open] finds the worktree's drafts. [Drafts.Current] gives the folder to
// write in, [Drafts.Commit] puts every thread's plan on the store at once,
// and [Drafts.Refresh] brings files that were not edited up to date.
package draft
