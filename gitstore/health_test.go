package gitstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A commit that is gone from the middle of the history is seen, where a commit-graph
// still knows of it too.
func TestHistoryFault(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		r := gittest.New(t, gittest.Init(args...))
		s := open(t, r)
		put(t, s, file("a.md", "1"))
		middle := put(t, s, file("a.md", "2"))
		put(t, s, file("a.md", "3"))
		r.Git("commit-graph", "write", "--reachable")
		if fault, err := s.HistoryFault(t.Context()); fault != "" || err != nil {
			t.Errorf("%s: whole: %q, %v", name, fault, err)
		}
		if err := os.Remove(loosePath(s, middle)); err != nil {
			t.Fatal(err)
		}
		if fault, err := s.HistoryFault(t.Context()); !strings.Contains(fault, middle) || err != nil {
			t.Errorf("%s: got %q, %v", name, fault, err)
		}
	}
}

// A file that only an older version has is missed, by name, and in a partial clone
// left to its remote.
func TestMissing(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		r := gittest.New(t, gittest.Init(args...))
		s := open(t, r)
		put(t, s, file("a.md", "1"))
		old := r.Git("rev-parse", s.ref+":a.md")
		put(t, s, file("a.md", "2"))
		if missing, err := s.Missing(t.Context()); len(missing) > 0 || err != nil {
			t.Errorf("%s: whole: %q, %v", name, missing, err)
		}
		if err := os.Remove(loosePath(s, old)); err != nil {
			t.Fatal(err)
		}
		if missing, err := s.Missing(t.Context()); !slices.Equal(missing, []string{old}) || err != nil {
			t.Errorf("%s: got %q, %v", name, missing, err)
		}
		r.Git("config", "extensions.partialClone", "origin")
		if missing, err := open(t, r).Missing(t.Context()); len(missing) > 0 || err != nil {
			t.Errorf("%s: partial clone: %q, %v", name, missing, err)
		}
	}
}

// flip changes a byte in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 0xff
	replace(t, path, data)
}

// A pack that is whole is not told as lost for the sake of its index, nor is the
// branch set back while git finds nothing in a pack. Git makes the index anew.
func TestPackIndexFaults(t *testing.T) {
	bothFormats(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		tip := put(t, s, file("a.md", "1"))
		r.Git("gc", "-q")
		packs, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		index := strings.TrimSuffix(packs[0], "pack") + "idx"
		good, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(packs[0], old, old); err != nil {
			t.Fatal(err)
		}
		for name, wreck := range map[string]func(){
			"empty":   func() { replace(t, index, nil) },
			"garbage": func() { replace(t, index, []byte("abc\n")) },
			"cut off": func() { replace(t, index, good[:len(good)-60]) },
			"flipped": func() { flip(t, index) },
			"gone":    func() { _ = os.Remove(index) },
		} {
			wreck()
			if faults, err := s.PackFaults(); len(faults) != 1 || faults[0].Path != packs[0] || faults[0].Index == "" || err != nil {
				t.Errorf("%s: %+v, %v", name, faults, err)
			}
			contains(t, s.OutOfReach("object "+tip+" is missing"), "git index-pack "+packs[0])
			_ = os.Remove(index)
			r.Git("index-pack", packs[0])
			if faults, err := s.PackFaults(); len(faults) != 0 || err != nil {
				t.Errorf("%s, mended: %+v, %v", name, faults, err)
			}
			fsck(t, r)
		}
		_ = os.Remove(index)
		flip(t, packs[0])
		if err := os.Chtimes(packs[0], old, old); err != nil {
			t.Fatal(err)
		}
		if faults, err := s.PackFaults(); len(faults) != 1 || faults[0].Index != "" || err != nil {
			t.Errorf("both are damaged: %+v, %v", faults, err)
		}
	})
}

// A fetch puts a pack in place before its index, so one that came just now is no
// fault. But what is missing may be in it.
func TestPackOfAFetch(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	tip := put(t, s, file("a.md", "1"))
	r.Write(".git/objects/pack/pack-12.pack", "PACK")
	r.Write(".git/objects/pack/tmp_pack_12", "PACK")
	look := func() {
		t.Helper()
		if faults, err := s.PackFaults(); len(faults) != 0 || err != nil {
			t.Errorf("%+v, %v", faults, err)
		}
	}
	look()
	if why := s.OutOfReach("object " + tip + " is missing"); why != "" {
		t.Errorf("half a pack has it: %s", why)
	}
	r.Git("repack", "-adq")
	indexes, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.idx"))
	if err != nil || len(indexes) != 1 || os.Remove(indexes[0]) != nil {
		t.Fatal(indexes, err)
	}
	look()
	contains(t, s.OutOfReach("object "+tip+" is missing"), "git index-pack ")
}

func TestCutPacks(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		r := gittest.New(t, gittest.Init(args...))
		s := open(t, r)
		if cut, err := s.PackFaults(); len(cut) > 0 || err != nil {
			t.Errorf("%s: none: %+v, %v", name, cut, err)
		}
		put(t, s, file("a.md", "1"))
		r.Git("gc", "-q")
		if cut, err := s.PackFaults(); len(cut) > 0 || err != nil {
			t.Errorf("%s: whole: %+v, %v", name, cut, err)
		}
		packs, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		info, err := os.Stat(packs[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{info.Size() - 1, info.Size() - 60, 12, 3, 0} {
			if err := os.Chmod(packs[0], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(packs[0], size); err != nil {
				t.Fatal(err)
			}
			if cut, err := s.PackFaults(); len(cut) != 1 || cut[0].Path != packs[0] || cut[0].Index != "" || err != nil {
				t.Errorf("%s: %d bytes: %+v, %v", name, size, cut, err)
			}
		}
	}
}
