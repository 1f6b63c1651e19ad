// Package atomicfile replaces a file in one step: who reads it, and what a crash
// or a loss of power leaves, is the old text or the new. [Write] does it.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// Write gives a file in a folder another text. The text is written under another
// name in the folder first, which a process that is killed may leave; what has
// that name is removed, and not written through where it is a link. A file that
// is there keeps its mode; a link of that name is replaced.
func Write(root *os.Root, name, temp, text string) error {
	var mode fs.FileMode
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	err := root.Remove(temp)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = fill(root, temp, text, mode)
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp) // the first error says what is wrong
	}
	return err
}

// fill makes a file that outlasts a loss of power. It has the mode, if one is
// given, whatever the umask says.
func fill(root *os.Root, name, text string, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		_, err = f.WriteString(text)
	}
	return errors.Join(err, f.Sync(), f.Close())
}
