package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Whoever waits for the context's end, or for that of one made from it, is told
// of a signal to stop, whichever.
func TestUntilSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
	for name, derive := range map[string]func(context.Context) (context.Context, func()){
		"itself":   func(ctx context.Context) (context.Context, func()) { return ctx, func() {} },
		"canceled": func(ctx context.Context) (context.Context, func()) { return context.WithCancel(ctx) },
		"timed":    func(ctx context.Context) (context.Context, func()) { return context.WithTimeout(ctx, time.Hour) },
		"valued": func(ctx context.Context) (context.Context, func()) {
			type key struct{}
			return context.WithValue(ctx, key{}, 1), func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := untilSignal()
			defer stop()
			ctx, cancel := derive(ctx)
			defer cancel()
			over := ctx.Done()
			if err := ctx.Err(); err != nil {
				t.Fatal(err)
			}
			self, err := os.FindProcess(os.Getpid())
			if err != nil {
				t.Fatal(err)
			}
			if err := self.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			select {
			case <-over:
			case <-time.After(patience):
				t.Fatal("nobody is told")
			}
			if !errors.Is(ctx.Err(), context.Canceled) {
				t.Error(ctx.Err())
			}
		})
	}
}
