//go:build unix

package gittest

import (
	"syscall"
	"time"
)

// Spent gives how long the processor worked for this process while work ran: on
// a machine that is busy with much else the time that passes tells nothing. It
// is not for tests that run beside others of their package.
func Spent(work func()) time.Duration {
	began := processorTime()
	work()
	return processorTime() - began
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
