//go:build !unix

package run

import "os/exec"

// apart does nothing: what a program starts is not known as its own here.
func apart(*exec.Cmd) {}

// endGroup ends the program, which cannot be asked.
func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// killGroup ends the program.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
