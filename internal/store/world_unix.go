//go:build unix

package store

import (
	"errors"
	"syscall"
)

func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
