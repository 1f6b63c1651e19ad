package hooks

import (
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/gitstore"
)

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
