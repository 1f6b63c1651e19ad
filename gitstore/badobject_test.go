package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// onlyBad gives the one bad object there must be.
func onlyBad(t *testing.T, s *Store) BadObject {
	t.Helper()
	report, err := s.BadObjects(t.Context())
	if err != nil || len(report.Bad) != 1 || report.Partial {
		t.Fatalf("%+v, %v", report, err)
	}
	return report.Bad[0]
}

// beside makes the file of a loose object whose content is elsewhere.
func beside(t *testing.T, s *Store, name, data string) {
	t.Helper()
	path := loosePath(s, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o444); err != nil {
		t.Fatal(err)
	}
}

// bothFormats runs a test for both kinds of object names.
func bothFormats(t *testing.T, test func(t *testing.T, r *gittest.Repo, s *Store)) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t, gittest.ObjectFormat(format))
			test(t, r, open(t, r))
		})
	}
}

// An object whose file is empty, while a pack has it, too: the file goes.
func TestBadObjectWithCopyInPack(t *testing.T) {
	bothFormats(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		name := r.Git("rev-parse", put(t, s, file("dir/a.md", "a"))+":dir/a.md")
		good, err := os.ReadFile(loosePath(s, name))
		if err != nil {
			t.Fatal(err)
		}
		r.Git("repack", "-adq")
		for data, detail := range map[string]string{"": "empty", "garbage": "no compressed data", string(good[:len(good)-4]): "cut off"} {
			beside(t, s, name, data)
			b := onlyBad(t, s)
			contains(t, b.Detail, detail)
			if b.Name != name || b.Needed != "dir/a.md" {
				t.Errorf("%+v", b)
			}
			if readable, kept, err := s.MendObject(t.Context(), b); !readable || kept != "" || err != nil {
				t.Errorf("%q: %v, %q, %v", data, readable, kept, err)
			}
			gone(t, loosePath(s, name))
			fsck(t, r)
		}
		gone(t, filepath.Join(s.repo.dir(), "bad-objects"))
	})
}

// With a copy in a repository that this one borrows from it is the same,
// although git looks at the bad file first.
func TestBadObjectWithCopyElsewhere(t *testing.T) {
	t.Parallel()
	origin := gittest.New(t)
	name := origin.Git("rev-parse", put(t, open(t, origin), file("a.md", "a"))+":a.md")
	r := origin.Clone(t, "--shared")
	r.Git("branch", "plans", "origin/plans")
	s := open(t, r)
	beside(t, s, name, "")
	if readable, _, err := s.MendObject(t.Context(), onlyBad(t, s)); !readable || err != nil {
		t.Errorf("%v, %v", readable, err)
	}
	fsck(t, r)
}

// Without a copy an empty file has nothing to lose, and a damaged one is kept;
// either way git can write the object again.
func TestBadObjectWithoutCopy(t *testing.T) {
	bothFormats(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		name := r.Git("rev-parse", put(t, s, file("a.md", "a"))+":a.md")
		draft := filepath.Join(t.TempDir(), "a.md")
		for _, data := range []string{"", "garbage"} {
			damage(t, s, name, data)
			readable, kept, err := s.MendObject(t.Context(), onlyBad(t, s))
			if readable || err != nil || (kept == "") != (data == "") {
				t.Errorf("%q: %v, %q, %v", data, readable, kept, err)
			}
			if got, _ := os.ReadFile(kept); string(got) != data {
				t.Errorf("kept %q", got)
			}
			gone(t, loosePath(s, name))
			if err := os.WriteFile(draft, []byte("b"), 0o644); err != nil {
				t.Fatal(err)
			}
			if from, err := s.RestoreObject(t.Context(), name, 10, []string{draft}); from != "" || err != nil {
				t.Errorf("restored from %q, %v", from, err)
			}
			if err := os.WriteFile(draft, []byte("a"), 0o644); err != nil {
				t.Fatal(err)
			}
			if from, err := s.RestoreObject(t.Context(), name, 10, []string{"nowhere", draft}); from != draft || err != nil {
				t.Errorf("restored from %q, %v", from, err)
			}
			fsck(t, r)
		}
	})
}

