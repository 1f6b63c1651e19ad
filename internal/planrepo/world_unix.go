//go:build unix

package planrepo

import (
	"errors"
	"syscall"
)

func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
