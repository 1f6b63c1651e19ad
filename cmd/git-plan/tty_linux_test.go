package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
)

// haveTTY reports whether there are terminals here.
func haveTTY() bool {
	t, err := openTTY(80)
	if err == nil {
		t.close()
	}
	return err == nil
}

// cmdTTY is the script command "tty COLUMNS COMMAND ARG…": it runs a command
// with standard output and standard error at a terminal, and writes what came
// there to $WORK/tty, line ends as a program writes them.
func cmdTTY(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: tty columns command [arg…]")
	}
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	t, err := openTTY(uint16(columns))
	ts.Check(err)
	err = ts.Exec("sh", append([]string{"-c", `exec "$@" >` + t.name + " 2>&1", "sh"}, args[1:]...)...)
	text := bytes.ReplaceAll(t.close(), []byte("\r\n"), []byte("\n"))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "tty"), text, 0o666))
	ts.Logf("[terminal]\n%q", text)
	if (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
}

// cmdAsked is the script command "asked USER PASSWORD COMMAND ARG…": it runs a command
// whose terminal, in every sense, is one where a person types these two when asked for
// them. What came there is in $WORK/tty.
func cmdAsked(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: asked user password command [arg…]")
	}
	t, err := openTTY(80, args[0], args[1])
	ts.Check(err)
	err = ts.Exec("sh", append([]string{"-c", `exec setsid -c -w "$@" <` + t.name + " >" + t.name + " 2>&1", "sh"}, args[2:]...)...)
	text := bytes.ReplaceAll(t.close(), []byte("\r\n"), []byte("\n"))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "tty"), text, 0o666))
	ts.Logf("[terminal]\n%q", text)
	if (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
}

// tty is a terminal whose screen is this process.
type tty struct {
	name        string
	ours, other *os.File
	typed       []string
	said        bytes.Buffer
	read        chan struct{}
}

// openTTY makes a terminal. Where it is asked for a user and a password, it types them.
func openTTY(columns uint16, typed ...string) (*tty, error) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	var number, unlock uint32
	size := [4]uint16{50, columns}
	for _, call := range []struct {
		request uintptr
		at      unsafe.Pointer
	}{{syscall.TIOCSPTLCK, unsafe.Pointer(&unlock)}, {syscall.TIOCGPTN, unsafe.Pointer(&number)}, {syscall.TIOCSWINSZ, unsafe.Pointer(&size)}} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), call.request, uintptr(call.at)); errno != 0 {
			return nil, errno
		}
	}
	t := &tty{name: fmt.Sprint("/dev/pts/", number), ours: ours, typed: typed, read: make(chan struct{})}
	if t.other, err = os.OpenFile(t.name, os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, err
	}
	go func() {
		defer close(t.read)
		_, _ = io.Copy(t, ours) // until nobody has the other side open
	}()
	return t, nil
}

// Write is what a person does at the screen.
func (t *tty) Write(p []byte) (int, error) {
	t.said.Write(p)
	for i, prompt := range []string{"Username for '", "Password for '"} {
		line := t.said.Bytes()[bytes.LastIndexByte(t.said.Bytes(), '\n')+1:]
		if i < len(t.typed) && bytes.Contains(line, []byte(prompt)) && bytes.HasSuffix(line, []byte("': ")) {
			if i == 0 { // nobody types at once
				time.Sleep(progressAfter + progressEvery)
			}
			_, _ = t.ours.WriteString(t.typed[i] + "\n")
		}
	}
	return len(p), nil
}

// close gives what came to the terminal, once nobody writes to it any more.
func (t *tty) close() []byte {
	t.other.Close()
	<-t.read
	t.ours.Close()
	return t.said.Bytes()
}
