package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	if err := w.leaveOut(ctx); err != nil {
		return nil, err
	}
	left, stale, err := w.sortOut(ctx, root, differences)
	if err != nil || len(stale) == 0 {
		return left, err
	}
	_, err = w.git.Write(ctx, strings.NewReader(strings.Join(stale, "\x00")+"\x00"), "checkout-index", "-f", "-u", "-z", "--stdin")
	return left, err
}

// sortOut removes the files that are to go, and tells those that are stale, which
// are to be written, from those that hold something else. What a sparse checkout
// leaves out stays away.
func (w *worktree) sortOut(ctx context.Context, root *os.Root, differences []difference) (left, stale []string, err error) {
	out, err := w.leftOut(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range differences {
		now, err := w.hash(ctx, root, d.path)
		if err != nil {
			return nil, nil, err
		}
		gone := isZero(d.new)
		switch ours := now == d.old || now == d.new || now == ""; {
		case now == "" && out[d.path]:
		case !ours && !w.isCutOff(ctx, root, d):
			left = append(left, d.path)
		case gone:
			if err := root.Remove(filepath.FromSlash(d.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, nil, err
			}
		default: // also if it is new already: the index does not know yet
			stale = append(stale, d.path)
		}
	}
	return left, stale, nil
}

// leftOut gives the paths that a sparse checkout leaves out, by the copy of the
// index.
func (w *worktree) leftOut(ctx context.Context) (map[string]bool, error) {
	list, err := w.git.Read(ctx, "ls-files", "-t", "-z")
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		if path, ok := strings.CutPrefix(entry, "S "); ok {
			out[path] = true
		}
	}
	return out, nil
}

// leaveOut notes in the copy of the index what a sparse checkout leaves out, where
// the worktree is one: git forgets it as soon as it moves or makes the index
// alone, and would take each such file for deleted.
func (w *worktree) leaveOut(ctx context.Context) error {
	set, err := w.git.ReadLine(ctx, "config", "--type=bool", "core.sparseCheckout")
	if git.IsMissing(err) || err == nil && set == "false" {
		return nil
	}
	if err == nil {
		_, err = w.git.Write(ctx, nil, w.repo.durable(ctx, "sparse-checkout", "reapply")...)
	}
	return err
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

// isCutOff reports whether a file is the beginning of what it is to be: git was
// ended while it wrote, and nothing in the file is anybody's own.
func (w *worktree) isCutOff(ctx context.Context, root *os.Root, d difference) bool {
	info, err := root.Lstat(filepath.FromSlash(d.path))
	if err != nil || !info.Mode().IsRegular() || isZero(d.new) {
		return false
	}
	now, err := root.ReadFile(filepath.FromSlash(d.path))
	if err != nil {
		return false
	}
	whole, err := w.git.Read(ctx, "cat-file", "blob", d.new)
	return err == nil && bytes.HasPrefix(whole, now)
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

// hash gives the object name a file's content has, as git would add it; "" if
// there is no file, and "-" if there is something else.
func (w *worktree) hash(ctx context.Context, root *os.Root, path string) (string, error) {
	info, err := root.Lstat(filepath.FromSlash(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return "-", nil
	}
	file, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	out, err := w.git.ReadInput(ctx, file, "hash-object", "--stdin", "--path="+path)
	return strings.TrimSpace(string(out)), err
}

// isZero reports whether an object name stands for "none".
func isZero(name string) bool { return strings.Trim(name, "0") == "" }
