package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// loosePath gives the file of a loose object.
func loosePath(s *Store, name string) string {
	return filepath.Join(s.repo.CommonDir, "objects", name[:2], name[2:])
}

// damage puts something else into the file of a loose object.
func damage(t *testing.T, s *Store, name, data string) {
	t.Helper()
	replace(t, loosePath(s, name), []byte(data))
}

// mendRef mends the ref as doctor does and returns what was wrong.
func mendRef(t *testing.T, s *Store) *RefFault {
	t.Helper()
	fault, err := s.RefFault(t.Context())
	if err != nil || fault == nil {
		t.Fatalf("RefFault = %v, %v", fault, err)
	}
	if err := s.MendRef(t.Context(), fault); err != nil {
		t.Fatal(err)
	}
	if again, err := reopen(t, s).RefFault(t.Context()); again != nil || err != nil {
		t.Errorf("after mending: %+v, %v", again, err)
	}
	return fault
}

// A sound ref, and one that does not exist, have no fault.
func TestRefWithoutFault(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	for range 2 {
		if fault, err := s.RefFault(t.Context()); fault != nil || err != nil {
			t.Errorf("%+v, %v", fault, err)
		}
		put(t, s, file("a.md", "a"))
	}
	s.repo.Git.Write(t.Context(), nil, "pack-refs", "--all")
	if fault, err := s.RefFault(t.Context()); fault != nil || err != nil {
		t.Errorf("packed: %+v, %v", fault, err)
	}
}

// Whatever is wrong with the ref or its newest commits, it goes back to the
// newest that is whole, the reflog tells of it, and writing goes on.
func TestMendRef(t *testing.T) {
	t.Parallel()
	shapes := map[string]func(t *testing.T, r *gittest.Repo, s *Store, names []string) (good, lost int){
		"empty file": func(t *testing.T, r *gittest.Repo, s *Store, _ []string) (int, int) {
			r.Write(".git/"+testRef, "")
			return 2, 0
		},
		"empty file over a packed ref": func(t *testing.T, r *gittest.Repo, s *Store, _ []string) (int, int) {
			r.Git("pack-refs", "--all")
			r.Write(".git/"+testRef, "")
			return 2, 0
		},
		"garbage": func(t *testing.T, r *gittest.Repo, s *Store, _ []string) (int, int) {
			r.Write(".git/"+testRef, "\x00\x00\x00\x00")
			return 2, 0
		},
		"cut off": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			r.Write(".git/"+testRef, names[2][:17])
			return 2, 0
		},
		"empty file and empty commit": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			r.Write(".git/"+testRef, "")
			damage(t, s, names[2], "")
			return 1, 1
		},
		"no commit": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			r.Write(".git/"+testRef, r.Git("rev-parse", names[2]+"^{tree}")+"\n")
			return 2, 0
		},
		"missing commit": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			if err := os.Remove(loosePath(s, names[2])); err != nil {
				t.Fatal(err)
			}
			return 1, 1
		},
		"empty commits": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			damage(t, s, names[2], "")
			damage(t, s, names[1], "")
			return 0, 2
		},
		"garbage commit, empty file below the one before": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			damage(t, s, names[2], "garbage")
			damage(t, s, r.Git("rev-parse", names[1]+":dir/b.md"), "")
			return 0, 2
		},
		"empty root folder": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			damage(t, s, r.Git("rev-parse", names[2]+"^{tree}"), "")
			return 1, 1
		},
		"packed ref, missing commit": func(t *testing.T, r *gittest.Repo, s *Store, names []string) (int, int) {
			r.Git("pack-refs", "--all")
			damage(t, s, names[2], "")
			return 1, 1
		},
	}
	for name, wreck := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s := open(t, r)
			names := []string{put(t, s, file("a.md", "1")), put(t, s, file("dir/b.md", "2")), put(t, s, file("dir/b.md", "3"))}
			good, lost := wreck(t, r, s, names)
			s = reopen(t, s)
			fault := mendRef(t, s)
			if fault.Good != names[good] || len(fault.Lost) != lost || fault.Detail == "" {
				t.Errorf("%+v, want %s and %d lost", fault, names[good], lost)
			}
			if got := r.Git("rev-parse", testRef); got != names[good] {
				t.Errorf("the ref is at %s", got)
			}
			if log := r.Read(".git/logs/" + testRef); !strings.HasSuffix(strings.TrimSpace(log), "doctor: back to the newest commit that can be read") ||
				!strings.Contains(log, names[2]) {
				t.Errorf("the reflog:\n%s", log)
			}
			quiet(t, s)
			put(t, reopen(t, s), file("c.md", "4"))
		})
	}
}

