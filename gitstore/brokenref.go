package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// reflogBound is how many entries of the reflog are looked at.
const reflogBound = 1000

// RefFault is a ref that exists and cannot be read: its file is empty or
// garbage, or it names a commit that is missing or unusable.
type RefFault struct {
	// Ref is the ref whose file it is: what the store's own leads to where that is
	// symbolic.
	Ref string
	// Detail says what is wrong.
	Detail string
	// Old is the object that the ref names, or "".
	Old string
	// Good is the newest commit of the reflog that can be read with all it
	// holds, or "" if there is none.
	Good string
	// Lost are the newer entries of the reflog, newest first.
	Lost []LostCommit

	// Obstacle says why the ref must not be mended although Old cannot be read:
	// what it names may well be there.
	Obstacle string

	file []byte // what the ref's file holds, where it names nothing
}

// unreadRefs is the obstacle where what a ref names may be known to git no more.
const unreadRefs = "git reads no refs here"

// lostDetail says of a ref that its file went away by itself.
const lostDetail = "it is gone, and its reflog is not"

// RefFault looks whether the ref can be read as far as its commit and the
// commit's root folder. It is nil if it can, or if there is no ref and its
// reflog tells of none.
func (s *Store) RefFault(ctx context.Context) (*RefFault, error) {
	if why, err := s.repo.noRefs(ctx); why != "" || err != nil {
		return &RefFault{Ref: s.ref, Detail: why, Obstacle: unreadRefs}, err
	}
	end, err := s.end(ctx)
	if err != nil {
		return nil, err
	}
	fault := &RefFault{Ref: end}
	if fault.Old, err = s.target(ctx); err != nil {
		var unread error
		if fault.file, unread = s.repo.refFile(end); unread != nil {
			return nil, unread
		}
		if fault.file == nil && !git.IsMissing(err) {
			fault.Detail, fault.Obstacle = firstLine(err), unreadRefs
			return fault, nil
		}
		if fault.Detail = s.unnamed(ctx, fault.file); fault.Detail == "" {
			return nil, nil
		}
	} else if fault.Detail, err = s.tipFault(ctx, fault.Old); fault.Detail == "" {
		return nil, err
	}
	if fault.Obstacle = s.repo.obstacle(ctx, fault.Detail); fault.Obstacle != "" {
		return fault, nil
	}
	fault.Good, fault.Lost, err = s.NewestWhole(ctx)
	for _, l := range fault.Lost {
		if why := s.repo.unread(l.Detail); why != "" && err == nil { // to be had again, and not to be left behind
			return &RefFault{Ref: end, Detail: l.Detail, Old: fault.Old, Obstacle: why}, nil
		}
	}
	return fault, err
}

// end gives the ref whose file and reflog tell of the store's own: what that leads
// to where it is symbolic.
func (s *Store) end(ctx context.Context) (string, error) {
	if !isLink(s.repo.refPath(s.ref)) {
		return s.ref, nil
	}
	end, err := s.repo.RefEnd(ctx, s.ref)
	if git.Status(err) > 0 && s.repo.linkEnd(s.ref) == "" {
		return s.ref, nil // it leads back to itself, and so to nothing
	}
	return end, err
}

// unnamed says what is wrong with a ref that names nothing, or "" where there is
// none; file is what its file holds.
func (s *Store) unnamed(ctx context.Context, file []byte) string {
	switch {
	case len(file) > 0:
		return "its file names no object"
	case file != nil:
		return "its file is empty"
	case s.lostRef(ctx) != nil:
		return lostDetail
	}
	return ""
}

// lostRef is a *[BrokenRefError] where there is no ref though its reflog tells
// of one. Git removes both together, so a disk lost it, and whoever began it
// anew would leave behind all that it had.
func (s *Store) lostRef(ctx context.Context) error {
	gone := func(path string) bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	end, err := s.end(ctx)
	if err != nil {
		return err
	}
	if info, err := os.Stat(s.repo.reflogPath(end)); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	path := s.repo.refPath(end)
	if isLink(path) && s.repo.linkEnd(end) == "" {
		return &BrokenRefError{s.ref, "it is symbolic, and leads back to itself"}
	}
	if !gone(path+".lock") || !gone(path) && !isEmptyFolder(path) {
		return nil // under the lock, somebody makes or removes it now
	}
	if _, err := s.target(ctx); err == nil || !git.IsMissing(err) { // it was made meanwhile, or is packed; or git reads no refs
		return nil
	}
	return &BrokenRefError{s.ref, lostDetail}
}

