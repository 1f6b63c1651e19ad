// Package filelock holds a file between processes. The kernel ends such a lock
// with the process that has it, so none is ever left behind.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// ErrHeld says that another process kept the lock for as long as was waited.
var ErrHeld = errors.New("held by another process")

var errNoFile = errors.New("something other than a file is in its place")

// mode lets others in as far as the umask does.
const mode = 0o666

// askAgain is how often a waiter asks by itself. A network's file system wakes
// its waiters late.
const askAgain = 250 * time.Millisecond

// Try takes the lock on a file, which is made if need be, unless another has it:
// then unlock is nil.
func Try(path string) (unlock func(), err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // to open a pipe may wait for ever
		return nil, &fs.PathError{Op: "lock", Path: path, Err: errNoFile}
	}
	l := flock.New(path, flock.SetPermissions(mode))
	if got, err := l.TryLock(); err != nil || !got {
		return nil, err
	}
	return release(l), nil
}

// Wait takes the lock on a file, which is made if need be, as soon as it is free.
// After patience the error is [ErrHeld], and that of the context once that ends.
//
// It waits in the kernel's queue, where who comes first is served first. Who only
// asks again and again is served by chance, and of many writers on a busy machine
// one or the other is not for a long while. All that wait in one process have one
// place there.
func Wait(ctx context.Context, path string, patience time.Duration) (unlock func(), err error) {
	if unlock, err = Try(path); unlock != nil || err != nil {
		return unlock, err
	}
	waiting, stop := context.WithTimeoutCause(ctx, patience, ErrHeld)
	defer stop()
	l, turn := join(path)
	defer l.leave(turn)
	again := time.NewTicker(askAgain)
	defer again.Stop()
	for {
		select {
		case unlock = <-turn:
			return unlock, nil
		case <-again.C:
			if unlock, err = Try(path); unlock != nil || err != nil {
				return unlock, err
			}
		case <-waiting.Done():
			return nil, context.Cause(waiting)
		}
	}
}

// line is those in this process who wait for one file. One goroutine stands in the
// kernel's queue for all of them: there it holds a thread, and cannot be called
// back when they give up.
type line struct{ waiting []chan func() }

// lines are those with a goroutine in the kernel's queue, by their files.
var (
	mu    sync.Mutex
	lines = map[string]*line{}
)

// join puts a waiter at the end of the line; the turn gets the lock.
func join(path string) (l *line, turn chan func()) {
	mu.Lock()
	defer mu.Unlock()
	l, turn = lines[path], make(chan func(), 1)
	if l == nil {
		l = &line{}
		lines[path] = l
		go l.stand(path)
	}
	l.waiting = append(l.waiting, turn)
	return l, turn
}

// leave takes a waiter out of the line, and lets go of a lock that it was given
// and did not take.
func (l *line) leave(turn chan func()) {
	mu.Lock()
	l.waiting = slices.DeleteFunc(l.waiting, func(other chan func()) bool { return other == turn })
	mu.Unlock()
	select {
	case unlock := <-turn:
		unlock()
	default:
	}
}

// stand waits until the kernel gives the lock, hands it to the first in the line,
// and does so until nobody is left there. It makes no file: that may be long after
// anybody wanted it.
func (l *line) stand(path string) {
	for more := true; more; {
		lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
		failed := lock.Lock() != nil // who asks again is told why
		mu.Lock()
		if !failed && len(l.waiting) > 0 {
			l.waiting[0] <- release(lock)
			l.waiting = l.waiting[1:]
		} else if !failed {
			_ = lock.Unlock()
		}
		if more = !failed && len(l.waiting) > 0; !more {
			delete(lines, path)
		}
		mu.Unlock()
	}
}

func release(l *flock.Flock) func() { return func() { _ = l.Unlock() } }
