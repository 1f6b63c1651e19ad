package gitstore

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// eachShape runs a test with each object writer, engine and repository they
// serve. Each keeps the whole contract.
func eachShape(t *testing.T, test func(t *testing.T, r *gittest.Repo, s *Store)) {
	tests := []struct {
		name   string
		engine string
		make   func(t testing.TB) *gittest.Repo
	}{
		{"own reading", engineGogit, func(t testing.TB) *gittest.Repo { return gittest.New(t) }},
		{"native reading", engineNative, func(t testing.TB) *gittest.Repo { return gittest.New(t) }},
		{"sha256", engineNative, func(t testing.TB) *gittest.Repo { return gittest.New(t, gittest.ObjectFormat("sha256")) }},
		{"bare", engineGogit, func(t testing.TB) *gittest.Repo { return gittest.NewBare(t) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := tt.make(t)
			s := open(t, reading(r, tt.engine))
			test(t, r, s)
			fsck(t, r)
		})
	}
}

func TestContractFiles(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		first := put(t, s, file("README.md", "top"), file("a/plan.md", "plan"), file("a/tasks/01-x.md", "x"), file("b/plan.md", "b"))
		tree := r.Git("rev-parse", first+":a/tasks")
		blob := r.Git("rev-parse", first+":README.md")
		steps := []struct {
			name  string
			files []FileChange
			want  string
		}{
			{"change", []FileChange{file("a/plan.md", "new")}, "README.md a/plan.md a/tasks/01-x.md b/plan.md"},
			{"delete a file, its folder vanishes", []FileChange{{Path: "a/tasks/01-x.md", Delete: true}}, "README.md a/plan.md b/plan.md"},
			{"delete what is not there", []FileChange{{Path: "none/x/y", Delete: true}, {Path: "README.md/x", Delete: true}, file("c", "c")}, "README.md a/plan.md b/plan.md c"},
			{"delete a folder", []FileChange{{Path: "a", Delete: true}}, "README.md b/plan.md c"},
			{"graft a tree and a blob", []FileChange{{Path: "archive/2026/a", Object: tree, Mode: ModeFolder}, {Path: "copy", Object: blob}},
				"README.md archive/2026/a/01-x.md b/plan.md c copy"},
			{"change in a graft", []FileChange{{Path: "d", Object: tree, Mode: ModeFolder}, file("d/02-y.md", "y")},
				"README.md archive/2026/a/01-x.md b/plan.md c copy d/01-x.md d/02-y.md"},
			{"in order", []FileChange{{Path: "d", Delete: true}, file("d/new", "n"), file("e/f", "1"), {Path: "e", Delete: true}, {Path: "c", Delete: true}, file("c/x", "folder now")},
				"README.md archive/2026/a/01-x.md b/plan.md c/x copy d/new"},
			{"folder to file", []FileChange{{Path: "c/x", Delete: true}, file("c", "file again"), {Path: "run", Data: []byte("x"), Mode: ModeExecutable}},
				"README.md archive/2026/a/01-x.md b/plan.md c copy d/new run"},
			{"empty tree grafted", []FileChange{{Path: "d", Object: s.repo.EmptyTree(), Mode: ModeFolder}}, "README.md archive/2026/a/01-x.md b/plan.md c copy run"},
		}
		for _, step := range steps {
			commit := put(t, s, step.files...)
			if got := strings.ReplaceAll(r.Git("ls-tree", "-r", "--name-only", commit), "\n", " "); got != step.want {
				t.Errorf("%s:\ngot  %s\nwant %s", step.name, got, step.want)
			}
		}
		tip, _ := s.Tip(t.Context())
		if got := r.Git("ls-tree", tip.Commit, "run"); !strings.HasPrefix(got, "100755 ") {
			t.Errorf("mode: %s", got)
		}
		if got := content(t, s, tip.Commit, "c"); got != "file again" {
			t.Errorf("content %q", got)
		}
		if got := r.Git("rev-list", "--count", testRef); got != fmt.Sprint(len(steps)+1) {
			t.Errorf("%s commits", got)
		}
	})
}

