package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A gc takes folders of objects away once they are empty, and git may just have
// been about to fill one: some versions report success then without the object.
// No update is refused for that, and each is whole.
func TestFoldersAreSwept(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]gittest.Option{"sha1": nil, "sha256": {gittest.Init("--object-format=sha256")}} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t, opts...)
			s := open(t, r)
			ctx, stop := context.WithCancel(t.Context())
			var sweeper sync.WaitGroup
			sweeper.Go(func() { sweep(ctx, filepath.Join(s.repo.CommonDir, "objects")) })
			for i := range 40 {
				put(t, s, file(fmt.Sprintf("%d/a.md", i), fmt.Sprint(i)))
			}
			stop()
			sweeper.Wait()
			fsck(t, r)
		})
	}
}

// sweep removes the empty ones of the folders that objects lie in, again and
// again.
func sweep(ctx context.Context, objects string) {
	for ctx.Err() == nil {
		for i := range 256 {
			_ = os.Remove(filepath.Join(objects, fmt.Sprintf("%02x", i)))
		}
	}
}

// careless makes a git that does not write the objects it is given, as often as
// said, and does what the script says instead.
func careless(t *testing.T, s *Store, script string, times int) {
	t.Helper()
	dir := standIn(t, s, `case " $* " in *" unpack-objects "*)
	if test -s $dir/times; then
		sed -i.old 1d $dir/times
		cat >/dev/null
		`+script+`
	fi ;;
esac`)
	if err := os.WriteFile(filepath.Join(dir, "times"), []byte(strings.Repeat("x\n", times)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// An object that git loses on its way into the repository is written again; if
// it is lost every time, that is told, and the ref has not moved.
func TestLostObjectsAreWrittenAgain(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"told":    "echo 'error: unable to write file x: No such file or directory' >&2; exit 0",
		"refused": "echo 'error: unable to create temporary file: No such file or directory' >&2; exit 128",
		"read":    "echo 'fatal: cannot read existing object info 5ff05b49ac7cf7e67fb4eab06af5efaf90034f72' >&2; exit 128",
		"silent":  "exit 0",
	} {
		for _, times := range []int{1, 1000} {
			t.Run(fmt.Sprint(name, times), func(t *testing.T) {
				r := gittest.New(t)
				s := hurry(open(t, r))
				careless(t, s, script, times)
				_, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a1")))
				_, there := r.TryGit("rev-parse", "--verify", "-q", testRef)
				if lost := times > 1; lost != (err != nil) || lost != (there != nil) {
					t.Errorf("err = %v; the ref: %v", err, there)
				}
				var again *retryError
				if errors.As(err, &again) {
					t.Errorf("err = %#v", err)
				}
				fsck(t, r)
			})
		}
	}
}

// A commit whose success was not heard of has landed, also if others went on
// from there.
func TestAnswerIsLost(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a1"))
	standIn(t, s, `case " $* " in *" update-ref "*)
	$git "$@" | {
		read -r started; echo "$started"
		read -r prepared; echo "$prepared"
		read -r committed
		new=$($git rev-parse refs/heads/plans)
		$git update-ref refs/heads/plans $($git commit-tree -p $new -m further $new^{tree})
		kill -9 $$
	} ;;
esac`)
	landed := put(t, s, file("a.md", "a2"))
	if got := r.Git("rev-parse", testRef+"^"); got != landed || r.Git("log", "-1", "--format=%s", testRef) != "further" {
		t.Errorf("commit %s is not the one before the last, %s", landed, got)
	}
}
