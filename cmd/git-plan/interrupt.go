package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruptible is a context that ends with the first signal to stop. It listens
// for one only once somebody wants to be told of its end, as whoever starts a
// child or waits does. Until then there is nothing to put away, and a signal ends
// the program as it ends any other: to listen would take a tenth of the time of a
// command that only reads.
type interruptible struct {
	context.Context
	listen func()
}

// Done is [context.Context.Done]. From here on signals end the context.
func (i interruptible) Done() <-chan struct{} {
	i.listen()
	return i.Context.Done()
}

// untilSignal gives such a context. A second signal ends the program, for what
// does not hear the first; stop ends the listening.
func untilSignal() (ctx context.Context, stop func()) {
	inner, cancel := context.WithCancel(context.Background())
	heard := make(chan os.Signal, 1)
	listen := sync.OnceFunc(func() {
		signal.Notify(heard, stopSignals()...)
		go func() {
			select {
			case <-heard:
				signal.Stop(heard)
				cancel()
			case <-inner.Done():
			}
		}()
	})
	return interruptible{inner, listen}, func() {
		signal.Stop(heard)
		cancel()
	}
}

// stopSignals are those that ask to stop: of a user, of a system, and of a
// terminal that goes away, unless whoever started the program has it outlive
// that one, as nohup does.
func stopSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
