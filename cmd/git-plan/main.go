// Command git-plan is the git subcommand `git plan`: work plans of coding
// agents, kept in git beside the code they change.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

// patientGC lets a command's memory grow to three times what it needs before
// rubbish is looked for, where Go's own way is two: most commands end before it
// would be worth it.
const patientGC = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(patientGC)
	}
	program, _ := os.Executable()
	os.Exit(Main(Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: currentFolder(), Environ: os.Environ(), Now: time.Now, Program: program, Behind: true,
	}, os.Args[1:]))
}

// currentFolder gives the current folder by the name that the system and git have
// for it. A shell that came here through a link has another, by which ".." would
// lead elsewhere and no folder of a thread be known again.
func currentFolder() string {
	dir, _ := syscall.Getwd() // without one, git says what is wrong
	return dir
}

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
