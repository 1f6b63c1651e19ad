package gitstore

import (
	"context"
	"os"
	"strings"
)

// Behind gives the newest commit that can be read of those to which the ref's
// reflog says it was moved, where the ref names an ancestor of it, and "" else.
// Git moves a ref with a word in the reflog that it has: so the last moves were
// lost, as by a disk or a copy of the repository that brought an older file back,
// or came to nothing after they had been noted. Which, nobody can tell.
func (s *Store) Behind(ctx context.Context) (newer, tip string, err error) {
	logged := s.lastLogged()
	if logged == "" || isLink(s.repo.refPath(s.ref)) { // which has a reflog of its own
		return "", "", nil
	}
	if _, err := os.Lstat(s.repo.refPath(s.ref) + ".lock"); err == nil {
		return "", "", nil // whoever holds it has noted the move, and makes it next
	}
	tip, err = s.target(ctx) // after the log: what was read of it before says nothing
	if err != nil || tip == logged {
		return "", "", ctx.Err() // a ref that cannot be read is told elsewhere
	}
	if newer, _, err = s.NewestWhole(ctx); err != nil || newer == "" || newer == tip {
		return "", "", err
	}
	if is, err := s.IsAncestor(ctx, tip, newer); err != nil || !is {
		return "", "", ctx.Err() // commits in between may be gone
	}
	return newer, tip, nil
}

// lastLogged gives the commit that the last entry of the ref's reflog names, or
// "". Where the reflog is no file, git writes it in one with the ref.
func (s *Store) lastLogged() string {
	const longest = 64 << 10 // of an entry: the message of a commit may be one line
	tail, err := tailOf(s.repo.reflogPath(s.ref), longest)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(string(tail), "\n"), "\n")
	if len(lines) == 1 && len(tail) == longest {
		return "" // its beginning may be missing
	}
	entry, _ := s.repo.reflogEntry(lines[len(lines)-1])
	return entry.new
}

// reflogEntry is one line of a reflog's file.
type reflogEntry struct{ old, new, reason string }

// reflogEntry reads one; ok is false for one that was cut off.
func (r *Repo) reflogEntry(line string) (e reflogEntry, ok bool) {
	head, reason, _ := strings.Cut(line, "\t")
	names := strings.SplitN(head, " ", 3)
	if len(names) < 3 || !r.isName(names[0]) || !r.isName(names[1]) {
		return reflogEntry{}, false
	}
	return reflogEntry{names[0], names[1], reason}, true
}
