package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// process is one of this machine. When it started tells it from a later one with
// the same id.
type process struct {
	id    int
	start string // "" where the system does not say
}

// thisProcess is the one that runs.
func thisProcess() process { return processOf(os.Getpid()) }

// processOf gives the process that has an id now.
func processOf(id int) process {
	start, _ := startOf(id)
	return process{id, start}
}

// String names it for a message.
func (p process) String() string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.id))
	words := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	if err != nil || words == "" {
		return fmt.Sprintf("process %d", p.id)
	}
	if len(words) > 60 {
		words = words[:60] + "…"
	}
	return fmt.Sprintf("process %d (%s)", p.id, words)
}

// isRunning reports whether it has not ended. Without /proc, or where that hides
// the processes of others, a signal that does nothing tells.
func (p process) isRunning() bool {
	if start, known := startOf(p.id); known {
		return start != "" && (p.start == "" || p.start == start)
	}
	one, err := os.FindProcess(p.id)
	if err == nil {
		err = one.Signal(syscall.Signal(0))
	}
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// startOf reads from /proc when a process started: "" for one that has ended and
// that its parent has not waited for.
func startOf(id int) (start string, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // before it is a name that may hold anything
	const state, started = 0, 19
	if err != nil || len(fields) <= started {
		return "", false
	}
	if fields[state] == "Z" || fields[state] == "X" {
		return "", true
	}
	return fields[started], true
}