func TestContractRefusedChanges(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		first := put(t, s, file("a/x", "x"), file("f", "f"))
		for _, bad := range []FileChange{
			file("", "x"), file("/a", "x"), file("a//b", "x"), file("a/", "x"), file("../x", "x"), file("a/./b", "x"),
			file(".git/config", "x"), file("a/.GIT", "x"), file("a\x00b", "x"), file("f/below", "x"), file("a", "was a folder"),
			{Path: "g", Object: "HEAD"}, {Path: "g", Mode: ModeFolder}, {Path: "g", Mode: 0o777}, {Path: "", Delete: true},
			{Path: "f", Object: s.repo.EmptyTree(), Mode: ModeFolder},
		} {
			var refused *ChangeError
			if _, err := s.Update(t.Context(), "x", adding("bad", bad)); !errors.As(err, &refused) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		var missing *MissingObjectError
		if _, err := s.Update(t.Context(), "x", adding("bad", FileChange{Path: "g", Object: strings.Repeat("12", s.repo.nameLen()/2)})); !errors.As(err, &missing) {
			t.Errorf("graft of a missing blob: %v", err)
		}
		var corrupt *CorruptObjectError
		if _, err := s.Update(t.Context(), "x", adding("bad", FileChange{Path: "g", Object: first})); !errors.As(err, &corrupt) {
			t.Errorf("graft of a commit as a file: %v", err)
		}
		blob := r.Git("rev-parse", first+":f")
		if _, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) {
			return []Change{{Parents: []string{blob}, Base: first, Message: "x"}}, nil
		}); !errors.As(err, &corrupt) {
			t.Errorf("a blob as a parent: %v", err)
		}
		for _, c := range []Change{
			{Root: true, Message: " \n"}, {Root: true, Message: "a\x00b"}, {Root: true, Message: "\xff"},
			{Message: "no parents"}, {Root: true, Parents: []string{first}, Message: "both"},
			{Parents: []string{"HEAD"}, Message: "revision"}, {Parents: []string{Previous}, Message: "none before"},
			{Root: true, Base: Previous, Message: "none before"}, {Root: true, Message: "m", Author: &Ident{}},
		} {
			var refused *ChangeError
			if _, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) { return []Change{c}, nil }); !errors.As(err, &refused) {
				t.Errorf("%+v: %v", c, err)
			}
		}
		if tip, err := s.Tip(t.Context()); err != nil || tip.Commit != first {
			t.Errorf("the ref moved: %+v, %v", tip, err)
		}
	})
}

// A list of changes lands as one step of the ref, merges included.
func TestContractCommits(t *testing.T) {
	zone := time.FixedZone("", -(5*3600 + 30*60))
	when := time.Unix(1_700_000_000, 0).In(zone)
	root := Change{Root: true, Message: "root", Unsigned: true,
		Author: &Ident{"Nobody", "", time.Unix(0, 0).UTC()}, Committer: &Ident{"Nobody", "", time.Unix(0, 0).UTC()}}
	eachShape(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		side := r.Git("commit-tree", "-m", "side", s.repo.emptyTreeIn(r))
		result, err := s.Update(t.Context(), "three at once", func(tip Tip) ([]Change, error) {
			if tip != (Tip{}) {
				t.Errorf("tip %+v", tip)
			}
			return []Change{
				root,
				{Parents: []string{Previous}, Base: Previous, Files: []FileChange{file("a", "1")}, Message: "subject\n\nPlan: a\n"},
				{Parents: []string{Previous, side, side}, Base: Previous, Files: []FileChange{file("b", "2")}, Message: "merge",
					Author: &Ident{" Zoë <x>. ", "z@e", when}},
			}, nil
		})
		if err != nil || len(result.Commits) != 3 || result.Old != "" {
			t.Fatalf("%+v, %v", result, err)
		}
		last := result.Commits[2]
		if got := r.Git("rev-parse", testRef); got != last {
			t.Errorf("the ref is at %s", got)
		}
		if got := r.Git("log", "-1", "--format=%P", last); got != result.Commits[1]+" "+side {
			t.Errorf("parents %s", got)
		}
		if got := r.Git("log", "-1", "--format=%an|%ae|%ad|%cn|%cd", "--date=raw", last); got != "Zoë x|z@e|1700000000 -0530|Carl Committer|1767323045 +0000" {
			t.Errorf("identities %s", got)
		}
		if got := r.Git("log", "-1", "--format=%B|%(trailers:key=Plan,valueonly)", result.Commits[1]); !strings.HasPrefix(got, "subject\n\nPlan: a\n|a") {
			t.Errorf("message %q", got)
		}
		if got := r.Git("reflog", "show", "--format=%gs", testRef); got != "three at once" {
			t.Errorf("reflog %q", got)
		}
		if got := files(r, last); got != "100644 a\n100644 b" {
			t.Errorf("files %q", got)
		}
	})
}