// Where the reflog does not help, nothing is done.
func TestRefWithoutWayBack(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	r.Write(".git/"+testRef, "")
	r.Write(".git/logs/"+testRef, "garbage\n")
	fault, err := s.RefFault(t.Context())
	if err != nil || fault == nil || fault.Good != "" {
		t.Fatalf("%+v, %v", fault, err)
	}
	var broken *BrokenRefError
	if err := s.MendRef(t.Context(), fault); !errors.As(err, &broken) {
		t.Errorf("MendRef = %v", err)
	}
	if r.Read(".git/"+testRef) != "" {
		t.Error("something was written")
	}
}

// What a partial clone does not have now its remote has: the ref stays.
func TestRefOfPartialCloneStays(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	tip := put(t, s, file("a.md", "2"))
	damage(t, s, tip, "")
	r.Git("config", "remote.origin.promisor", "true")
	fault, err := reopen(t, s).RefFault(t.Context())
	if err != nil || fault == nil || fault.Good != "" {
		t.Fatalf("%+v, %v", fault, err)
	}
	contains(t, fault.Obstacle, "partial clone")
}

// So it does while a repository that this one borrows from is out of reach.
func TestRefStaysWithoutAlternate(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	damage(t, s, put(t, s, file("a.md", "2")), "")
	r.Write(".git/objects/info/alternates", "# ours\n../../away/objects\n")
	fault, err := reopen(t, s).RefFault(t.Context())
	if err != nil || fault == nil || fault.Good != "" {
		t.Fatalf("%+v, %v", fault, err)
	}
	contains(t, fault.Obstacle, "away/objects, which is not there")
}

// The mending expects the fault that was seen: who came first wins, and a lock
// of git's is respected.
func TestMendRefExpectsTheFault(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a.md", "1"))
	tip := put(t, s, file("a.md", "2"))
	r.Write(".git/"+testRef, "")
	fault, err := s.RefFault(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Write(".git/"+testRef+".lock", "")
	var locked *LockedError
	if err := s.MendRef(t.Context(), fault); !errors.As(err, &locked) {
		t.Errorf("beside a lock: %v", err)
	}
	if err := os.Remove(filepath.Join(r.Dir, ".git", testRef+".lock")); err != nil {
		t.Fatal(err)
	}
	r.Write(".git/"+testRef, first+"\n")
	if err := s.MendRef(t.Context(), fault); err == nil || r.Git("rev-parse", testRef) != first {
		t.Errorf("a ref that was mended meanwhile: %v", err)
	}
	damage(t, s, tip, "")
	r.Write(".git/"+testRef, tip+"\n")
	s = reopen(t, s)
	if fault, err = s.RefFault(t.Context()); err != nil || fault.Good != first {
		t.Fatalf("%+v, %v", fault, err)
	}
	r.Git("update-ref", "-d", testRef)
	if err := s.MendRef(t.Context(), fault); err == nil {
		t.Error("a ref that is gone was set")
	}
}

// Without files git itself is asked for the reflog.
func TestMendRefInReftable(t *testing.T) {
	t.Parallel()
	r := reftable(t)
	s := open(t, r)
	first := put(t, s, file("a.md", "1"))
	tip := put(t, s, file("a.md", "2"))
	damage(t, s, tip, "")
	s = reopen(t, s)
	if fault := mendRef(t, s); fault.Good != first || len(fault.Lost) != 1 {
		t.Errorf("%+v", fault)
	}
	if got := r.Git("rev-parse", testRef); got != first {
		t.Errorf("the ref is at %s", got)
	}
}

// reftable makes a repository that keeps its refs in tables.
func reftable(t *testing.T) *gittest.Repo {
	t.Helper()
	if _, err := gittest.New(t).TryGit("init", "-q", "--ref-format=reftable", filepath.Join(t.TempDir(), "x")); err != nil {
		t.Skip("this git has no reftable")
	}
	return gittest.New(t, gittest.Init("--ref-format=reftable"))
}

// A ref that a disk lost is not begun anew, which would leave behind what it had:
// its reflog knows. One that git removed is.
func TestLostRef(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	tip := put(t, s, file("b.md", "b"))
	if err := os.Remove(s.repo.refPath(s.ref)); err != nil {
		t.Fatal(err)
	}
	change := func(Tip) ([]Change, error) { return []Change{{Root: true, Message: "anew"}}, nil }
	var broken *BrokenRefError
	if _, err := s.Update(t.Context(), "test", change); !isA(err, &broken) || broken.Detail != lostDetail {
		t.Errorf("written past what was lost: %v", err)
	}
	if fault := mendRef(t, s); fault.Detail != lostDetail || fault.Good != tip || len(fault.Lost) != 0 {
		t.Errorf("got %+v", fault)
	}
	if got := r.Git("rev-parse", testRef); got != tip {
		t.Errorf("it is at %s", got)
	}
	r.Git("update-ref", "-d", testRef)
	if fault, err := s.RefFault(t.Context()); fault != nil || err != nil {
		t.Errorf("git removed it: %+v, %v", fault, err)
	}
	if _, err := s.Update(t.Context(), "test", change); err != nil {
		t.Error(err)
	}
}

// So it is where a folder stands in its place.
func TestLostRefBehindAFolder(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	tip := put(t, s, file("a.md", "a"))
	path := s.repo.refPath(s.ref)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o777)); err != nil {
		t.Fatal(err)
	}
	change := func(Tip) ([]Change, error) { return []Change{{Root: true, Message: "anew"}}, nil }
	var broken *BrokenRefError
	if _, err := s.Update(t.Context(), "test", change); !isA(err, &broken) {
		t.Errorf("written past what was lost: %v", err)
	}
	mendRef(t, s)
	if got := r.Git("rev-parse", testRef); got != tip {
		t.Errorf("it is at %s", got)
	}
}

