// Package draft owns drafts: folders on disk, each with one plan that is being
// edited, and what a worktree remembers of them.
//
// [Open] finds the worktree's drafts. [Drafts.New] and [Drafts.Edit] make one,
// [Drafts.Commit] stores what changed in them, and [Drafts.Refresh] brings
// files that were not edited up to date. Of a draft two facts are kept, which plan
// it edits and the commit it was last filled from; deleting a folder loses the
// edits in it and nothing else.
package draft
