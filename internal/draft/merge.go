package draft

import (
	"fmt"
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
