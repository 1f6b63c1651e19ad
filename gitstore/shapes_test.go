package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// The engines, each of which keeps the whole contract.
func eachEngine(t *testing.T, test func(t *testing.T, engine string)) {
	for _, name := range []string{engineGogit, engineNative} {
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

// reading gives a repository with an engine configured.
func reading(r *gittest.Repo, engine string) *gittest.Repo {
	return r.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=plan.engine", "GIT_CONFIG_VALUE_0="+engine)
}

// openWith is open with an engine, which must be the one that reads.
func openWith(t testing.TB, r *gittest.Repo, engine string) *Store {
	t.Helper()
	s := open(t, reading(r, engine))
	if got := s.Engine(); got != engine {
		t.Fatalf("engine %q, want %q", got, engine)
	}
	return s
}

// alone takes git away from a store's own engine: whatever that asks git for
// fails the test.
func alone(t testing.TB, s *Store) *Store {
	t.Helper()
	if got := s.Engine(); got != engineGogit {
		t.Fatalf("engine %q", got)
	}
	s.engine.(*gogit).git = refusing{t}
	return s
}

// refusing is an engine that nobody should need.
type refusing struct{ t testing.TB }

func (e refusing) name() string { return "refusing" }

func (e refusing) close() error { return nil }

func (e refusing) read(_ context.Context, name, want string, _ int64) ([]byte, error) {
	e.t.Errorf("git was asked for the %s %s", want, name)
	return nil, &MissingObjectError{Name: name}
}

// history is a stream for git fast-import: versions of a file and of folders,
// of which git makes long chains of deltas, and a tag.
func importedHistory(versions int) string {
	var b strings.Builder
	for v := range versions {
		var text strings.Builder
		for line := range 200 {
			if line == v%200 {
				fmt.Fprintf(&text, "changed in version %d\n", v)
			}
			fmt.Fprintf(&text, "line %d of a file with some words\n", line*7919%1000)
		}
		fmt.Fprintf(&b, "commit refs/heads/plans\nmark :%d\ncommitter a <a@b> %d +0000\ndata %d\nversion %d\n",
			v+1, 1_767_323_045+v, len(fmt.Sprintf("version %d", v)), v)
		for _, path := range []string{"plan/plan.md", fmt.Sprintf("plan/tasks/%02d-x.md", v)} {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", path, text.Len(), text.String())
		}
	}
	fmt.Fprintf(&b, "tag v1\nfrom :%d\ntagger a <a@b> 1767323045 +0000\ndata 3\ntag\n", versions)
	return b.String()
}

// withHistory makes a repository with history in loose objects.
func withHistory(t testing.TB) *gittest.Repo {
	r := gittest.New(t)
	r.GitInput(importedHistory(60), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
	return r
}

// packedAs makes a repository with history and runs git commands on it.
func packedAs(commands ...string) func(t testing.TB) *gittest.Repo {
	return func(t testing.TB) *gittest.Repo {
		r := withHistory(t)
		for _, c := range commands {
			r.Git(strings.Fields(c)...)
		}
		return r
	}
}

// chained makes a repository as git fast-import packs it, each version made of
// the one before, and packs it again.
func chained(command string) func(t testing.TB) *gittest.Repo {
	return func(t testing.TB) *gittest.Repo {
		r := inPacks(0, command)(t)
		packs, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
		if out := r.Git("verify-pack", "-v", packs[0]); !strings.Contains(out, "chain length = 50:") {
			t.Fatal("there are no chains of 50")
		}
		return r
	}
}

// inPacks makes a repository with a pack of history and some more packs.
func inPacks(count int, commands ...string) func(t testing.TB) *gittest.Repo {
	return func(t testing.TB) *gittest.Repo {
		r := gittest.New(t)
		r.GitInput(importedHistory(60), "fast-import", "--quiet")
		r.Git("repack", "-adq")
		for i := range count {
			r.Write("more.md", fmt.Sprint("more ", i))
			r.Commit("more")
			r.Git("repack", "-dq")
		}
		for _, c := range commands {
			r.Git(strings.Fields(c)...)
		}
		return r
	}
}

// shapes are the ways a repository can be laid out, and the engine for each.
func shapes() map[string]struct {
	engine string
	make   func(t testing.TB) *gittest.Repo
} {
	type row = struct {
		engine string
		make   func(t testing.TB) *gittest.Repo
	}
	return map[string]row{
		"loose":            {engineGogit, withHistory},
		"gc":               {engineGogit, packedAs("gc -q")},
		"aggressive":       {engineGogit, packedAs("gc -q --aggressive")},
		"bitmap":           {engineGogit, packedAs("repack -adbq")},
		"chains of 50":     {engineGogit, chained("repack -adq")},
		"reference deltas": {engineGogit, chained("-c repack.useDeltaBaseOffset=false repack -adq")},
		"uncompressed":     {engineGogit, packedAs("-c core.compression=0 repack -adFq")},
		"cruft":            {engineGogit, cruft},
		"many packs":       {engineGogit, inPacks(20)},
		"multi-pack-index": {engineGogit, inPacks(8, "multi-pack-index write")},
		"multi and bitmap": {engineGogit, inPacks(8, "repack -adq --write-midx --write-bitmap-index")},
		"multi, then more": {engineGogit, inPacks(4, "multi-pack-index write", "commit -q --allow-empty -m x", "repack -dq", "commit -q --allow-empty -m y")},
		"packed refs":      {engineGogit, packedAs("pack-refs --all", "gc -q")},
		"bare":             {engineGogit, func(t testing.TB) *gittest.Repo { return withHistory(t).Clone(t, "--bare") }},
		"shared":           {engineNative, func(t testing.TB) *gittest.Repo { return withHistory(t).Clone(t, "--shared") }},
		"shared twice":     {engineNative, func(t testing.TB) *gittest.Repo { return sharedTwice(t) }},
		"shallow":          {engineGogit, func(t testing.TB) *gittest.Repo { return withHistory(t).Clone(t, "--no-local", "--depth=3") }},
		"linked worktree":  {engineGogit, linked},
		"separate": {engineGogit, func(t testing.TB) *gittest.Repo {
			return withHistory(t).Clone(t, "--separate-git-dir="+t.TempDir()+"/git")
		}},
		"sparse":            {engineGogit, packedAs("sparse-checkout set plan")},
		"empty":             {engineGogit, func(t testing.TB) *gittest.Repo { return gittest.NewBare(t) }},
		"sha256":            {engineNative, func(t testing.TB) *gittest.Repo { return gittest.New(t, gittest.ObjectFormat("sha256")) }},
		"partial":           {engineNative, partial},
		"promisor pack":     {engineNative, promised},
		"replaced":          {engineNative, packedAs("replace refs/heads/plans refs/heads/plans~1")},
		"replaced, packed":  {engineNative, packedAs("replace refs/heads/plans refs/heads/plans~1", "pack-refs --all")},
		"object directory":  {engineNative, elsewhere("GIT_OBJECT_DIRECTORY")},
		"alternates by env": {engineNative, elsewhere("GIT_ALTERNATE_OBJECT_DIRECTORIES")},
		"quarantine":        {engineNative, elsewhere("GIT_QUARANTINE_PATH")},
		"other references":  {engineNative, otherReferences},
		"extension":         {engineNative, packedAs("config extensions.partialClone origin", "config core.repositoryFormatVersion 1")},
		"configured":        {engineNative, packedAs("config plan.engine native")},
	}
}

// sharedTwice makes a repository that borrows from one that borrows, through a
// relative path in one place and comments and quotes in the other.
func sharedTwice(t testing.TB) *gittest.Repo {
	bottom := withHistory(t)
	bottom.Git("gc", "-q")
	middle := bottom.Clone(t, "--shared")
	middle.Write("middle.md", "middle")
	middle.Commit("middle")
	top := middle.Clone(t, "--shared")
	relative, err := filepath.Rel(filepath.Join(middle.Dir, ".git/objects"), filepath.Join(bottom.Dir, ".git/objects"))
	if err != nil {
		t.Fatal(err)
	}
	middle.Write(".git/objects/info/alternates", "# from the bottom\n"+relative+"\n")
	quoted := strings.ReplaceAll(filepath.Join(middle.Dir, ".git/objects"), "o", `\157`)
	top.Write(".git/objects/info/alternates", "/no/such/folder\n\""+quoted+"\"\n")
	return top
}

// cruft keeps all history in a pack of what nothing refers to.
func cruft(t testing.TB) *gittest.Repo {
	r := packedAs("update-ref -d refs/heads/plans", "tag -d v1")(t)
	if _, err := r.TryGit("gc", "-q", "--cruft", "--prune=never"); err != nil {
		t.Skipf("this needs git 2.37: %v", err)
	}
	return r
}

func linked(t testing.TB) *gittest.Repo {
	r := withHistory(t)
	dir := filepath.Join(filepath.Dir(r.Dir), "linked")
	r.Git("worktree", "add", "-q", dir, "plans")
	return r.At(dir)
}

func partial(t testing.TB) *gittest.Repo {
	r := gittest.New(t)
	r.Git("config", "uploadpack.allowFilter", "true")
	return r.Clone(t, "--no-checkout", "--filter=blob:none", "--no-local")
}

func promised(t testing.TB) *gittest.Repo {
	r := packedAs("repack -adq")(t)
	packs, _ := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
	if err := os.WriteFile(strings.TrimSuffix(packs[0], ".pack")+".promisor", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return r
}

func elsewhere(key string) func(t testing.TB) *gittest.Repo {
	return func(t testing.TB) *gittest.Repo {
		r := withHistory(t)
		return r.With(key + "=" + filepath.Join(r.Dir, ".git/objects"))
	}
}

// otherReferences has its refs where GIT_REFERENCE_BACKEND says; git before 2.54
// does not look at it.
func otherReferences(t testing.TB) *gittest.Repo {
	r := withHistory(t)
	return r.With("GIT_REFERENCE_BACKEND=files://" + filepath.Join(r.Dir, ".git"))
}

// Every object of every shape, by both engines, and by this process without any
// help where that is what is chosen.
func TestContractShapes(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := shape.make(t)
			s := open(t, r)
			if got := s.Engine(); got != shape.engine {
				t.Fatalf("engine %s, want %s", got, shape.engine)
			}
			if shape.engine == engineGogit {
				alone(t, s)
			}
			objects := allObjects(r)
			if len(objects) == 0 && name != "empty" {
				t.Fatal("no objects")
			}
			readAll(t, s, objects)
			readAll(t, s, objects) // from what it remembers
			var missing *MissingObjectError
			native := openWith(t, r, engineNative)
			readAll(t, native, objects)
			for _, s := range []*Store{native, open(t, r)} {
				none := strings.Repeat("12", s.repo.nameLen()/2)
				if _, err := s.Blob(t.Context(), none, 0); name != "partial" && name != "extension" && (err == nil || !isA(err, &missing) || missing.Name != none) {
					t.Errorf("%s: a missing object: %v", s.Engine(), err)
				}
			}
		})
	}
}

// stored is an object as git has it.
type stored struct {
	name, kind string
	data       []byte
}

// allObjects reads every object by git, except tags.
func allObjects(r *gittest.Repo) (all []stored) {
	listed := strings.Fields(r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	data := r.GitInput(strings.Join(listed, "\n")+"\n", "cat-file", "--batch") + "\n" // Git trims the end
	for range listed {
		head, rest, _ := strings.Cut(data, "\n")
		fields := strings.Fields(head)
		var size int
		if len(fields) != 3 {
			continue
		}
		_, _ = fmt.Sscan(fields[2], &size)
		if fields[1] != "tag" {
			all = append(all, stored{fields[0], fields[1], []byte(rest[:min(size, len(rest))])})
		}
		data = rest[min(size+1, len(rest)):]
	}
	return all
}

// readAll reads objects and holds them against what git gave.
func readAll(t testing.TB, s *Store, objects []stored) {
	t.Helper()
	for _, o := range slices.Backward(objects) {
		data, err := s.read(context.Background(), o.name, o.kind, 0)
		if err != nil || !bytes.Equal(bytes.TrimRight(data, " \t\r\n"), bytes.TrimRight(o.data, " \t\r\n")) {
			t.Errorf("%s: %s %s: %d bytes of %d, %v", s.Engine(), o.kind, o.name, len(data), len(o.data), err)
			return
		}
		clear(data) // it is the caller's
		if size := int64(len(o.data)); size > 1 {
			var large *TooLargeError
			if _, err := s.read(context.Background(), o.name, o.kind, size-1); !isA(err, &large) || large.Size < size {
				t.Errorf("%s: %s of %d bytes: %v", s.Engine(), o.name, size, err)
				return
			}
		}
	}
}
