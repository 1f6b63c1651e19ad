//go:build linux || darwin || freebsd

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalWidth gives how many columns the terminal behind a file has, or 0
// where it does not tell.
func terminalWidth(f *os.File) int {
	columns, _ := windowColumns(f)
	return columns
}

// isTTY reports whether a file is a terminal. Other devices, such as /dev/null,
// have no window.
func isTTY(f *os.File) bool {
	_, ok := windowColumns(f)
	return ok
}

func windowColumns(f *os.File) (columns int, ok bool) {
	var size struct{ rows, columns, width, height uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
