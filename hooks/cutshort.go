package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
)

// CutShort gives the hooks of others that were moved beside, and whose place is
// empty: an install was killed there, or somebody removed the shim. Git runs
// neither. A hook's path is where it lies now.
func (in *Installer) CutShort() ([]Hook, error) {
	var found []Hook
	for _, dir := range in.folders() {
		for _, event := range Events() {
			p, err := lookAt(filepath.Join(dir, string(event)))
			if err != nil {
				return found, err
			}
			if p.chained && !p.there {
				found = append(found, Hook{Event: event, State: NotInstalled, Path: p.path + chainedSuffix})
			}
		}
	}
	return found, nil
}

// PutBack gives one of [Installer.CutShort] its own place again, unless
// something has come there.
func (in *Installer) PutBack(h Hook) error {
	path := strings.TrimSuffix(h.Path, chainedSuffix)
	if err := os.Link(h.Path, path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there again; run `git plan doctor` again", path)
		}
		return os.Rename(h.Path, path) // a file system without links
	}
	return os.Remove(h.Path)
}

// Leftovers gives the shims older than an hour that were written and never put
// in place.
func (in *Installer) Leftovers() []gitstore.Leftover {
	var found []gitstore.Leftover
	for _, dir := range in.folders() {
		for _, event := range Events() {
			paths, _ := filepath.Glob(filepath.Join(dir, string(event)) + temporaryMark + "*" + temporarySuffix)
			for _, path := range paths {
				info, err := os.Lstat(path)
				if err != nil || !info.Mode().IsRegular() {
					continue
				}
				if l, old := gitstore.LeftBehind(path, info, 0, func() error { return os.Remove(path) }); old {
					found = append(found, l)
				}
			}
		}
	}
	return found
}

// folders gives where hooks of ours may be: where git looks now, and where it
// looked before core.hooksPath was set.
func (in *Installer) folders() []string {
	if in.own != in.dir {
		return []string{in.dir, in.own}
	}
	return []string{in.dir}
}
