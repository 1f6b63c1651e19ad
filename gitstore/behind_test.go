package gitstore

import (
	"os"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A ref whose own file was lost shows what was packed before. What came since is
// in its reflog.
func TestBehind(t *testing.T) {
	t.Parallel()
	dropFile := func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		lose func(t *testing.T, r *gittest.Repo, s *Store, old, tip string)
		want bool
	}{
		"nothing":          {func(*testing.T, *gittest.Repo, *Store, string, string) {}, false},
		"its file is gone": {func(t *testing.T, _ *gittest.Repo, s *Store, _, _ string) { dropFile(t, s.repo.refPath(s.ref)) }, true},
		"its file is old":  {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) { r.Write(".git/"+testRef, old+"\n") }, true},
		"git moved it back": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) {
			r.Git("update-ref", testRef, old)
		}, false},
		"git packed it": {func(_ *testing.T, r *gittest.Repo, _ *Store, _, _ string) { r.Git("pack-refs", "--all") }, false},
		"git keeps no reflogs": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) {
			r.Git("-c", "core.logAllRefUpdates=false", "update-ref", testRef, old)
			r.Git("pack-refs", "--all")
		}, false},
		"its log is expired": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) {
			r.Git("update-ref", testRef, old)
			r.Git("reflog", "expire", "--expire=now", testRef)
			r.Git("pack-refs", "--all")
		}, false},
		"its log is older": {func(_ *testing.T, r *gittest.Repo, _ *Store, _, tip string) {
			r.Git("reflog", "delete", testRef+"@{0}")
			r.Git("pack-refs", "--all")
		}, false},
		"it went elsewhere": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) {
			r.Write(".git/"+testRef, r.Git("commit-tree", "-p", old, "-m", "other", old+"^{tree}")+"\n")
		}, true},
		"it went on without a word": {func(_ *testing.T, r *gittest.Repo, _ *Store, _, tip string) {
			r.Write(".git/"+testRef, r.Git("commit-tree", "-p", tip, "-m", "other", tip+"^{tree}")+"\n")
		}, false},
		"its file is old, and git went on from there": {func(t *testing.T, r *gittest.Repo, s *Store, old, _ string) {
			r.Write(".git/"+testRef, old+"\n")
			put(t, reopen(t, s), file("c.md", "c"))
			put(t, reopen(t, s), file("d.md", "d"))
		}, true},
		"git moved it back, and on": {func(t *testing.T, r *gittest.Repo, s *Store, old, _ string) {
			r.Git("update-ref", testRef, old)
			put(t, reopen(t, s), file("c.md", "c"))
		}, false},
		"what was left was merged": {func(t *testing.T, r *gittest.Repo, s *Store, old, tip string) {
			r.Write(".git/"+testRef, old+"\n")
			next := put(t, reopen(t, s), file("c.md", "c"))
			r.Git("update-ref", testRef, r.Git("commit-tree", "-p", next, "-p", tip, "-m", "both", next+"^{tree}"))
		}, false},
		"it was forgotten": {func(t *testing.T, r *gittest.Repo, s *Store, old, _ string) {
			r.Write(".git/"+testRef, old+"\n")
			put(t, reopen(t, s), file("c.md", "c"))
			r.Git("reflog", "expire", "--expire=never", "--expire-unreachable=now", testRef)
		}, false},
		"it points at another": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, _ string) {
			r.Git("update-ref", "refs/heads/other", old)
			r.Git("symbolic-ref", testRef, "refs/heads/other")
		}, false},
		"it points at one that is old": {func(_ *testing.T, r *gittest.Repo, _ *Store, old, tip string) {
			r.Git("update-ref", "refs/heads/other", old)
			r.Git("update-ref", "refs/heads/other", tip)
			r.Git("symbolic-ref", testRef, "refs/heads/other")
			r.Write(".git/refs/heads/other", old+"\n")
		}, true},
		"what is newer is lost": {func(t *testing.T, r *gittest.Repo, s *Store, _, tip string) {
			dropFile(t, s.repo.refPath(s.ref))
			damage(t, s, tip, "")
		}, false},
		"somebody moves it": {func(t *testing.T, r *gittest.Repo, s *Store, _, _ string) {
			dropFile(t, s.repo.refPath(s.ref))
			r.Write(".git/"+testRef+".lock", "")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s := hurry(open(t, r))
			old := put(t, s, file("a.md", "a"))
			r.Git("pack-refs", "--all")
			tip := put(t, s, file("b.md", "b"))
			tt.lose(t, r, s, old, tip)
			newer, at, ahead, err := reopen(t, s).Behind(t.Context())
			if err != nil || (newer != "") != tt.want || tt.want && (newer != tip || at != r.Git("rev-parse", testRef) || ahead != (at == old)) {
				t.Errorf("got %q beyond %q (ahead: %v), %v; the tip was %s", newer, at, ahead, err, tip)
			}
		})
	}
}
