package draft

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/internal/planrepo"
)

// conflict is the answer to edits of files that changed in the store too.
func (c *committer) conflict(p *part, files []string) error {
	return &planrepo.ConflictError{Plan: p.id, Details: files,
		Hint: fmt.Sprintf("keep a copy of your edits, run `git plan checkout --force %s`, bring them in again and commit", p.id)}
}

// gone is the answer to edits of a plan that is no longer where the thread
// took it from.
func (c *committer) gone(p *part, why string) error {
	leave := "run `git plan clear-current` and `git plan commit`"
	if p.thread.ID != c.state.Current {
		leave = "run `git plan remove-thread --thread-id " + p.thread.ID + "`"
	}
	return &planrepo.ConflictError{Plan: p.id, Details: []string{why},
		Hint: "keep a copy of your edits, " + leave + ", then bring them in as a new plan"}
}

// mergeFiles merges by file: what one side left alone follows the other.
func mergeFiles(base, theirs, ours map[string][]byte) (merged map[string][]byte, conflicts []string) {
	merged = map[string][]byte{}
	all := map[string][]byte{}
	for _, side := range []map[string][]byte{base, theirs, ours} {
		for name := range side {
			all[name] = nil
		}
	}
	for _, name := range names(all) {
		b, t, o := look(base, name), look(theirs, name), look(ours, name)
		winner := o
		switch {
		case o == b:
			winner = t
		case t == b, t == o:
		default:
			conflicts = append(conflicts, name)
		}
		if winner.there {
			merged[name] = []byte(winner.text)
		}
	}
	return merged, conflicts
}

// mergeSince is mergeFiles for a thread, up to a commit of the store. A file that
// holds what the store held at some time since the thread began is no edit: it
// came with a change, and the command was cut off before the thread noted that.
func (d *Drafts) mergeSince(ctx context.Context, t Thread, commit string, base, theirs, ours map[string][]byte) (merged map[string][]byte, conflicts []string, err error) {
	merged, conflicts = mergeFiles(base, theirs, ours)
	if len(conflicts) == 0 {
		return merged, nil, nil
	}
	passed, err := d.passed(ctx, t, commit)
	if err != nil {
		return nil, nil, err
	}
	base = maps.Clone(base)
	for _, name := range conflicts {
		if !slices.ContainsFunc(passed, func(files map[string][]byte) bool { return look(files, name) == look(ours, name) }) {
			continue
		}
		if delete(base, name); look(ours, name).there {
			base[name] = ours[name]
		}
	}
	merged, conflicts = mergeFiles(base, theirs, ours)
	return merged, conflicts, nil
}

// maxPassed bounds how many revisions of a plan are looked through.
const maxPassed = 100

// passed gives the files of each revision that the thread's plan had after the
// one the thread began from.
func (d *Drafts) passed(ctx context.Context, t Thread, commit string) (files []map[string][]byte, err error) {
	began, err := d.revisions(ctx, t.Base, t.Plan, 1)
	if err != nil || len(began) == 0 {
		return nil, err
	}
	since, err := d.revisions(ctx, commit, t.Plan, maxPassed)
	for _, r := range since {
		if r.Commit.Name == began[0].Commit.Name {
			return files, nil
		}
		if after := r.Changes[0].After; after != nil {
			files = append(files, after.Files())
		}
	}
	return nil, err
}

// revisions gives the newest revisions of a plan at a commit.
func (d *Drafts) revisions(ctx context.Context, commit, id string, limit int) ([]planrepo.Revision, error) {
	s, err := d.repo.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	return s.History(ctx, id, limit)
}

// content is a file's text, or that it is not there.
type content struct {
	text  string
	there bool
}

func look(files map[string][]byte, name string) content {
	data, ok := files[name]
	return content{string(data), ok}
}

func sameFiles(a, b map[string][]byte) bool {
	merged, conflicts := mergeFiles(a, a, b)
	return len(conflicts) == 0 && len(merged) == len(a) && !slices.ContainsFunc(names(merged), func(n string) bool { return look(a, n) != look(merged, n) })
}
