package gitstore

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// smallFile bounds what is read of files that hold one line, of a path at most.
const smallFile = 8 << 10

// openRegular opens a file for reading, links followed, if it is a regular one.
// Anything else is an error and is not waited for, such as a pipe that nobody
// writes to.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file: move it away", path)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// readRegular reads a whole file that [openRegular] opens. A file of more than
// limit bytes is an error.
func readRegular(path string, limit int64) ([]byte, error) {
	file, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readOpen(file, info, limit)
}

// readOpen reads what readRegular gives.
func readOpen(file *os.File, info os.FileInfo, limit int64) ([]byte, error) {
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read: move it away", file.Name(), info.Size(), limit)
	}
	data := make([]byte, info.Size())
	_, err := io.ReadFull(file, data)
	return data, err
}
