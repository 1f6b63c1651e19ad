package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// peakMemory is the most memory a process held, in KiB.
func peakMemory(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}

// forgetPeak lets the peak of this process's memory begin anew: a child's never shows
// as less than what its parent's was when it began.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // an older system cannot
}
