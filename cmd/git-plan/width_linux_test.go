package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"
)

// What is printed for a person is as wide as the terminal is.
func TestTerminalWidth(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := terminalWidth(file); got != 0 {
		t.Errorf("a file is %d columns wide", got)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no terminals here:", err)
	}
	defer terminal.Close()
	size := [4]uint16{50, 132}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); errno != 0 {
		t.Skip("terminals have no size here:", errno)
	}
	a := newApp(Env{Stdout: terminal})
	if got := a.columns(); got != 132 {
		t.Errorf("a terminal of 132 columns is taken for %d", got)
	}
	a.Environ = []string{"COLUMNS=70"}
	if got := a.columns(); got != 70 {
		t.Errorf("COLUMNS is 70, and taken for %d", got)
	}
}
