package gitstore

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/objectdb"
	"github.com/go-git/go-git/v5/plumbing"
)

// Whatever byte of a repository is damaged: an object is what its name says, or
// an error that names it. Git alone may make good what was found damaged.
func TestDamagedBytes(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{
		"pack": "pack/*.pack", "index": "pack/*.idx", "loose": "??/*",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.GitInput(importedHistory(12), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
			if name != "loose" {
				r.Git("repack", "-adq")
			}
			objects := allObjects(r)
			files, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects", pattern))
			random := rand.New(rand.NewPCG(1, 2))
			for range 150 {
				path := files[random.IntN(len(files))]
				good, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				bad := slices.Clone(good)
				if random.IntN(8) == 0 {
					bad = bad[:random.IntN(len(bad))]
				} else {
					bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
				}
				replace(t, path, bad)
				readDamaged(t, r, objects, random)
				replace(t, path, good)
			}
			readAll(t, openWith(t, r, engineGogit), objects)
		})
	}
}

// replace puts another file in the place of a read-only one.
func replace(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// readDamaged reads some objects without git's help.
func readDamaged(t testing.TB, r *gittest.Repo, objects []stored, random *rand.Rand) {
	t.Helper()
	db, err := objectdb.Open(filepath.Join(r.Dir, ".git/objects"))
	if err != nil {
		t.Fatal(err)
	}
	e := &gogit{repo: &Repo{ObjectFormat: "sha1"}, db: db, git: absent{}}
	for range 12 {
		o := objects[random.IntN(len(objects))]
		data, err := e.read(t.Context(), o.name, o.kind, maxMeta)
		if err == nil && plumbing.ComputeHash(hashKind(o.kind), data).String() != o.name {
			t.Fatalf("%s: wrong content", o.name)
		}
		if err != nil && !strings.Contains(err.Error(), o.name) {
			t.Fatalf("%s: %v", o.name, err)
		}
	}
	_ = e.close()
}

// absent is an engine that has nothing.
type absent struct{ refusing }

func (absent) read(_ context.Context, name, _ string, _ int64) ([]byte, error) {
	return nil, &MissingObjectError{Name: name}
}

func hashKind(kind string) plumbing.ObjectType {
	k, _ := plumbing.ParseObjectType(kind)
	return k
}
