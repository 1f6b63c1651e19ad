package gitstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Whenever a gc begins, what is written lies in a pack, which is kept until the
// ref has moved: also where the gc has looked for what is in use before, and
// takes away the rest with --prune=now.
func TestPackedBesideGC(t *testing.T) {
	t.Parallel()
	for format, opts := range map[string][]gittest.Option{"sha1": nil, "sha256": {gittest.Init("--object-format=sha256")}} {
		for stage, script := range map[string]string{
			"before":   "true",
			"prepared": `test "$1" = prepared && grep -q plans && touch gc.pid; true`,
			"moved":    `test "$1" = committed && grep -q plans && touch gc.pid; true`,
			"none":     "true",
		} {
			t.Run(format+", "+stage, func(t *testing.T) {
				t.Parallel()
				r := gittest.New(t, opts...)
				hook(t, r, script)
				if stage == "before" {
					r.Write(".git/gc.pid", "1 elsewhere\n")
				}
				commit := put(t, open(t, r), file("a.md", "a1"), file("plan/b.md", ""))
				wanted := 1
				if stage == "none" {
					wanted = 0
				}
				if packs, keeps := packFiles(t, r, "pack"), packFiles(t, r, "keep"); len(packs) != wanted || len(keeps) != 0 {
					t.Fatalf("packs %v, keeps %v", packs, keeps)
				}
				if stage == "none" {
					return
				}
				removeLoose(t, r)
				r.Git("rev-list", "--objects", commit)
				if got := r.Git("show", commit+":a.md"); got != "a1" {
					t.Errorf("%q", got)
				}
			})
		}
	}
}

// removeLoose removes every object that lies in a file of its own, as a gc does
// with those that it takes for unused.
func removeLoose(t *testing.T, r *gittest.Repo) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/[0-9a-f][0-9a-f]"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("%v, %v", folders, err)
	}
	for _, dir := range folders {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}
