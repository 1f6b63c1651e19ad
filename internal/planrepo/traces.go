package planrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Traces gives the files of which one changes whenever the store moves or this
// worktree takes up another plan, for who wants to know of it without asking git
// each time. They may change for other reasons, too.
func (r *Repo) Traces() []string {
	out := []string{
		filepath.Join(r.CommonDir, filepath.FromSlash(r.Ref)),
		filepath.Join(r.CommonDir, "packed-refs"),
		filepath.Join(r.CommonDir, "reftable", "tables.list"),
		filepath.Join(r.StateDir(), "state.json"),
	}
	if tracking := r.trackingRef(); tracking != "" {
		out = append(out, filepath.Join(r.CommonDir, filepath.FromSlash(tracking)))
	}
	return out
}

// Stamp gives a text that differs when one of the files has changed.
func Stamp(files []string) string {
	var b strings.Builder
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			b.WriteString("-;") // not there, as far as one can tell
			continue
		}
		fmt.Fprintf(&b, "%d,%d;", info.ModTime().UnixNano(), info.Size())
	}
	return b.String()
}
