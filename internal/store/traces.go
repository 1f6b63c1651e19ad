package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
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
	if tracking := r.Publisher().trackingRef(); tracking != "" {
		out = append(out, filepath.Join(r.CommonDir, filepath.FromSlash(tracking)))
	}
	return out
}

// settled is how old a change must be that another one cannot share its time:
// there are file systems that tell times to two seconds.
const settled = 2 * time.Second

// Stamp gives a text that differs when one of the files has changed. It also
// differs once, some time after a change, as another one in the same moment
// could not be told from it.
func Stamp(files []string) string { return stampAt(files, time.Now()) }

func stampAt(files []string, now time.Time) string {
	var b strings.Builder
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			b.WriteString("-;") // not there, as far as one can tell
			continue
		}
		fmt.Fprintf(&b, "%d,%d,%t;", info.ModTime().UnixNano(), info.Size(), now.Sub(info.ModTime()) > settled)
	}
	return b.String()
}
