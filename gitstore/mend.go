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
)

// difference is one path in which two commits differ.
type difference struct {
	path     string
	old, new string // objects; all zeros where the path is absent
}

// mend moves the index along alone, then those files that are as they were at
// from; this also completes a move that was cut off in its middle. It returns
// the paths it left alone because they hold something else.
func (w *worktree) mend(ctx context.Context, from, to string) (left []string, err error) {
	if err := w.readTree(ctx, from, to, "-i"); err != nil {
		return nil, err
	}
	differences, err := w.differences(ctx, from, to)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(w.path) // names in a tree may point anywhere
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	var stale bytes.Buffer
	for _, d := range differences {
		now, err := w.hash(ctx, root, d.path)
		if err != nil {
			return nil, err
		}
		gone := isZero(d.new)
		switch {
		case now == d.new || now == "" && gone:
		case now != d.old && now != "":
			left = append(left, d.path)
		case gone:
			if err := root.Remove(filepath.FromSlash(d.path)); err != nil {
				return nil, err
			}
		default:
			stale.WriteString(d.path + "\x00")
		}
	}
	if stale.Len() == 0 {
		return left, nil
	}
	_, err = w.git.Write(ctx, &stale, "checkout-index", "-f", "-u", "-z", "--stdin")
	return left, err
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
