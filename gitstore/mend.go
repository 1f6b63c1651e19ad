package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// difference is one path in which two commits differ.
type difference struct {
	path     string
	old, new string // objects; all zeros where the path is absent
}

// mend brings along those files that are as they were at from, after the index
// was moved alone; this also completes a move that was cut off in its middle. It
// returns the paths it left alone because they hold something else.
func (w *worktree) mend(ctx context.Context, from, to string) (left []string, err error) {
	differences, err := w.differences(ctx, from, to)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(w.path) // names in a tree may point anywhere
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	out, err := w.leaveOut(ctx)
	if err != nil {
		return nil, err
	}
	differences = slices.DeleteFunc(differences, func(d difference) bool {
		_, err := root.Lstat(filepath.FromSlash(d.path))
		return out[d.path] && errors.Is(err, fs.ErrNotExist)
	})
	left, stale, err := w.sortOut(ctx, root, differences)
	if err == nil && len(stale) > 0 {
		_, err = w.git.Write(ctx, strings.NewReader(strings.Join(stale, "\x00")+"\x00"), "checkout-index", "-f", "-u", "-z", "--stdin")
	}
	return left, err
}

// sortOut removes the files that are to go, and tells those that are stale, which
// are to be written, from those that hold something else.
func (w *worktree) sortOut(ctx context.Context, root *os.Root, differences []difference) (left, stale []string, err error) {
	for _, d := range differences {
		switch ours, err := w.isOurs(ctx, root, d); {
		case err != nil:
			return nil, nil, err
		case !ours:
			left = append(left, d.path)
		case isZero(d.new):
			if err := root.Remove(filepath.FromSlash(d.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, nil, err
			}
		default: // also if it is new already: the index does not know yet
			stale = append(stale, d.path)
		}
	}
	return left, stale, nil
}

// isOurs reports whether nothing in a file is anybody's own: it is not there, as it
// was or as it is to be, or the beginning of that, where git was ended while it
// wrote.
func (w *worktree) isOurs(ctx context.Context, root *os.Root, d difference) (bool, error) {
	info, err := root.Lstat(filepath.FromSlash(d.path))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	now, err := root.ReadFile(filepath.FromSlash(d.path))
	if err != nil {
		return false, err
	}
	out, err := w.git.ReadInput(ctx, bytes.NewReader(now), "hash-object", "--stdin", "--path="+d.path)
	if name := strings.TrimSpace(string(out)); err != nil || name == d.old || name == d.new {
		return true, err
	}
	if isZero(d.new) {
		return false, nil
	}
	whole, err := w.git.Read(ctx, "cat-file", "blob", d.new)
	return err == nil && bytes.HasPrefix(whole, now), nil
}

// leaveOut notes in the copy of the index what a sparse checkout leaves out, where
// the worktree is one, and gives these paths: git forgets it as soon as it moves the
// index alone, and would take each such file for deleted.
func (w *worktree) leaveOut(ctx context.Context) (out map[string]bool, err error) {
	set, err := w.git.ReadLine(ctx, "config", "--type=bool", "core.sparseCheckout")
	if git.IsMissing(err) || err == nil && set == "false" {
		return nil, nil
	}
	if err == nil {
		_, err = w.git.Write(ctx, nil, w.repo.durable(ctx, "sparse-checkout", "reapply")...)
	}
	if err != nil {
		return nil, err
	}
	list, err := w.git.Read(ctx, "ls-files", "-t", "-z")
	out = map[string]bool{}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		if path, ok := strings.CutPrefix(entry, "S "); ok {
			out[path] = true
		}
	}
	return out, err
}

// flush makes the files in which two commits differ outlast a loss of power. Git
// does that for its objects and refs, and leaves what it checks out to chance:
// with the journal gone, an empty file would look like somebody's change.
func (w *worktree) flush(ctx context.Context, from, to string) error {
	differences, err := w.differences(ctx, from, to)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(w.path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, d := range differences {
		info, err := root.Lstat(filepath.FromSlash(d.path))
		if err != nil || !info.Mode().IsRegular() {
			continue // it is to be absent, or somebody else's now
		}
		file, err := root.Open(filepath.FromSlash(d.path))
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// differences lists the paths in which two commits differ.
func (w *worktree) differences(ctx context.Context, from, to string) ([]difference, error) {
	out, err := w.git.Read(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	var list []difference
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(fields[i]) // :mode mode object object status
		if len(meta) != 5 {
			return nil, fmt.Errorf("git diff-tree answered %q", fields[i])
		}
		list = append(list, difference{path: fields[i+1], old: meta[2], new: meta[3]})
	}
	return list, nil
}

// isZero reports whether an object name stands for "none".
func isZero(name string) bool { return strings.Trim(name, "0") == "" }
