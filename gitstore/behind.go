package gitstore

import (
	"context"
	"os"
	"slices"
	"strings"
)

// Behind gives the newest commit that can be read of those that the ref was moved
// to by its reflog and that it left again without a word there, so that the
// commit is no ancestor of what the ref names now; ahead tells that it is a
// descendant. Git moves a ref with a word in the reflog that it has: so a disk or
// a copy of the repository brought an older file back, something other than git
// wrote it, or the move came to nothing after it had been noted. Which, nobody
// can tell.
func (s *Store) Behind(ctx context.Context) (newer, tip string, ahead bool, err error) {
	ref, err := s.end(ctx)
	if err != nil {
		return "", "", false, err
	}
	log, err := s.repo.logged(ref)
	if err != nil || len(log) == 0 { // as with a reftable, which git writes in one with the ref
		return "", "", false, nil
	}
	if _, err := os.Lstat(s.repo.refPath(ref) + ".lock"); err == nil {
		return "", "", false, nil // whoever holds it has noted the move, and makes it next
	}
	tip, err = s.target(ctx) // after the log: what was read of it before says nothing
	if err != nil {
		return "", "", false, ctx.Err() // a ref that cannot be read is told elsewhere
	}
	for _, left := range leftUnsaid(log, tip) {
		if fault, err := s.tipFault(ctx, left); err != nil {
			return "", "", false, err
		} else if fault != "" {
			continue
		}
		if had, err := s.IsAncestor(ctx, left, tip); err != nil || had {
			if ctx.Err() != nil {
				return "", "", false, ctx.Err()
			}
			continue // it is there, or commits in between are gone, which is told elsewhere
		}
		ahead, err = s.IsAncestor(ctx, tip, left)
		if err != nil {
			return "", "", false, ctx.Err()
		}
		return left, tip, ahead, nil
	}
	return "", "", false, nil
}

// leftUnsaid gives the commits, newest first, that a ref was moved to and that no
// entry of its log moves it away from, but that it does not name.
func leftUnsaid(log []reflogEntry, tip string) []string {
	var out []string
	expected := tip
	for _, e := range slices.Backward(log) {
		if e.new != expected && !isZero(e.new) {
			out = append(out, e.new)
		}
		expected = e.old
	}
	return out
}

// logged gives the last entries of the file of a ref's reflog, oldest first.
func (r *Repo) logged(ref string) ([]reflogEntry, error) {
	const most = 1 << 20 // bytes, some thousand entries
	tail, err := tailOf(r.reflogPath(ref), most)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(tail), "\n"), "\n")
	if len(tail) == most {
		lines = lines[1:] // its beginning may be missing
	}
	var out []reflogEntry
	for _, line := range lines {
		if e, ok := r.reflogEntry(line); ok {
			out = append(out, e)
		}
	}
	return out, nil
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
