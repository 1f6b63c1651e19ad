package git

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Error says that git ran and refused. Its text is git's own.
type Error struct {
	// Args are the arguments git was given.
	Args []string
	// Status is git's exit status; -1 if a signal ended it.
	Status int
	// Stderr is what git said, at most the last 64 KiB of it.
	Stderr string
}

// Error gives git's own words, without the "fatal: " in front.
func (e *Error) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if line, rest, more := strings.Cut(said, "\n"); more && strings.TrimSpace(line) == "error:" {
		said = strings.TrimSpace(rest) // a signing program that fails and says nothing
	}
	for _, prefix := range []string{"fatal: ", "error: "} {
		if rest, ok := strings.CutPrefix(said, prefix); ok {
			return rest
		}
	}
	if said == "" {
		return fmt.Sprintf("git %s: exit status %d", name(e.Args), e.Status)
	}
	return said
}

// Status gives git's exit status: 0 for nil, -1 for an error that did not come
// from a git that ran.
func Status(err error) int {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return -1
}

// IsMissing reports whether err is git's quiet "no": exit status 1 without a
// complaint, as "git config --get" and "git rev-parse --verify --quiet" give for
// what does not exist. A git that is traced says other things.
func IsMissing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == 1 && !strings.Contains("\n"+e.Stderr, "\nfatal: ") && !strings.Contains("\n"+e.Stderr, "\nerror: ")
}

// Said reports whether git's refusal contains the phrase.
func Said(err error, phrase string) bool {
	var e *Error
	return errors.As(err, &e) && strings.Contains(e.Stderr, phrase)
}

// tailSize bounds what is kept of a child's standard error.
const tailSize = 64 << 10

// tail keeps the end of what was written to it. It is safe for concurrent use,
// as a long-lived child may still write while its words are asked for.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write keeps p, dropping the oldest bytes over the bound.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// String gives what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

// Len gives the number of bytes kept.
func (t *tail) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.kept)
}
