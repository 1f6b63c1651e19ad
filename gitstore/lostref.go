package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// lostDetail says of a ref that its file went away by itself.
const lostDetail = "it is gone, and its reflog is not"

// refPath is the file of a ref, reflogPath that of its reflog, where refs are
// files.
func (r *Repo) refPath(ref string) string {
	return filepath.Join(r.CommonDir, filepath.FromSlash(ref))
}

func (r *Repo) reflogPath(ref string) string {
	return filepath.Join(r.CommonDir, "logs", filepath.FromSlash(ref))
}

// lostRef is a *[BrokenRefError] where there is no ref and its reflog is there.
// Git removes both together, so a disk lost the ref. A new branch in its place
// would leave behind all that it had.
func (s *Store) lostRef(ctx context.Context) error {
	end, err := s.repo.RefEnd(ctx, s.ref)
	if git.Status(err) > 0 {
		return &BrokenRefError{s.ref, "git cannot follow it: " + err.Error()}
	}
	if err != nil {
		return err
	}
	if info, err := os.Stat(s.repo.reflogPath(end)); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	path, detail := s.repo.refPath(end), lostDetail
	info, err := os.Lstat(path)
	switch {
	case !isGone(path + ".lock"), err == nil && info.IsDir() && !isEmptyFolder(path):
		return nil // a process that has the lock makes or removes the ref now
	case err == nil && !info.IsDir():
		detail = "its file names no object"
	}
	_, err = s.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", s.ref)
	if err == nil || !git.IsMissing(err) { // it was made meanwhile, or is packed
		return ctx.Err()
	}
	return &BrokenRefError{s.ref, detail}
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isEmptyFolder reports whether a folder with no ref in it has the name of a ref.
// Git removes such a folder to write the ref.
func isEmptyFolder(path string) bool {
	names, err := readNames(path)
	return err == nil && len(names) == 0
}

// noRefs says why git finds no ref at all in a reftable, or "". Git does not tell
// a table that it cannot read from one without the ref, but every one has HEAD.
func (r *Repo) noRefs(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil || r.keepsFiles(config) {
		return "", err
	}
	for _, ask := range [][]string{{"symbolic-ref", "--quiet", "HEAD"}, {"rev-parse", "--verify", "--quiet", "HEAD"}} {
		if _, err := r.Git.ReadLine(ctx, ask...); err == nil || ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return "git finds no ref here, not even HEAD: a table in " + filepath.Join(r.CommonDir, "reftable") + " is damaged or gone", nil
}

// LastLogged gives the newest commit that the reflog of a ref names and that git
// can read, or "". It reads the file: git shows no reflog without its ref.
func LastLogged(ctx context.Context, r *Repo, ref string) string {
	if end, err := r.RefEnd(ctx, ref); err == nil {
		ref = end
	}
	log, err := readRegular(r.reflogPath(ref), maxMeta)
	if err != nil {
		return ""
	}
	const newest = 20 // where these are gone, more is wrong than the ref
	lines := strings.Split(string(log), "\n")
	for _, line := range slices.Backward(lines[max(0, len(lines)-newest):]) {
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 3 || !r.isName(fields[1]) || isZero(fields[1]) {
			continue
		}
		if _, err := r.Git.Read(ctx, "rev-list", "--quiet", "--objects", "--max-count=1", fields[1]); err == nil {
			return fields[1]
		}
	}
	return ""
}