// noRefs says why git finds no ref at all where refs are in a reftable, or "". Git
// does not tell a table that it cannot read from one without the ref; but HEAD is
// in every one.
func (r *Repo) noRefs(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil || r.keepsFiles(config) {
		return "", err
	}
	for _, ask := range [][]string{{"symbolic-ref", "--quiet", "HEAD"}, {"rev-parse", "--verify", "--quiet", "HEAD"}} {
		if _, err := r.Git.ReadLine(ctx, ask...); err == nil || ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	folder := filepath.Join(r.CommonDir, "reftable")
	names, _ := readNames(folder)
	tables := slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".ref") })
	if list, err := os.ReadFile(filepath.Join(folder, "tables.list")); len(tables) > 0 && (errors.Is(err, fs.ErrNotExist) || err == nil && len(list) == 0) {
		return fmt.Sprintf("%s names no table, and there is %s in the folder: write the names into it, oldest first, a line each", filepath.Join(folder, "tables.list"), strings.Join(tables, ", ")), nil
	}
	return fmt.Sprintf("not even HEAD is found: a table in %s is damaged or gone", folder), nil
}

// isEmptyFolder reports whether a folder stands where a ref's file was, with no
// ref below it, which git would remove to write the ref.
func isEmptyFolder(path string) bool {
	names, err := readNames(path)
	return err == nil && len(names) == 0
}

// target gives what the ref names, whether or not that is there.
func (s *Store) target(ctx context.Context) (string, error) {
	name, err := s.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", s.ref)
	if err == nil && !s.repo.isName(name) {
		err = fmt.Errorf("git rev-parse answered %q", name)
	}
	return name, err
}

// refFile gives what the file of a ref holds, nil if there is none.
func (r *Repo) refFile(ref string) ([]byte, error) {
	data, err := os.ReadFile(r.refPath(ref))
	if err != nil {
		// With a reftable refs/heads is a file; a folder may have the ref's name.
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) {
			return nil, nil
		}
		return nil, err
	}
	text := strings.TrimSpace(string(data))
	if strings.HasPrefix(text, "ref:") && r.linkEnd(ref) != "" { // it points at a ref that does not exist yet
		return nil, nil
	}
	if r.isName(text) && !isZero(text) { // it was set a moment ago
		return nil, nil
	}
	return append([]byte{}, data...), nil
}

func (r *Repo) refPath(ref string) string {
	return filepath.Join(r.CommonDir, filepath.FromSlash(ref))
}

// tipFault says why a commit cannot be the ref's, or "".
func (s *Store) tipFault(ctx context.Context, name string) (string, error) {
	c, err := s.Commit(ctx, name)
	if err == nil {
		_, err = s.tree(ctx, c.Tree)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return firstLine(err), nil
	}
	return "", nil
}

// MendRef sets a broken ref to the good commit, if it is still broken in the
// same way. Everything lost stays in the reflog.
func (s *Store) MendRef(ctx context.Context, fault *RefFault) error {
	const reason = "git plan doctor: back to the newest commit that can be read"
	if fault.Good == "" {
		return &BrokenRefError{s.ref, fault.Detail}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if fault.Old == "" {
		return s.replaceRefFile(ctx, fault, reason)
	}
	if still, err := s.tipFault(ctx, fault.Old); still == "" {
		return err
	}
	_, err = s.repo.Git.Write(ctx, nil, s.repo.durable(ctx, "update-ref", "-m", reason, "--create-reflog", s.ref, fault.Good, fault.Old)...)
	return asReadOnly(s.ref, err)
}

// replaceRefFile does what git refuses to do for a file that names nothing, in
// git's own way: whoever holds the lock may rename it onto the ref.
func (s *Store) replaceRefFile(ctx context.Context, fault *RefFault, reason string) error {
	path := s.repo.refPath(fault.Ref)
	lock, err := s.repo.lockRef(fault.Ref)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(path + ".lock") }() // gone once it is the ref
	_, err = lock.WriteString(fault.Good + "\n")
	if err := errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	now, err := s.repo.refFile(fault.Ref)
	if err != nil || (now == nil) != (fault.file == nil) || string(now) != string(fault.file) {
		return errors.Join(err, fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", fault.Ref))
	}
	s.repo.Share(path + ".lock")
	if err := s.noteInReflog(ctx, fault, reason); err != nil {
		return err
	}
	if isEmptyFolder(path) {
		if err := os.Remove(path); err != nil {
			return asReadOnly(path, err)
		}
	}
	return asReadOnly(path, os.Rename(path+".lock", path))
}

// noteInReflog adds a line to the reflog, under the ref's lock, as git does.
func (s *Store) noteInReflog(ctx context.Context, fault *RefFault, reason string) error {
	who, err := s.repo.Git.ReadLine(ctx, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		who = fmt.Sprintf("git plan <> %d +0000", time.Now().Unix())
	}
	last := fault.Good
	if len(fault.Lost) > 0 {
		last = fault.Lost[0].Name
	}
	entry := fmt.Sprintf("%s %s %s\t%s\n", last, fault.Good, who, reason)
	return asReadOnly(s.repo.reflogPath(fault.Ref), s.repo.appendReflog(fault.Ref, entry))
}
