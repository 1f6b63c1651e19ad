package gitstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// LostCommit is a commit that the ref pointed at and that cannot be read.
type LostCommit struct {
	// Name is the commit's name, Reason what the reflog says of it.
	Name, Reason string
	// Detail says what is wrong with it.
	Detail string
}

// NewestWhole goes through the reflog, newest first, to a commit that can be
// read with all it holds, "" if there is none. The commits it passes over are
// lost.
func (s *Store) NewestWhole(ctx context.Context) (good string, lost []LostCommit, err error) {
	sound := &soundness{ctx: ctx, store: s, known: map[string]string{}}
	seen := map[string]bool{}
	for entry := range s.reflog(ctx) {
		if seen[entry.Name] || isZero(entry.Name) {
			continue
		}
		seen[entry.Name] = true
		entry.Detail = sound.commit(entry.Name)
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		if entry.Detail == "" {
			return entry.Name, lost, nil
		}
		lost = append(lost, entry)
	}
	return "", lost, nil
}

// soundness tells whether commits can be read with all they hold. What it has
// seen once it does not read again.
type soundness struct {
	ctx   context.Context
	store *Store
	known map[string]string // the fault of each object, "" for none
}

// commit gives what is wrong with a commit, or "".
func (s *soundness) commit(name string) string {
	c, err := s.store.Commit(s.ctx, name)
	if err != nil {
		return firstLine(err)
	}
	return s.object(Entry{Mode: ModeFolder, Object: c.Tree}, 0)
}

// object gives what is wrong with a file or folder.
func (s *soundness) object(e Entry, depth int) string {
	if fault, ok := s.known[e.Object]; ok {
		return fault
	}
	fault := s.read(e, depth)
	s.known[e.Object] = fault
	return fault
}

func (s *soundness) read(e Entry, depth int) string {
	const deepest = 100
	switch kind := e.kind(); {
	case kind == "commit": // of another repository
		return ""
	case kind == "blob":
		data, err := s.store.read(s.ctx, e.Object, kind, 0)
		if err == nil && !s.store.repo.hasName(e.Object, kind, data) {
			err = &CorruptObjectError{e.Object, wrongHash}
		}
		if err != nil {
			return firstLine(err)
		}
		return ""
	}
	entries, err := s.store.tree(s.ctx, e.Object)
	if err != nil {
		return firstLine(err)
	}
	for _, in := range entries {
		if depth == deepest {
			return "its folders are too deep"
		}
		if fault := s.object(in, depth+1); fault != "" {
			return fault
		}
	}
	return ""
}

// reflog gives the commits that the ref pointed at, newest first. The file is
// read as it is: git does not show a log whose commits are missing. Where there
// is no file, as with a reftable, git is asked for one entry at a time.
func (s *Store) reflog(ctx context.Context) func(yield func(LostCommit) bool) {
	end, err := s.end(ctx)
	if err != nil {
		return s.askReflog(ctx)
	}
	log, err := s.repo.logged(end)
	if err != nil {
		return s.askReflog(ctx)
	}
	return func(yield func(LostCommit) bool) {
		for _, e := range slices.Backward(log[max(0, len(log)-reflogBound):]) {
			if !yield(LostCommit{Name: e.new, Reason: e.reason}) || !yield(LostCommit{Name: e.old}) {
				return
			}
		}
	}
}

func (s *Store) askReflog(ctx context.Context) func(yield func(LostCommit) bool) {
	return func(yield func(LostCommit) bool) {
		for i := range reflogBound {
			name, err := s.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", s.ref+"@{"+strconv.Itoa(i)+"}")
			if err != nil || !s.repo.isName(name) || !yield(LostCommit{Name: name}) {
				return
			}
		}
	}
}

// firstLine gives what an error says first, without its advice.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text, _, _ = strings.Cut(text, "; ")
	return text
}
