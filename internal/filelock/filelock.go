// Package filelock holds a file between processes. The kernel ends such a lock
// with the process that has it, so none is ever left behind.
package filelock

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrHeld says that another process kept the lock for as long as was waited.
var ErrHeld = errors.New("held by another process")

// mode lets others in as far as the umask does.
const mode = 0o666

// askAgain is how often a waiter asks by itself. A network's file system wakes
// its waiters late.
const askAgain = 250 * time.Millisecond

// Try takes the lock on a file, which is made if need be, unless another has it:
// then unlock is nil.
func Try(path string) (unlock func(), err error) {
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
// one or the other is not for a long while.
func Wait(ctx context.Context, path string, patience time.Duration) (unlock func(), err error) {
	if unlock, err = Try(path); unlock != nil || err != nil {
		return unlock, err
	}
	waiting, leave := context.WithTimeoutCause(ctx, patience, ErrHeld)
	defer leave()
	turn := make(chan func())
	go queue(waiting, path, turn)
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

// queue waits until the kernel gives the lock, and lets go of it if nobody waits
// for it any more. It cannot be called back before, so it makes no file.
func queue(ctx context.Context, path string, turn chan<- func()) {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	if l.Lock() != nil {
		return // who asks again is told
	}
	unlock := release(l)
	select {
	case turn <- unlock:
	case <-ctx.Done():
		unlock()
	}
}

func release(l *flock.Flock) func() { return func() { _ = l.Unlock() } }
