package main

import (
	"io"
	"os"
	"syscall"
)

// readerLeft reports whether w is a pipe, or a socket, that nobody reads any
// more. Without asking it would show only at the next write.
func readerLeft(w io.Writer) bool {
	if c, ok := w.(*checkedWriter); ok {
		w = c.Writer
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	watch, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(watch)
	fd := int(f.Fd())
	// What is wrong with a file is told whether it is asked for or not.
	if err := syscall.EpollCtl(watch, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Fd: int32(fd)}); err != nil {
		return false // a plain file
	}
	var seen [1]syscall.EpollEvent
	n, err := syscall.EpollWait(watch, seen[:], 0)
	return err == nil && n > 0 && seen[0].Events&syscall.EPOLLERR != 0
}