// emptyTreeIn makes sure that the empty tree is stored, for git fsck.
func (r *Repo) emptyTreeIn(repo *gittest.Repo) string {
	return repo.GitInput("", "hash-object", "-t", "tree", "-w", "--stdin")
}

// The same root in every clone: neither clock, nor person, nor signing counts.
func TestDeterministicRoot(t *testing.T) {
	t.Parallel()
	nobody := Ident{"git-plan", "git-plan@localhost", time.Unix(0, 0).UTC()}
	make := func(r *gittest.Repo) string {
		result, err := open(t, r).Update(t.Context(), "root", func(Tip) ([]Change, error) {
			return []Change{{Root: true, Message: "begin", Author: &nobody, Committer: &nobody, Unsigned: true}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fsck(t, r)
		return result.Commits[0]
	}
	plain, signing := gittest.New(t), gittest.New(t)
	signing.Git("config", "commit.gpgSign", "true")
	signing.Git("config", "gpg.program", "/no/such/program")
	if a, b := make(plain), make(signing.With("GIT_AUTHOR_NAME=Else", "GIT_COMMITTER_DATE=2030-01-01T00:00:00Z")); a != b {
		t.Errorf("roots differ: %s %s", a, b)
	}
	r := gittest.New(t)
	make(r)
	result, err := open(t, r).Update(t.Context(), "root", func(Tip) ([]Change, error) {
		return []Change{{Root: true, Message: "begin", Author: &nobody, Committer: &nobody, Unsigned: true}}, nil
	})
	if err != nil || len(result.Commits) != 0 {
		t.Errorf("a second time: %+v, %v", result, err)
	}
}

func TestSigned(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		program := filepath.Join(t.TempDir(), "gpg")
		script := "#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\necho fake\necho '-----END PGP SIGNATURE-----'\n"
		gittest.Script(t, program, script)
		r.Git("config", "commit.gpgSign", "true")
		r.Git("config", "gpg.program", program)
		s = reopen(t, s) // the configuration was read when s was opened
		result, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) {
			return []Change{
				{Root: true, Message: "unsigned", Unsigned: true},
				{Parents: []string{Previous}, Base: Previous, Files: []FileChange{file("a", "1")}, Message: "one"},
				{Parents: []string{Previous}, Base: Previous, Files: []FileChange{file("b", "2")}, Message: "two"},
			}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range result.Commits {
			signed := strings.Contains(r.Git("cat-file", "commit", name), "BEGIN PGP SIGNATURE")
			if signed != (i > 0) {
				t.Errorf("commit %d signed: %v", i, signed)
			}
		}
		if got := files(r, testRef); got != "100644 a\n100644 b" {
			t.Errorf("files %q", got)
		}
		if c, err := s.Commit(t.Context(), result.Commits[2]); err != nil || c.Message != "two\n" || c.Parents[0] != result.Commits[1] {
			t.Errorf("read back: %+v, %v", c, err)
		}
		r.Git("config", "gpg.program", "/no/such/program")
		fresh := open(t, r)
		if _, err := fresh.Update(t.Context(), "x", adding("unsignable", file("c", "3"))); err == nil {
			t.Error("a commit that cannot be signed landed")
		}
		if got := r.Git("rev-parse", testRef); got != result.Commits[2] {
			t.Errorf("the ref moved to %s", got)
		}
	})
}

// From a hundred objects the pack stays, and nothing keeps it from a later gc.
func TestContractManyObjects(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo, s *Store) {
		var many []FileChange
		for i := range 120 {
			many = append(many, file(fmt.Sprintf("plan-%03d/plan.md", i), fmt.Sprint("plan ", i)))
		}
		commit := put(t, s, many...)
		if got := len(strings.Fields(r.Git("ls-tree", "-r", "--name-only", commit))); got != len(many) {
			t.Errorf("%d files", got)
		}
		packs, _ := filepath.Glob(filepath.Join(s.repo.CommonDir, "objects/pack/*.pack"))
		keeps, _ := filepath.Glob(filepath.Join(s.repo.CommonDir, "objects/pack/*.keep"))
		if len(keeps) != 0 || len(packs) != 1 {
			t.Errorf("packs %q, keeps %q", packs, keeps)
		}
		put(t, s, file("plan-001/plan.md", "changed"))
	})
}
