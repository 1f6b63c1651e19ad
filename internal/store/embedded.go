package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
)

// refuseEmbedded refuses a repository that came with the files of a project.
// Configuration cannot be cloned, but a folder that holds HEAD, config, objects
// and refs can be committed, and git takes whoever stands in it for standing in
// that repository: its configuration, which names programs to run, is that of
// whoever wrote the project. One that was named by GIT_DIR, and one that the
// project's own repository does not track, is the user's choice.
func refuseEmbedded(ctx context.Context, g git.Git, found *gitstore.Repo) error {
	if _, named := g.LookupEnv("GIT_DIR"); named || filepath.Base(found.GitDir) == ".git" {
		return nil // git checks out no file by that name
	}
	here := g.Dir
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real
	}
	if rel, err := filepath.Rel(found.GitDir, here); err != nil || !filepath.IsLocal(rel) {
		return nil // it was not found by standing in it
	}
	top := projectAround(found.GitDir)
	if top == "" {
		return nil
	}
	head, err := filepath.Rel(top, filepath.Join(found.GitDir, "HEAD"))
	if err != nil {
		return err
	}
	tracked, err := g.Elsewhere(top).Read(ctx, "ls-files", "-z", "--", ":(top,literal)"+filepath.ToSlash(head))
	if err != nil || len(tracked) == 0 {
		return nil // what is around is no repository that git reads
	}
	return &UnsupportedError{fmt.Sprintf("%s is a repository that came with the files of %s, and its configuration with it: go to another folder, or, if you trust it, name it with `git --git-dir=%s plan`", found.GitDir, top, found.GitDir)}
}

// projectAround gives the top of the working tree that a folder lies in, or "".
// Git is not asked: from there it may find another such repository first.
func projectAround(dir string) string {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return up
		}
	}
	return ""
}
