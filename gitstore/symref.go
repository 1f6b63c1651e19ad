package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// RefEnd gives the ref that an update of ref moves: what a symbolic ref leads
// to, be it there or not, else ref itself.
func (r *Repo) RefEnd(ctx context.Context, ref string) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	if r.keepsFiles(config) && !isLink(r.refPath(ref)) {
		return ref, nil // spares a child of git for each ref of a large push
	}
	end, err := r.Git.ReadLine(ctx, "symbolic-ref", "--quiet", "--", ref)
	if git.Status(err) == 1 {
		return ref, nil
	}
	return end, err
}

// refPath is the file of a ref, where refs are files.
func (r *Repo) refPath(ref string) string {
	return filepath.Join(r.CommonDir, filepath.FromSlash(ref))
}

// Head gives the full name of the ref that HEAD stands for, be it there or not;
// "" where HEAD is detached.
func (r *Repo) Head(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	if r.keepsFiles(config) {
		ref, found := strings.CutPrefix(headLine(r.GitDir), "ref: ")
		if found && strings.HasPrefix(ref, "refs/heads/") && CheckRef(ref) == nil && !isLink(r.refPath(ref)) {
			return ref, nil
		}
	}
	ref, err := r.Git.ReadLine(ctx, "symbolic-ref", "--quiet", "HEAD")
	if git.Status(err) == 1 {
		return "", nil
	}
	return ref, err
}

// headLine gives what the HEAD of a git directory says, or "" where that is no
// plain file.
func headLine(gitDir string) string {
	path := filepath.Join(gitDir, "HEAD")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(text), "\n")
}

// keepsFiles reports whether refs are files, in the folder of the repository and
// in packed-refs.
func (r *Repo) keepsFiles(c *Config) bool {
	kind, set := c.Get("extensions.refStorage")
	return (!set || kind == "files") && r.Git.Getenv("GIT_REFERENCE_BACKEND") == ""
}

// isLink reports whether the file of a ref may lead to another ref. A symbolic
// ref is never packed.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err != nil && !os.IsNotExist(err) || err == nil && !info.IsDir()
	}
	data, err := os.ReadFile(path)
	return err != nil || strings.HasPrefix(string(data), "ref:")
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
