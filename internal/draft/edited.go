package draft

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// Edit is a thread with work that is not on the store.
type Edit struct {
	Thread, Dir string
	// At is when one of its files was last written.
	At time.Time
}

// Edited gives the threads whose folders differ from what they began from.
func (d *Drafts) Edited(ctx context.Context) ([]Edit, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	var out []Edit
	for _, t := range s.ordered() {
		disk, err := d.planBytes(*t)
		if err != nil {
			return nil, err
		}
		base, err := d.baseFiles(ctx, *t)
		if err != nil {
			return nil, err
		}
		if len(disk) == 0 && !t.Cleared || sameFiles(base, disk) {
			continue
		}
		out = append(out, Edit{t.ID, t.Dir, lastWrite(t.Dir, disk)})
	}
	return out, nil
}

// lastWrite is when a folder was last written to, and also where it was only
// emptied.
func lastWrite(dir string, files map[string][]byte) time.Time {
	var last time.Time
	if info, err := os.Stat(dir); err == nil && len(files) == 0 {
		last = info.ModTime()
	}
	for name := range files {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
