package gitstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Eight stores and native git write one ref at once: each acknowledged commit
// is there at the end.
func TestNothingIsLost(t *testing.T) {
	t.Run("files", func(t *testing.T) { nothingIsLost(t, gittest.New(t)) })
	t.Run("reftable", func(t *testing.T) { nothingIsLost(t, withReftable(t)) })
	t.Run("reftable, sha256", func(t *testing.T) { nothingIsLost(t, withReftable(t, "--object-format=sha256")) })
}

func nothingIsLost(t *testing.T, r *gittest.Repo) {
	put(t, open(t, r), file("begin", "x"))
	var attempts atomic.Int64
	const writers, each = 8, 10
	var group sync.WaitGroup
	for w := range writers {
		s := open(t, r)
		group.Go(func() {
			for i := range each {
				name := fmt.Sprintf("w%d/%d.md", w, i)
				if _, err := s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
					attempts.Add(1)
					return adding(name, file(name, name))(tip)
				}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	var beside sync.WaitGroup
	done := make(chan struct{})
	beside.Go(func() { otherRefs(r, done) })
	landed := nativeLoop(r, 60)
	group.Wait()
	close(done)
	beside.Wait()
	if got, want := strings.Count(files(r, testRef), "\n")+1, writers*each+1; got != want {
		t.Errorf("%d files, want %d", got, want)
	}
	if got, want := r.Git("rev-list", "--count", testRef), fmt.Sprint(writers*each+1+landed); got != want {
		t.Errorf("%s commits, want %s (%d native)", got, want, landed)
	}
	t.Logf("%d attempts, %d native commits beside", attempts.Load(), landed)
	fsck(t, r)
}

// nativeLoop commits by plumbing some times, packing refs now and then, and
// counts what landed.
func nativeLoop(r *gittest.Repo, times int) (landed int) {
	for i := range times {
		time.Sleep(rand.N(40 * time.Millisecond))
		tip := r.Git("rev-parse", testRef)
		next := r.Git("commit-tree", "-p", tip, "-m", fmt.Sprint("native ", i), tip+"^{tree}")
		if _, err := r.TryGit("update-ref", testRef, next, tip); err == nil {
			landed++
		}
		if i%5 == 0 {
			_, _ = r.TryGit("pack-refs", "--all")
		}
	}
	return landed
}

// otherRefs moves refs that are nobody else's until done: in a reftable they
// have their lock in common with the plans.
func otherRefs(r *gittest.Repo, done <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-done:
			return
		case <-time.After(rand.N(10 * time.Millisecond)):
			_, _ = r.TryGit("update-ref", fmt.Sprint("refs/heads/other/", i%20), "main")
		}
	}
}

// Folders that a gc finds empty it removes, also while an object is
// on its way there: it is written again.
func TestFoldersVanishWhileWriting(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := gittest.New(t, gittest.ObjectFormat(format))
			done := make(chan struct{})
			var group sync.WaitGroup
			group.Go(func() { removeEmpty(r, done) })
			s := open(t, r)
			for i := range 30 {
				want := fmt.Sprint(i)
				if commit := put(t, s, file("a", want)); content(t, s, commit, "a") != want {
					t.Errorf("change %d was lost", i)
				}
			}
			close(done)
			group.Wait()
			fsck(t, r)
		})
	}
}

// removeEmpty removes the empty folders of the object directory until done.
func removeEmpty(r *gittest.Repo, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(100 * time.Microsecond):
			folders, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects/??"))
			for _, folder := range folders {
				_ = os.Remove(folder) // fails where there is something in it
			}
		}
	}
}
