package gitstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// behindDetail says of a ref that a disk, or whoever copied the repository, gave
// it back as it was earlier.
const behindDetail = "it is behind its reflog"

// isBehind reports whether the ref names an ancestor of what its reflog says it
// was moved to last. Git moves no ref without a word in the reflog that it has,
// so the last move was lost, and with it commits that somebody was told of.
func (s *Store) isBehind(ctx context.Context) (bool, error) {
	logged := s.lastLogged()
	if logged == "" || s.isSymbolic() {
		return false, nil
	}
	if _, err := os.Lstat(s.repo.refPath(s.ref) + ".lock"); err == nil {
		return false, nil // whoever holds it may have written the log a moment ago, and moves the ref next
	}
	tip, err := s.target(ctx) // what was read of it before the log says nothing
	if err != nil || tip == logged {
		return false, nil
	}
	return s.IsAncestor(ctx, tip, logged)
}

// isSymbolic reports whether the ref points at another, which has a reflog of
// its own.
func (s *Store) isSymbolic() bool {
	data, err := os.ReadFile(s.repo.refPath(s.ref))
	return err == nil && strings.HasPrefix(string(data), "ref:")
}

// mustNotBeBehind is a *[BrokenRefError] where the ref's own file was lost, and
// an older value in packed-refs has come to light: whoever went on from there
// would leave behind what came since. Where the ref has its file, it costs one
// look at that.
func (s *Store) mustNotBeBehind(ctx context.Context) error {
	if _, err := os.Lstat(s.repo.refPath(s.ref)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if behind, err := s.isBehind(ctx); !behind {
		return err
	}
	return &BrokenRefError{s.ref, behindDetail}
}

// lastLogged gives the commit that the last entry of the ref's reflog names, or
// "". Where the reflog is no file, git writes it in one with the ref.
func (s *Store) lastLogged() string {
	const longest = 4 << 10 // of an entry whose message git plan or git wrote; of others nothing is said
	file, err := os.Open(s.repo.reflogPath(s.ref))
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	tail, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-longest), longest))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(string(tail), "\n"), "\n")
	if len(lines) == 1 && info.Size() > longest {
		return ""
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