// The empty file of an object that the ref does not need is a fault, too: git
// gc ends at it. One that was mended meanwhile is left alone.
func TestBadObjectOfOthers(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	name := r.GitInput("other", "hash-object", "-w", "--stdin")
	good, err := os.ReadFile(loosePath(s, name))
	if err != nil {
		t.Fatal(err)
	}
	damage(t, s, name, "")
	b := onlyBad(t, s)
	if b.Needed != "" {
		t.Errorf("needed: %+v", b)
	}
	replace(t, loosePath(s, name), good)
	if readable, _, err := s.MendObject(t.Context(), b); !readable || err != nil {
		t.Errorf("%v, %v", readable, err)
	}
	if now, _ := os.ReadFile(loosePath(s, name)); !bytes.Equal(now, good) {
		t.Error("a good file was touched")
	}
}

// The tip's own commit is named as needed, although git cannot walk from it.
func TestBadTip(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	tip := put(t, s, file("a.md", "a"))
	damage(t, s, tip, "")
	if b := onlyBad(t, s); b.Name != tip || b.Needed != "commit" {
		t.Errorf("%+v", b)
	}
}

// gone fails the test if there is something at path.
func gone(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); err == nil {
		t.Errorf("%s is there", path)
	}
}

// What a loss of power left of an object that was being written does not keep it
// from being written: git passes over it where its file is there.
func TestBadObjectInTheWay(t *testing.T) {
	bothFormats(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		put(t, s, file("a", "1"))
		half := "x\x01\x00\x10\x00\xef\xffblob 2\x00" // which tells git its type and size
		for i, left := range []string{"", "garbage", "x\x01", half} {
			content := []string{fmt.Sprint("b", i), fmt.Sprint("c", i)}
			for _, c := range content {
				r.Write("content", c)
				path := loosePath(s, r.Git("hash-object", "content"))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, path, left)
			}
			put(t, s, file("b", content[0]), file("c", content[1]))
			if got := r.Git("cat-file", "blob", testRef+":b") + r.Git("cat-file", "blob", testRef+":c"); got != content[0]+content[1] {
				t.Errorf("%q was left, and then stored %q", left, got)
			}
			fsck(t, r)
		}
	})
}

// unreadable puts something in the place of a loose object's file that nobody,
// not even the superuser, can open.
func unreadable(t *testing.T, s *Store, name string) string {
	t.Helper()
	path := loosePath(s, name)
	if err := errors.Join(os.Rename(path, path+".whole"), os.Symlink(filepath.Base(path), path)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file that cannot be read says nothing of the object in it: it stays where it
// is, and so does the branch.
func TestUnreadableObjectStays(t *testing.T) {
	bothFormats(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		tip := put(t, s, file("a.md", "a"))
		path := unreadable(t, s, r.Git("rev-parse", tip+":a.md"))
		b := onlyBad(t, s)
		contains(t, b.Obstacle, "it may well be there")
		if b.Needed != "a.md" {
			t.Errorf("%+v", b)
		}
		if readable, kept, err := s.MendObject(t.Context(), b); readable || kept != "" || err == nil {
			t.Errorf("%v, %q, %v", readable, kept, err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("it was moved: %v", err)
		}
		gone(t, filepath.Join(s.repo.dir(), "bad-objects"))
		contains(t, s.OutOfReach("loose object "+b.Name+" is corrupt"), path)
		if why := s.OutOfReach("object " + tip + " is corrupt"); why != "" {
			t.Errorf("of another: %s", why)
		}
	})
}

// Nor is a branch set back past a commit that may be whole.
func TestRefStaysBesideUnreadable(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	second := put(t, s, file("a.md", "2"))
	damage(t, s, put(t, s, file("a.md", "3")), "")
	unreadable(t, s, second)
	fault, err := reopen(t, s).RefFault(t.Context())
	if err != nil || fault == nil || fault.Obstacle == "" || fault.Good != "" {
		t.Errorf("%+v, %v", fault, err)
	}
}
