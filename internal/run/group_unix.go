//go:build unix

package run

import (
	"os/exec"
	"syscall"
)

// apart puts the program into a session of its own: it and what it starts are
// one group that can be ended as a whole, and what asks at the terminal fails
// at once, as nobody would see the question.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endGroup asks the program and what it started to end.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killGroup ends what is left of them.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
