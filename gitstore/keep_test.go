package gitstore

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// many are files whose objects make a pack that is kept.
func many() []FileChange {
	var all []FileChange
	for i := range keepFrom {
		all = append(all, file(fmt.Sprintf("%03d.md", i), fmt.Sprint(i)))
	}
	return all
}

// packFiles gives the files of a kind among the packs.
func packFiles(t *testing.T, r *gittest.Repo, kind string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*."+kind))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A large change is one pack, which is kept only until the ref has moved.
func TestPackIsReleased(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	// The hook sees what there is while the ref is locked.
	hook(t, r, `test "$1" = prepared && grep -q plans && ls objects/pack >seen; true`)
	put(t, s, many()...)
	contains(t, r.Read(".git/seen"), ".keep")
	if packs, keeps := packFiles(t, r, "pack"), packFiles(t, r, "keep"); len(packs) != 1 || len(keeps) != 0 {
		t.Errorf("packs %v, keeps %v", packs, keeps)
	}
}

// So it is after a change that did not land, for whatever reason.
func TestPackIsReleasedAfterFailure(t *testing.T) {
	t.Parallel()
	t.Run("refused", func(t *testing.T) {
		r := gittest.New(t)
		hook(t, r, `test "$1" != prepared`)
		if _, err := open(t, r).Update(t.Context(), "x", adding("x", many()...)); err == nil {
			t.Error("it landed")
		}
		if keeps := packFiles(t, r, "keep"); len(keeps) != 0 || len(packFiles(t, r, "pack")) == 0 {
			t.Errorf("keeps %v", keeps)
		}
	})
	t.Run("locked", func(t *testing.T) {
		r := gittest.New(t)
		r.Write(".git/"+testRef+".lock", "")
		var locked *LockedError
		if _, err := hurry(open(t, r)).Update(t.Context(), "x", adding("x", many()...)); !errors.As(err, &locked) {
			t.Errorf("err = %v", err)
		}
		if keeps := packFiles(t, r, "keep"); len(keeps) != 0 || len(packFiles(t, r, "pack")) == 0 {
			t.Errorf("keeps %v", keeps)
		}
	})
}

// hook puts a script before each move of a ref; it runs in the git directory.
func hook(t *testing.T, r *gittest.Repo, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the hook needs a shell")
	}
	path := filepath.Join(r.Dir, ".git/hooks/reference-transaction")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	gittest.Script(t, path, "#!/bin/sh\ncd '"+filepath.Join(r.Dir, ".git")+"'\n"+script+"\n")
}

// The .keep file of a process that was killed before its ref moved is told
// from others by its words, and goes once it is old.
func TestPackOfKilledProcess(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	const place = "GIT_PLAN_TEST_KILLED_IN"
	if dir := os.Getenv(place); dir != "" { // this is the process to kill
		r = r.At(dir)
		put(t, open(t, r), many()...)
		return
	}
	hook(t, r, `test "$1" = prepared && grep -q plans && kill -9 $(cat victim); true`)
	victim := exec.Command("sh", "-c", `echo $$ >.git/victim; exec "$0" "$@"`, os.Args[0], "-test.run=^TestPackOfKilledProcess$")
	victim.Dir, victim.Env = r.Dir, append(os.Environ(), place+"="+r.Dir)
	if out, err := victim.CombinedOutput(); err == nil {
		t.Fatalf("it lived:\n%s", out)
	}
	keeps := packFiles(t, r, "keep")
	if len(keeps) != 1 {
		t.Fatalf("keeps %v", keeps)
	}
	s := open(t, r)
	s.tidy()
	put(t, s, many()...)
	if keeps := packFiles(t, r, "keep"); len(keeps) != 0 {
		t.Errorf("keeps %v", keeps)
	}
}
