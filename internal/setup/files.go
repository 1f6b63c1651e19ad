package setup

import (
	"io/fs"
	"os"
	"path"

	"github.com/git-plan/git-plan/internal/atomicfile"
)

// store writes a file as a whole: beside it first, so that a crash leaves the
// old text or the new. A link is followed within the project, and stays one.
func (s Setup) store(root *os.Root, name, text string) error {
	if s.Dry {
		return nil
	}
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return root.WriteFile(name, []byte(text), 0o666)
	}
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	return atomicfile.Write(root, name, name+besideSuffix, text)
}

// erase removes a file, and the folders above it that are empty then.
func (s Setup) erase(root *os.Root, name string) error {
	if s.Dry {
		return nil
	}
	if err := root.Remove(name); err != nil {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			break // it holds something else
		}
	}
	return nil
}

// besideSuffix names a file that is being written, beside the one it becomes.
const besideSuffix = ".git-plan.tmp"
