package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/git"
)

// batch is the engine that leaves reading to git: one "git cat-file --batch"
// child, started by the first request.
type batch struct {
	repo *Repo

	mu    sync.Mutex
	child *git.Process
}

func (b *batch) name() string { return engineNative }

func (b *batch) read(ctx context.Context, name, want string, max int64) ([]byte, error) {
	if !b.repo.isName(name) {
		return nil, fmt.Errorf("%q is no object name", name)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	child, err := b.start()
	if err != nil {
		return nil, err
	}
	// A partial clone may fetch here, for as long as the network likes.
	stop := context.AfterFunc(ctx, child.Kill)
	data, err := b.request(child, name, want, max)
	err = b.explained(err)
	if !stop() { // it was killed, perhaps only after it had answered
		if b.child == child {
			b.drop()
		}
		return nil, ctx.Err()
	}
	return data, err
}

// start gives the running child. It outlives the request that starts it.
func (b *batch) start() (*git.Process, error) {
	if b.child != nil {
		return b.child, nil
	}
	child, err := b.repo.Git.Start(context.Background(), "cat-file", "--batch")
	b.child = child
	return child, err
}

// request asks the child for one object and reads the answer.
func (b *batch) request(child *git.Process, name, want string, max int64) ([]byte, error) {
	if _, err := io.WriteString(child.Stdin, name+"\n"); err != nil {
		return nil, b.broken(name)
	}
	header, err := child.Stdout.ReadString('\n')
	if err != nil {
		return nil, b.broken(name)
	}
	kind, size, err := parseHeader(name, header)
	if err != nil {
		return nil, err
	}
	if kind != want {
		b.drop()
		return nil, &CorruptObjectError{name, "it is a " + kind + ", not a " + want}
	}
	if max > 0 && size > max {
		b.drop()
		return nil, &TooLargeError{Name: name, Size: size, Max: max}
	}
	data := make([]byte, size+1) // and the line end after it
	if _, err := io.ReadFull(child.Stdout, data); err != nil {
		return nil, b.broken(name)
	}
	return data[:size:size], nil
}

// explained says of an object that a remote has promised that it only could not
// be had now. Git before 2.39 answers that it is missing, and goes on; later ones
// end.
func (b *batch) explained(err error) error {
	var missing *MissingObjectError
	if !errors.As(err, &missing) || missing.Detail != "" {
		return err
	}
	if config, failed := b.repo.Config(context.Background()); failed == nil && config.isPartial() {
		missing.Detail = "the remote of this partial clone did not give it"
	}
	return err
}

// parseHeader reads "<name> <type> <size>" or "<name> missing".
func parseHeader(name, header string) (kind string, size int64, err error) {
	fields := strings.Fields(header)
	if len(fields) == 2 && fields[1] == "missing" {
		return "", 0, &MissingObjectError{Name: name}
	}
	if len(fields) != 3 || fields[0] != name {
		return "", 0, &CorruptObjectError{name, fmt.Sprintf("git cat-file answered %q", strings.TrimSpace(header))}
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", 0, &CorruptObjectError{name, "it has no size"}
	}
	return fields[1], size, nil
}

// broken ends a child that stopped answering and says why it did.
func (b *batch) broken(name string) error {
	err := b.child.Close()
	said := b.child.Stderr() // whole only now
	b.child = nil
	if strings.Contains(said, "promisor") || strings.Contains(said, "could not fetch") {
		return &MissingObjectError{Name: name, Detail: lastLine(said)}
	}
	if strings.HasSuffix(lastLine(said), "is corrupt") {
		return &CorruptObjectError{name, lastLine(said)}
	}
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read object %s: %w", name, err)
}

// drop ends the child without waiting for what it was about to say.
func (b *batch) drop() {
	b.child.Kill()
	_ = b.child.Close()
	b.child = nil
}

func (b *batch) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.child == nil {
		return nil
	}
	err := b.child.Close()
	b.child = nil
	return err
}

// lastLine gives the last line of what git said.
func lastLine(said string) string {
	said = strings.TrimSpace(said)
	return strings.TrimPrefix(said[strings.LastIndexByte(said, '\n')+1:], "fatal: ")
}
