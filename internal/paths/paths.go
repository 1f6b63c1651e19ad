// Package paths tells how paths lie to each other: [Real] follows links, [IsIn]
// compares.
package paths

import "path/filepath"

// Real is a path without symbolic links, as far as it exists.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(Real(up), filepath.Base(path))
	}
	return path
}

// IsIn reports whether a path is that of a folder or leads below it.
func IsIn(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
