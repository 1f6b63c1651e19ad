package setup

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
)

// store writes a file as a whole: beside it first, so that a crash leaves the
// old text or the new. A link is followed within the project, and stays one.
func (s Setup) store(root *os.Root, name, text string) error {
	if s.Dry {
		return nil
	}
	mode := fs.FileMode(0o666)
	info, err := root.Lstat(name)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return root.WriteFile(name, []byte(text), mode)
	case err == nil:
		mode = info.Mode().Perm()
	}
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	beside := name + besideSuffix
	if err := writeNew(root, beside, text, mode); err != nil {
		root.Remove(beside)
		return err
	}
	return root.Rename(beside, name)
}

// writeNew writes a file that is not there, and gives it its mode whatever the
// umask says where the mode is that of a file it will replace.
func writeNew(root *os.Root, name, text string, mode fs.FileMode) error {
	root.Remove(name) // what a crash left
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	if mode != 0o666 {
		if err := f.Chmod(mode); err != nil {
			f.Close()
			return err
		}
	}
	return errors.Join(f.Sync(), f.Close())
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

// Temporary names the files that a setup which is killed may leave, beside
// those that it writes for any agent, relative to the top of the project.
func Temporary(p Project) []string {
	var names []string
	for _, agent := range Agents() {
		for _, f := range agent.files(Setup{Agent: agent, Project: p}) {
			if name := f.path + besideSuffix; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
