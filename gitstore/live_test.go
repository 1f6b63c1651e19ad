package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A repository may be packed in any way while a store is open.
func TestPackedWhileOpen(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.GitInput(importedHistory(20), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
	objects := allObjects(r)
	s := alone(t, open(t, r))
	readAll(t, s, objects[:len(objects)/2])
	for _, command := range []string{
		"gc -q", "repack -adfq --depth=3", "repack -adFq --window=0", "multi-pack-index write",
		"repack -adq --write-midx", "repack -adfq", "unpack", "commit -q --allow-empty -m x", "gc -q --prune=now",
	} {
		if command == "unpack" {
			unpackAll(t, r)
		} else {
			r.Git(strings.Fields(command)...)
		}
		s.engine.(*gogit).db.Forget()
		readAll(t, s, objects)
	}
	added := r.GitInput("written since", "hash-object", "-w", "--stdin")
	if data, err := s.Blob(t.Context(), added, 0); err != nil || string(data) != "written since" {
		t.Errorf("a new object: %q, %v", data, err)
	}
}

// unpackAll turns packs into loose objects.
func unpackAll(t testing.TB, r *gittest.Repo) {
	t.Helper()
	packs, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(strings.TrimSuffix(pack, "pack") + "*")
		for _, path := range files {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		r.GitInput(string(data), "unpack-objects", "-q")
	}
}

// A pack that is open can be read after it was deleted, and when its files have
// to be opened again the object is found elsewhere.
func TestPackDeletedUnderOpenHandle(t *testing.T) {
	t.Parallel()
	r := packedAs("repack -adq")(t)
	objects := allObjects(r)
	s := alone(t, open(t, r))
	readAll(t, s, objects[len(objects)-1:])
	r.Git("repack", "-adfq", "--depth=2")
	readAll(t, s, objects)
	if err := s.engine.(*gogit).db.Close(); err != nil {
		t.Fatal(err)
	}
	readAll(t, s, objects)
}

// Readers on all sides while git packs anew again and again.
func TestReadWhileRepacking(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.GitInput(importedHistory(15), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
	objects := allObjects(r)
	s := open(t, r)
	if s.Engine() != engineGogit {
		t.Fatal(s.Engine())
	}
	db := s.engine.(*gogit).db
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					db.Forget()
					readAll(t, s, objects)
				}
			}
		})
	}
	for i := range 6 {
		r.Git("repack", "-adfq", fmt.Sprint("--depth=", i%3), fmt.Sprint("--window=", i))
		if i%2 == 0 {
			r.Git("prune-packed", "-q")
			r.Git("multi-pack-index", "write")
		}
	}
	close(done)
	group.Wait()
}

// Git is asked before an object is called missing or damaged, so that a layout
// this process does not know is read all the same.
func TestGitIsAskedFirst(t *testing.T) {
	t.Parallel()
	r := packedAs("-c pack.indexVersion=1 repack -adq")(t)
	s := open(t, r)
	if s.Engine() != engineGogit {
		t.Fatal(s.Engine())
	}
	objects := allObjects(r)
	readAll(t, s, objects)
	db := s.engine.(*gogit).db
	if _, err := db.Read(plumbing.NewHash(objects[0].name), plumbing.AnyObject, 0); err == nil {
		t.Error("an index of version 1 is read after all: test with another layout")
	}
}

// Git believes a file what it is; a name is what content must have.
func TestWrongContentUnderAName(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	a := r.GitInput("one", "hash-object", "-w", "--stdin")
	b := r.GitInput("two", "hash-object", "-w", "--stdin")
	path := func(name string) string { return filepath.Join(r.Dir, ".git/objects", name[:2], name[2:]) }
	data, err := os.ReadFile(path(b))
	if err != nil {
		t.Fatal(err)
	}
	replace(t, path(a), data)
	s := open(t, r)
	var corrupt *CorruptObjectError
	if got, err := s.Blob(t.Context(), a, 0); !isA(err, &corrupt) || corrupt.Name != a {
		t.Errorf("Blob = %q, %v", got, err)
	}
	replace(t, path(a), data[:4])
	if got, err := s.Blob(t.Context(), a, 0); !isA(err, &corrupt) || corrupt.Name != a {
		t.Errorf("Blob = %q, %v", got, err)
	}
	// A good copy in a pack serves.
	fresh := r.GitInput("three", "hash-object", "-w", "--stdin")
	r.GitInput(fresh+"\n", "pack-objects", "-q", filepath.Join(r.Dir, ".git/objects/pack/pack"))
	replace(t, path(fresh), data)
	if got, err := alone(t, open(t, r)).Blob(t.Context(), fresh, 0); err != nil || string(got) != "three" {
		t.Errorf("Blob = %q, %v", got, err)
	}
}

func TestEngineChoice(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("config", "plan.engine", "other")
	s := open(t, r)
	if _, err := s.Blob(t.Context(), r.Git("rev-parse", "HEAD:README.md"), 0); err == nil || !strings.Contains(err.Error(), "'other' for 'plan.engine'") {
		t.Errorf("Blob = %v", err)
	}
	if got := s.Engine(); got != "" {
		t.Errorf("engine %q", got)
	}
	if err := os.RemoveAll(filepath.Join(r.Dir, ".git/objects")); err != nil {
		t.Fatal(err)
	}
	repo := &Repo{Git: r.G(), CommonDir: filepath.Join(r.Dir, ".git"), ObjectFormat: "sha1"}
	repo.config = parseConfig("")
	if got := Open(repo, testRef).Engine(); got != engineNative {
		t.Errorf("without objects: %s", got)
	}
}

// A pack damaged in the middle is told by both engines, naming the object.
func TestCorruptPackByte(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	name := r.GitInput(strings.Repeat("0123456789", 1000), "hash-object", "-w", "--stdin")
	r.GitInput(name+"\n", "-c", "pack.compression=0", "pack-objects", "-q", filepath.Join(r.Dir, ".git/objects/pack/pack"))
	r.Git("prune-packed")
	packs, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	replace(t, packs[0], data)
	eachEngine(t, func(t *testing.T, engine string) {
		s := openWith(t, r, engine)
		var corrupt *CorruptObjectError
		for range 2 {
			if _, err := s.Blob(t.Context(), name, 0); !isA(err, &corrupt) || corrupt.Name != name {
				t.Errorf("Blob = %v", err)
			}
		}
		if _, err := s.Commit(t.Context(), r.Git("rev-parse", "HEAD")); err != nil {
			t.Errorf("the next read: %v", err)
		}
	})
}
