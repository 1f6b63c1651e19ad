package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

func lockOf(t *testing.T) string { return filepath.Join(t.TempDir(), "lock") }

func take(t *testing.T, path string) func() {
	t.Helper()
	unlock, err := Try(path)
	if err != nil || unlock == nil {
		t.Fatalf("Try(%s) = %v, %v; want the lock", path, unlock != nil, err)
	}
	return unlock
}

func TestTry(t *testing.T) {
	path := lockOf(t)
	unlock := take(t, path)
	if second, err := Try(path); second != nil || err != nil {
		t.Errorf("a held lock was taken: %v, %v", second != nil, err)
	}
	unlock()
	take(t, path)()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file is gone, and who waits for it waits for another: %v", err)
	}
}

func TestNoFile(t *testing.T) {
	path := lockOf(t)
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if unlock, err := Wait(t.Context(), path, time.Hour); unlock != nil || !errors.Is(err, errNoFile) {
		t.Errorf("a folder: %v, %v", unlock != nil, err)
	}
}

func TestNoSuchFolder(t *testing.T) {
	path := filepath.Join(lockOf(t), "below")
	if unlock, err := Wait(t.Context(), path, time.Hour); unlock != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, %v; want that there is no such folder", unlock != nil, err)
	}
}

func TestWait(t *testing.T) {
	path := lockOf(t)
	unlock := take(t, path)
	time.AfterFunc(20*time.Millisecond, unlock)
	got, err := Wait(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := Try(path); other != nil || err != nil {
		t.Errorf("the lock that was waited for is not held: %v, %v", other != nil, err)
	}
	got()
}

// Who gives up waiting leaves nothing held.
func TestGiveUp(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, stop)
	for name, tt := range map[string]struct {
		ctx      context.Context
		patience time.Duration
		want     error
	}{
		"out of patience": {t.Context(), 20 * time.Millisecond, ErrHeld},
		"no patience":     {t.Context(), 0, ErrHeld},
		"stopped":         {stopped, time.Hour, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			path := lockOf(t)
			unlock := take(t, path)
			if got, err := Wait(tt.ctx, path, tt.patience); got != nil || !errors.Is(err, tt.want) {
				t.Fatalf("got %v, %v; want %v", got != nil, err, tt.want)
			}
			unlock()
			again, err := Wait(t.Context(), path, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			again()
		})
	}
}

// Many who give up leave no more behind than one: each would hold a thread for as
// long as somebody else has the lock.
func TestManyGiveUp(t *testing.T) {
	const waiters = 50
	path := lockOf(t)
	unlock := take(t, path)
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for range waiters {
		all.Go(func() {
			if got, err := Wait(t.Context(), path, 20*time.Millisecond); got != nil || !errors.Is(err, ErrHeld) {
				t.Errorf("got %v, %v", got != nil, err)
			}
		})
	}
	all.Wait()
	if left := runtime.NumGoroutine() - before; left > 5 {
		t.Errorf("%d goroutines are left", left)
	}
	unlock()
	again, err := Wait(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// Many wait, and each is served.
func TestMany(t *testing.T) {
	const waiters = 8
	path := lockOf(t)
	unlock := take(t, path)
	served := make(chan int, waiters)
	for w := range waiters {
		go func() {
			got, err := Wait(t.Context(), path, time.Minute)
			if err != nil {
				t.Error(err)
				served <- -1
				return
			}
			served <- w
			got()
		}()
	}
	unlock()
	seen := map[int]bool{}
	for range waiters {
		seen[<-served] = true
	}
	if len(seen) != waiters || seen[-1] {
		t.Errorf("served: %v", seen)
	}
}
