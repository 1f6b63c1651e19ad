//go:build unix

package run

import (
	"context"
	"syscall"
)

// Become has the program take the place of this process, with its streams: it
// returns only if it could not be run, with a *[StartError].
func (c Command) Become(context.Context) (int, error) {
	program, err := c.find()
	if err != nil {
		return 0, err
	}
	if err := syscall.Chdir(c.Dir); err != nil {
		return 0, err
	}
	return 0, startError(c.Words[0], syscall.Exec(program, c.Words, c.Env))
}
