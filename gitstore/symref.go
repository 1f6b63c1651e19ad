package gitstore

import (
	"context"
	"os"
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
	kind, set := config.Get("extensions.refStorage")
	if files := !set || kind == "files"; files && !isLink(r.refPath(ref)) {
		return ref, nil // spares a child of git for each ref of a large push
	}
	end, err := r.Git.ReadLine(ctx, "symbolic-ref", "--quiet", "--", ref)
	if git.Status(err) == 1 {
		return ref, nil
	}
	return end, err
}

// isLink reports whether the file of a ref may lead to another ref. A symbolic
// ref is never packed.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err == nil && !info.IsDir()
	}
	data, err := os.ReadFile(path)
	return err != nil || strings.HasPrefix(string(data), "ref:")
}
