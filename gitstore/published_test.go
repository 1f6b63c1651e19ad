package gitstore

import (
	"errors"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A change that was published is not made again, though the ref moved meanwhile:
// there it would be twice.
func TestPublishedOnce(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	tip := put(t, s, file("a.md", "a1"))
	var asked, told int
	var got string
	fn := adding("x", file("b.md", "b1"))
	_, err := s.UpdateVia(t.Context(), "x", func(commit string) error {
		told++
		got = commit
		r.Git("update-ref", testRef, r.Git("commit-tree", "-p", tip, "-m", "native", tip+"^{tree}"))
		return nil
	}, func(at Tip) ([]Change, error) {
		asked++
		return fn(at)
	})
	var elsewhere *PublishedError
	if !errors.As(err, &elsewhere) || elsewhere.Commit != got || asked != 1 || told != 1 {
		t.Errorf("%v; asked %d times, published %d times", err, asked, told)
	}
	contains(t, err.Error(), got+" was published", "'git plan sync'")
	if subject := r.Git("log", "-1", "--format=%s", testRef); subject != "native" {
		t.Errorf("the ref is at %q", subject)
	}
	r.Git("cat-file", "-e", got+"^{tree}")
}
