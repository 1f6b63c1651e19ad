package gitstore

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// One hostile entry must not hide the others, nor be lost when a neighbour
// changes.
func TestHostileTree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, name := range []string{engineGogit, engineNative} {
		t.Run(name, func(t *testing.T) {
			s := openWith(t, r, name)
			blob := r.GitInput("x", "hash-object", "-w", "--stdin")
			names := []string{"..", ".git", "a/b", "\x1b[31m", "ok.md", "zz\nz"}
			var entries []Entry
			for _, name := range names {
				entries = append(entries, Entry{Name: name, Mode: ModeFile, Object: blob})
			}
			entries = append(entries, Entry{Name: "zzz", Mode: 0, Object: blob}, Entry{Name: "mod", Mode: ModeSubmodule, Object: blob})
			slices.SortFunc(entries, compareEntries)
			raw, err := encodeTree(entries)
			if err != nil {
				t.Fatal(err)
			}
			tree := r.GitInput(string(raw), "hash-object", "-t", "tree", "--literally", "-w", "--stdin")
			r.Git("update-ref", testRef, r.Git("commit-tree", "-m", "hostile", tree))
			if got, err := s.Tree(t.Context(), tree); err != nil || len(got) != len(entries) {
				t.Fatalf("Tree = %v, %v", got, err)
			}
			commit, err := s.Commit(t.Context(), put(t, s, file("plan/plan.md", "p"), FileChange{Path: "..", Delete: true}))
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Tree(t.Context(), commit.Tree)
			if err != nil || len(got) != len(entries) {
				t.Fatalf("afterwards: %v, %v", got, err)
			}
			for _, e := range got {
				if e.Name == ".." {
					t.Error("a hostile entry cannot be deleted")
				}
			}
		})
	}
}

func TestCorruptTree(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"x", "100644", "100644 a", "100644 a\x00short", "99 a\x00" + strings.Repeat("x", 20)} {
		var corrupt *CorruptObjectError
		if _, err := decodeTree("t", []byte(data), 20); !errors.As(err, &corrupt) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	dir := func(name string) Entry { return Entry{Name: name, Mode: ModeFolder} }
	plain := func(name string) Entry { return Entry{Name: name, Mode: ModeFile} }
	for _, tt := range []struct {
		entries []Entry
		want    string
	}{
		{nil, ""},
		{[]Entry{plain("a"), plain("a.b"), dir("a.c"), plain("b")}, ""},
		{[]Entry{plain("a-b"), dir("a"), plain("a0")}, ""},
		{[]Entry{plain("a"), plain("a")}, "a"},
		{[]Entry{plain("a"), plain("a.b"), dir("a")}, "a"},
		{[]Entry{plain("b"), plain("a")}, "a"},
		{[]Entry{dir("a"), plain("a-b")}, "a-b"},
	} {
		if name, reason := Malformed(tt.entries); name != tt.want || (reason == "") != (tt.want == "") {
			t.Errorf("%v: %q, %q", tt.entries, name, reason)
		}
	}
}

// Git's own order, in which a folder sorts as if its name ended in a slash.
func TestTreeOrder(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	paths := []string{"a/x", "a.b", "a-b/x", "a0", "ab", "b", "a\x01", "Z", "é", "a b/c"}
	commit := put(t, s, func() (all []FileChange) {
		for _, p := range paths {
			all = append(all, file(p, p))
		}
		return all
	}()...)
	fsck(t, r)
	entries, _ := s.Tree(t.Context(), r.Git("rev-parse", commit+"^{tree}"))
	if len(entries) != len(paths) {
		t.Errorf("%d entries", len(entries))
	}
	r.Git("read-tree", commit)
	if got, want := r.Git("write-tree"), r.Git("rev-parse", commit+"^{tree}"); got != want {
		t.Errorf("git would write %s, not %s", got, want)
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x00"+strings.Repeat("x", 20)), false)
	f.Add([]byte("40000 ..\x00"+strings.Repeat("y", 32)), true)
	f.Add([]byte("040000 a\x00"+strings.Repeat("x", 20)+"100644"), false)
	f.Fuzz(func(t *testing.T, data []byte, long bool) {
		size := 20
		if long {
			size = 32
		}
		entries, err := decodeTree("t", data, size)
		if err != nil {
			return
		}
		again, err := encodeTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeTree("t", again, size)
		if err != nil || len(back) != len(entries) {
			t.Fatalf("%q became %q, %v", data, again, err)
		}
		for i := range back {
			if back[i] != entries[i] {
				t.Fatalf("entry %d became %+v from %+v", i, back[i], entries[i])
			}
		}
		if bytes.Count(data, []byte{'0'}) == 0 && !bytes.Equal(again, data) { // no padded modes
			t.Fatalf("%q became %q", data, again)
		}
		slices.SortStableFunc(back, compareEntries)
		if name, reason := Malformed(back); strings.Contains(reason, "order") {
			t.Fatalf("sorted, %q is out of order", name)
		}
	})
}
