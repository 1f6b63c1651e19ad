package gittest

import (
	"os"
	"syscall"
	"testing"
)

// Script writes a program for the shell. No process is begun meanwhile: one that
// was, by another test, would hold the file open for a moment, and a file that is
// open for writing cannot be run.
func Script(t *testing.T, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}
