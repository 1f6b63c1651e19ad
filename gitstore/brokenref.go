package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// reflogBound is how many entries of the reflog are looked at.
const reflogBound = 1000

// RefFault is a ref that exists and cannot be read: its file is empty or
// garbage, or it names a commit that is missing or unusable.
type RefFault struct {
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

// LostCommit is a commit that the ref pointed at and that cannot be read.
type LostCommit struct {
	// Name is the commit's name, Reason what the reflog says of it.
	Name, Reason string
	// Detail says what is wrong with it.
	Detail string
}

// RefFault looks whether the ref can be read as far as its commit and the
// commit's root folder. It is nil if it can, or if there is no ref.
func (s *Store) RefFault(ctx context.Context) (*RefFault, error) {
	fault := &RefFault{}
	var err error
	if fault.Old, err = s.target(ctx); err != nil {
		if fault.file, err = s.repo.refFile(s.ref); fault.file == nil {
			return nil, err
		}
		fault.Detail = "its file is empty"
		if len(fault.file) > 0 {
			fault.Detail = "its file names no object"
		}
	} else if fault.Detail, err = s.tipFault(ctx, fault.Old); fault.Detail == "" {
		return nil, err
	}
	if strings.Contains(fault.Detail, fs.ErrPermission.Error()) {
		fault.Obstacle = fault.Detail
	} else {
		fault.Obstacle = s.repo.obstacle(ctx)
	}
	if fault.Obstacle != "" {
		return fault, nil
	}
	fault.Good, fault.Lost, err = s.NewestWhole(ctx)
	return fault, err
}

// obstacle says why an object that cannot be read may still be there, or "".
func (r *Repo) obstacle(ctx context.Context) string {
	config, err := r.Config(ctx)
	if err != nil {
		return firstLine(err)
	}
	if _, partial := config.Get("extensions.partialClone"); partial {
		return "this is a partial clone: the remote has it"
	}
	for _, key := range config.Keys("remote.") {
		if strings.HasSuffix(key, ".promisor") {
			return "this is a partial clone: the remote has it"
		}
	}
	objects := r.objectDir()
	names, err := readNames(objects)
	if err != nil {
		return err.Error()
	}
	for _, name := range names {
		if isFanOut(name) || name == "pack" {
			if _, err := readNames(filepath.Join(objects, name)); errors.Is(err, fs.ErrPermission) {
				return err.Error()
			}
		}
	}
	packs, _ := readNames(filepath.Join(objects, "pack")) // there may be none
	for _, name := range packs {
		if err := mayRead(filepath.Join(objects, "pack", name)); err != nil {
			return err.Error()
		}
	}
	return ""
}

// mayRead tells that a file is there and this process is not let in.
func mayRead(path string) error {
	file, err := os.Open(path)
	if err == nil {
		err = file.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
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
		var wrong *fs.PathError
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &wrong) && !errors.Is(err, fs.ErrPermission) {
			return nil, nil // with a reftable, or a folder of that name
		}
		return nil, err
	}
	if strings.HasPrefix(string(data), "ref:") { // it points at a ref that does not exist yet
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

// firstLine gives what an error says first, without its advice.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text, _, _ = strings.Cut(text, "; ")
	return text
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
	data, err := os.ReadFile(filepath.Join(s.repo.CommonDir, "logs", filepath.FromSlash(s.ref)))
	if err != nil {
		return s.askReflog(ctx)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	return func(yield func(LostCommit) bool) {
		for i := len(lines) - 1; i >= 0 && i >= len(lines)-reflogBound; i-- {
			head, reason, _ := strings.Cut(lines[i], "\t")
			names := strings.SplitN(head, " ", 3)
			if len(names) < 3 || !s.repo.isName(names[0]) || !s.repo.isName(names[1]) { // it was cut off, too
				continue
			}
			if !yield(LostCommit{Name: names[1], Reason: reason}) || !yield(LostCommit{Name: names[0]}) {
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
	_, err = s.repo.Git.Write(ctx, nil, durable("update-ref", "-m", reason, "--create-reflog", s.ref, fault.Good, fault.Old)...)
	return asReadOnly(s.ref, err)
}

// replaceRefFile does what git refuses to do for a file that names nothing, in
// git's own way: whoever holds the lock may rename it onto the ref.
func (s *Store) replaceRefFile(ctx context.Context, fault *RefFault, reason string) error {
	path := s.repo.refPath(s.ref)
	lock, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return &LockedError{Path: path + ".lock", Age: age(path + ".lock")}
	}
	if err != nil {
		return asReadOnly(path, err)
	}
	defer func() { _ = os.Remove(path + ".lock") }() // gone once it is the ref
	_, err = lock.WriteString(fault.Good + "\n")
	if err := errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	now, err := s.repo.refFile(s.ref)
	if err != nil || now == nil || string(now) != string(fault.file) {
		return errors.Join(err, fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", s.ref))
	}
	s.repo.Share(path + ".lock")
	if err := s.noteInReflog(ctx, fault, reason); err != nil {
		return err
	}
	return asReadOnly(path, os.Rename(path+".lock", path))
}

// noteInReflog adds a line to the reflog, under the ref's lock, as git does.
func (s *Store) noteInReflog(ctx context.Context, fault *RefFault, reason string) error {
	who, err := s.repo.Git.ReadLine(ctx, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		who = fmt.Sprintf("git plan <> %d +0000", time.Now().Unix())
	}
	path := filepath.Join(s.repo.CommonDir, "logs", filepath.FromSlash(s.ref))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return asReadOnly(path, err)
	}
	last := fault.Good
	if len(fault.Lost) > 0 {
		last = fault.Lost[0].Name
	}
	line := fmt.Sprintf("%s %s %s\t%s\n", last, fault.Good, who, reason)
	if endsOpen(file) { // the log was cut off, too
		line = "\n" + line
	}
	_, err = file.WriteString(line)
	return errors.Join(err, file.Close())
}

// endsOpen reports whether a file's last line lacks its end.
func endsOpen(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	tail := make([]byte, 1)
	_, err = file.ReadAt(tail, info.Size()-1)
	return err == nil && tail[0] != '\n'
}
