//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// apart puts a child into a session of its own, without a terminal to ask at. What it
// starts is asked to end with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