// A branch that is symbolic is lost and mended like an ordinary one: by the file
// and the reflog of what it leads to.
func TestBrokenSymbolicRef(t *testing.T) {
	t.Parallel()
	const end = "refs/heads/work/plans"
	for name, c := range map[string]struct {
		wreck  func(path string) error
		detail string
	}{
		"lost":    {os.Remove, lostDetail},
		"empty":   {func(path string) error { return os.Truncate(path, 0) }, "its file is empty"},
		"garbage": {func(path string) error { return os.WriteFile(path, []byte("zz\n"), 0o666) }, "its file names no object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s := open(t, r)
			put(t, s, file("a.md", "a"))
			tip := put(t, s, file("b.md", "b"))
			r.Git("branch", "-m", "plans", "work/plans")
			r.Git("symbolic-ref", testRef, end)
			if err := c.wreck(s.repo.refPath(end)); err != nil {
				t.Fatal(err)
			}
			s = reopen(t, s)
			if got, err := s.repo.RefEnd(t.Context(), testRef); got != end || err != nil {
				t.Errorf("RefEnd = %q, %v", got, err)
			}
			change := func(Tip) ([]Change, error) { return []Change{{Root: true, Message: "anew"}}, nil }
			if _, err := s.Update(t.Context(), "test", change); err == nil {
				t.Fatal("written past what was lost")
			}
			if fault := mendRef(t, s); fault.Detail != c.detail || fault.Good != tip || fault.Ref != end {
				t.Errorf("got %+v", fault)
			}
			if got := r.Git("rev-parse", end) + " " + r.Git("symbolic-ref", testRef); got != tip+" "+end {
				t.Errorf("it is at %s", got)
			}
		})
	}
}

// A branch that leads back to itself leads nowhere, and is no branch that was never
// there.
func TestRefThatLeadsToItself(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	tip := put(t, s, file("a.md", "a"))
	if err := os.WriteFile(s.repo.refPath(testRef), []byte("ref: "+testRef+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	var broken *BrokenRefError
	if _, err := s.Tip(t.Context()); !errors.As(err, &broken) {
		t.Errorf("Tip: %v", err)
	}
	if fault := mendRef(t, s); fault.Good != tip || fault.Ref != testRef {
		t.Errorf("got %+v", fault)
	}
	if got := r.Git("rev-parse", testRef); got != tip {
		t.Errorf("it is at %s", got)
	}
}
