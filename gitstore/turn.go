package gitstore

import (
	"bytes"
	"cmp"
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
)

// turn is what the process that holds the lock writes into the lock file: who it
// is, and which git moves the ref for it. The kernel ends the lock with the
// process. What its git leaves when it is killed, the next holder removes.
type turn struct {
	holder process
	git    process // zero while no ref is being moved
	commit string  // what git writes into the ref's lock
}

const (
	// turnFormat has a "-" for what is empty.
	turnFormat = "%d %s %d %s %s\n"
	// lockDelay is the most time that git takes to its lock from when it was noted.
	lockDelay = time.Minute
	// emptyLock is the age from which a lock without content was left by a dead
	// process: a living one may be about to write it.
	emptyLock = 2 * time.Second
)

// readTurn gives what the lock file says, the zero turn if nothing can be read.
func (r *Repo) readTurn() (t turn) {
	data, err := os.ReadFile(r.lockPath())
	if err != nil {
		return turn{}
	}
	_, err = fmt.Sscanf(string(data), turnFormat, &t.holder.id, &t.holder.start, &t.git.id, &t.git.start, &t.commit)
	if err != nil { // it is empty, or its process was killed in the middle
		return turn{}
	}
	for _, text := range []*string{&t.holder.start, &t.git.start, &t.commit} {
		if *text == "-" {
			*text = ""
		}
	}
	return t
}

// writeTurn notes who has the lock. Where another user made the file and does not
// share it there is no note, and no process is named or cleaned up after.
func (r *Repo) writeTurn(t turn) {
	text := ""
	if t.holder.id != 0 {
		text = fmt.Sprintf(turnFormat, t.holder.id, cmp.Or(t.holder.start, "-"), t.git.id, cmp.Or(t.git.start, "-"), cmp.Or(t.commit, "-"))
	}
	_ = os.WriteFile(r.lockPath(), []byte(text), 0o666)
}

// clear removes the locks that the git of a killed process left. A git that lives
// ends a moment after its process, unless a hook holds it up.
func (s *Store) clear(ctx context.Context, left turn) error {
	noted, err := os.Stat(s.repo.lockPath())
	if err != nil || left.git.id == 0 {
		return nil
	}
	for end := time.Now().Add(s.patience.refLock); left.git.isRunning(); {
		if time.Now().After(end) {
			path := s.repo.refPath(s.ref) + ".lock"
			return &LockedError{Path: path, Age: age(path), Holder: left.git.String()}
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	for _, path := range s.locksOfMove(ctx) {
		if err := left.remove(ctx, path, noted.ModTime()); err != nil {
			return asReadOnly(path, err)
		}
	}
	return nil
}

// locksOfMove gives the locks that git takes when it moves the ref: its own, and
// those of what a worktree that has it checked out logs.
func (s *Store) locksOfMove(ctx context.Context) []string {
	refs := []string{s.ref}
	if end, err := s.repo.RefEnd(ctx, s.ref); err == nil && end != s.ref {
		refs = append(refs, end)
	}
	var paths []string
	for _, ref := range refs {
		paths = append(paths, s.repo.refPath(ref)+".lock")
	}
	for _, dir := range s.repo.gitDirs() {
		paths = append(paths, reftableLock(dir))
		if head, ok := strings.CutPrefix(headLine(dir), "ref: "); ok && slices.Contains(refs, head) {
			paths = append(paths, filepath.Join(dir, "HEAD.lock"))
		}
	}
	return paths
}

// remove removes a lock that the dead git made: since it was noted, and with its
// commit in it or nothing. A lock of another git that came in between is left.
func (t turn) remove(ctx context.Context, path string, noted time.Time) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(noted) || info.ModTime().Sub(noted) > lockDelay {
		return nil
	}
	data, err := os.ReadFile(path)
	text := strings.TrimSpace(string(data))
	if err != nil || text != "" && text != t.commit {
		return nil
	}
	if text == "" {
		if err := sleep(ctx, emptyLock-time.Since(info.ModTime())); err != nil {
			return err
		}
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(now, info) || now.Size() != info.Size() {
		return nil
	}
	return remove(path)
}

// process is one of this machine. When it started tells it from a later one with
// the same id.
type process struct {
	id    int
	start string // "" where the system does not say
}

// thisProcess is the one that runs.
func thisProcess() process { return processOf(os.Getpid()) }

// processOf gives the process that has an id now.
func processOf(id int) process {
	start, _ := startOf(id)
	return process{id, start}
}

// String names it for a message.
func (p process) String() string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.id))
	words := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	if err != nil || words == "" {
		return fmt.Sprintf("process %d", p.id)
	}
	if len(words) > 60 {
		words = words[:60] + "…"
	}
	return fmt.Sprintf("process %d (%s)", p.id, words)
}

// isRunning reports whether it has not ended. Without /proc, or where that hides
// the processes of others, a signal that does nothing tells.
func (p process) isRunning() bool {
	if start, known := startOf(p.id); known {
		return start != "" && (p.start == "" || p.start == start)
	}
	one, err := os.FindProcess(p.id)
	if err == nil {
		err = one.Signal(syscall.Signal(0))
	}
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// startOf reads from /proc when a process started: "" for one that has ended and
// that its parent has not waited for.
func startOf(id int) (start string, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // before it is a name that may hold anything
	const state, started = 0, 19
	if err != nil || len(fields) <= started {
		return "", false
	}
	if fields[state] == "Z" || fields[state] == "X" {
		return "", true
	}
	return fields[started], true
}
