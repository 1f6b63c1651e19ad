//go:build unix

package planner_test

import (
	"syscall"
	"testing"
)

// pipe makes a named pipe.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
