package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

func TestTip(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	if _, err := s.Tip(t.Context()); !errors.Is(err, ErrNoRef) {
		t.Errorf("absent: %v", err)
	}
	r.Git("branch", "plans/below") // a folder of that name is not the ref
	if _, err := s.Tip(t.Context()); !errors.Is(err, ErrNoRef) {
		t.Errorf("folder: %v", err)
	}
	r.Git("branch", "-D", "plans/below")
	head := r.Git("rev-parse", "HEAD")
	r.Git("update-ref", testRef, head)
	if tip, err := s.Tip(t.Context()); err != nil || tip != (Tip{Commit: head}) {
		t.Errorf("loose: %+v, %v", tip, err)
	}
	r.Git("pack-refs", "--all")
	if tip, err := s.Tip(t.Context()); err != nil || tip.Commit != head {
		t.Errorf("packed: %+v, %v", tip, err)
	}
	tree := filepath.Join(filepath.Dir(r.Dir), "my plans")
	r.Git("worktree", "add", "-q", tree, "plans")
	if tip, err := s.Tip(t.Context()); err != nil || tip.Worktree != tree {
		t.Errorf("checked out: %+v, %v", tip, err)
	}
	if got, err := s.TipOf(t.Context(), "refs/heads/main"); err != nil || got != head {
		t.Errorf("TipOf = %q, %v", got, err)
	}
	for _, bad := range []string{"plans", "refs/heads/*", "refs/heads/a b", "refs/heads/a\nb", "refs/heads/..", "refs/heads/"} {
		if _, err := s.TipOf(t.Context(), bad); err == nil || errors.Is(err, ErrNoRef) {
			t.Errorf("TipOf(%q) = %v", bad, err)
		}
	}
}

// A ref that cannot be read must never look like one that is not there: a
// writer would begin anew over it.
func TestBrokenRefs(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"empty": "", "garbage": "xyz\n", "missing commit": strings.Repeat("12345678", 5) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t)
			s := open(t, r)
			r.Write(".git/"+testRef, content)
			_, err := s.Tip(t.Context())
			var broken *BrokenRefError
			if !errors.As(err, &broken) {
				t.Fatalf("Tip = %v", err)
			}
			contains(t, err.Error(), testRef)
			if _, err := s.Update(t.Context(), "x", adding("x", file("a", "b"))); !errors.As(err, &broken) {
				t.Errorf("Update = %v", err)
			}
			if got := r.Read(".git/" + testRef); got != content {
				t.Errorf("the ref became %q", got)
			}
		})
	}
	r := gittest.New(t)
	r.Git("tag", "-a", "-m", "x", "v1")
	s := open(t, r)
	if _, err := s.TipOf(t.Context(), "refs/tags/v1"); err == nil {
		t.Error("a tag object is no commit")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	head := r.Git("rev-parse", "HEAD")
	for _, rev := range []string{"HEAD", "main", head, head[:9], "main@{0}", ":/begin", "HEAD^{/begin}"} {
		if got, err := s.Resolve(t.Context(), rev); err != nil || got != head {
			t.Errorf("Resolve(%q) = %q, %v", rev, got, err)
		}
	}
	for _, rev := range []string{"", "nope", "--all", "--output=x", "HEAD~5", "HEAD:README.md", ":/no such words", strings.Repeat("0", 40), "a\nb", "HEAD..main"} {
		var none *NotFoundError
		if _, err := s.Resolve(t.Context(), rev); !errors.As(err, &none) {
			t.Errorf("Resolve(%q) = %v", rev, err)
		}
	}
}

func TestCommitAndTree(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine string) {
		r := gittest.New(t)
		s := openWith(t, r, engine)
		r.Write("a/b.md", "text")
		name := r.Commit("subject\n\nbody\n\nPlan: a")
		c, err := s.Commit(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != name || c.Tree != r.Git("rev-parse", "HEAD^{tree}") || len(c.Parents) != 1 || c.Message != "subject\n\nbody\n\nPlan: a\n" {
			t.Errorf("commit %+v", c)
		}
		if c.Author.String() != "Ada Author <ada@example.com> 1767323045 +0000" || c.Committer.Email != "carl@example.com" {
			t.Errorf("author %v, committer %v", c.Author, c.Committer)
		}
		entries, err := s.Tree(t.Context(), c.Tree)
		if err != nil || len(entries) != 2 || entries[0].Name != "README.md" || entries[0].Mode != ModeFile || !entries[1].IsFolder() {
			t.Errorf("tree %+v, %v", entries, err)
		}
		entries[0].Name = "changed by the caller"
		if again, _ := s.Tree(t.Context(), c.Tree); again[0].Name != "README.md" {
			t.Error("a caller can change what others get")
		}
		for path, want := range map[string]string{"a/b.md": "text", "a/c": "-", "x/y": "-", "a/b.md/z": "-"} {
			if got := content(t, s, name, path); got != want {
				t.Errorf("%s is %q", path, got)
			}
		}
		if e, ok, err := s.Lookup(t.Context(), name, ""); err != nil || !ok || e.Object != c.Tree {
			t.Errorf("root: %+v %v %v", e, ok, err)
		}
		var corrupt *CorruptObjectError
		if _, err := s.Blob(t.Context(), c.Tree, 0); !errors.As(err, &corrupt) {
			t.Errorf("a tree read as a blob: %v", err)
		}
		if _, err := s.Tree(t.Context(), "HEAD"); err == nil {
			t.Error("a revision is no object name")
		}
	})
}

// What counts in a commit is what git takes: a header further down must not
// stand for it.
func TestCommitHeaders(t *testing.T) {
	t.Parallel()
	const who = "author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n"
	for _, tt := range []struct{ data, tree, parents string }{
		{"tree 11aa\nparent p\nparent q\n" + who + "\ntree 22bb\n", "11aa", "p q"},
		{"tree 11aa\nparent p\ntree 22bb\n" + who + "\nx\n", "11aa", "p"},
		{"tree 11aa\n" + who + "tree 22bb\nparent p\n\nx\n", "11aa", ""},
		{"parent p\ntree 11aa\n" + who + "\nx\n", "", ""},
		{"tree ../x\n" + who + "\nx\n", "", ""},
		{"tree 11aaa\n" + who + "\nx\n", "", ""},
		{"", "", ""},
	} {
		c, err := decodeCommit("name", tt.data)
		if tt.tree == "" {
			if err == nil {
				t.Errorf("%q: read as %+v", tt.data, c)
			}
			continue
		}
		if err != nil || c.Tree != tt.tree || strings.Join(c.Parents, " ") != tt.parents || c.Committer.Name != "A" {
			t.Errorf("%q: %+v, %v", tt.data, c, err)
		}
	}
}

func TestIdentities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Ident{
		"A B <a@b> 10 +0130": {Name: "A B", Email: "a@b"}, "<> 10 -0500": {}, "no brackets": {Name: "no brackets"},
		"A <a> b> x +0000": {Name: "A", Email: "a> b"}, "A <a": {Name: "A <a"}, "": {},
	} {
		got := parseIdent(text)
		if got.Name != want.Name || got.Email != want.Email {
			t.Errorf("%q is %+v", text, got)
		}
		if strings.Contains(text, " 10 ") && !strings.HasSuffix(text, got.date()) {
			t.Errorf("%q has date %q", text, got.date())
		}
	}
	if _, err := (Ident{Name: " .,<> ", Email: "x"}).clean(); err == nil {
		t.Error("an empty name was accepted")
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a/x", "1"), file("b/x", "1"))
	second := put(t, s, file("a/x", "2"))
	third := put(t, s, file("b/x", "2"), file("*", "star"))
	tests := []struct {
		limit int
		paths []string
		want  []string
	}{
		{0, nil, []string{third, second, first}},
		{2, nil, []string{third, second}},
		{0, []string{"a"}, []string{second, first}},
		{1, []string{"b"}, []string{third}},
		{0, []string{"*"}, []string{third}},
		{0, []string{"none"}, nil},
	}
	for _, tt := range tests {
		for _, at := range []*Store{s, open(t, r.At(filepath.Join(r.Dir, ".git")))} {
			got, err := at.History(t.Context(), testRef, tt.limit, tt.paths...)
			if err != nil || strings.Join(commits(got), " ") != strings.Join(tt.want, " ") {
				t.Errorf("%v: %v, %v", tt, got, err)
			}
		}
	}
	r.Write("a/keep", "")
	sub := open(t, r.At(filepath.Join(r.Dir, "a")))
	if got, err := sub.History(t.Context(), third, 0, "a/x"); err != nil || len(got) != 2 {
		t.Errorf("from a subdirectory: %v, %v", got, err)
	}
}

func commits(steps []Step) []string {
	var names []string
	for _, s := range steps {
		names = append(names, s.Commit)
	}
	return names
}

// Missing is an error of its own and never an absent file.
func TestMissingObjects(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine string) {
		r := gittest.New(t)
		s := openWith(t, r, engine)
		commit := put(t, s, file("a/x", "content"))
		entry, ok, err := s.Lookup(t.Context(), commit, "a/x")
		if err != nil || !ok {
			t.Fatal(err)
		}
		folder, _, _ := s.Lookup(t.Context(), commit, "a")
		for _, name := range []string{entry.Object, folder.Object} {
			if err := os.Remove(filepath.Join(r.Dir, ".git/objects", name[:2], name[2:])); err != nil {
				t.Fatal(err)
			}
		}
		fresh := openWith(t, r, engine)
		var missing *MissingObjectError
		if _, err := fresh.Blob(t.Context(), entry.Object, 0); !errors.As(err, &missing) || missing.Name != entry.Object {
			t.Errorf("Blob = %v", err)
		}
		if _, ok, err := fresh.Lookup(t.Context(), commit, "a/x"); !errors.As(err, &missing) || ok {
			t.Errorf("Lookup = %v, %v", ok, err)
		}
		if _, err := fresh.Update(t.Context(), "x", adding("x", file("a/y", "1"))); !errors.As(err, &missing) {
			t.Errorf("Update = %v", err)
		}
		if _, err := fresh.Commit(t.Context(), commit); err != nil {
			t.Errorf("the child is of no use any more: %v", err)
		}
	})
}

func TestMissingInPartialClone(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("config", "uploadpack.allowFilter", "true")
	name := r.Git("rev-parse", "HEAD:README.md")
	clone := r.Clone(t, "--no-checkout", "--filter=blob:none", "--no-local")
	clone.Git("remote", "set-url", "origin", filepath.Join(r.Dir, "gone"))
	var missing *MissingObjectError
	s := open(t, clone)
	if _, err := s.Blob(t.Context(), name, 0); !errors.As(err, &missing) {
		t.Errorf("Blob = %v", err)
	}
	if c, err := s.Resolve(t.Context(), "HEAD"); err != nil || c == "" {
		t.Errorf("Resolve = %v", err)
	}
}

func TestHugeBlobIsRefusedUnread(t *testing.T) {
	eachEngine(t, func(t *testing.T, engine string) {
		r := gittest.New(t)
		s := openWith(t, r, engine)
		big := r.GitInput(strings.Repeat("x", 64<<20), "hash-object", "-w", "--stdin")
		small := r.GitInput("small", "hash-object", "-w", "--stdin")
		r.GitInput(strings.Repeat("y", 2000), "hash-object", "-w", "--stdin")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := s.Blob(t.Context(), big, 1<<20)
		runtime.ReadMemStats(&after)
		var large *TooLargeError
		if !errors.As(err, &large) || large.Size != 64<<20 {
			t.Fatalf("Blob = %v", err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%d bytes were allocated", grown)
		}
		if _, err := s.Blob(t.Context(), small, 4); !errors.As(err, &large) {
			t.Errorf("Blob = %v", err)
		}
		if data, err := s.Blob(t.Context(), small, 5); err != nil || string(data) != "small" {
			t.Errorf("the next read gives %q, %v", data, err)
		}
		if data, err := s.Blob(t.Context(), big, 0); err != nil || len(data) != 64<<20 {
			t.Errorf("without a bound: %d, %v", len(data), err)
		}
	})
}

func TestReadIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine string) {
		r := gittest.New(t)
		s := openWith(t, r, engine)
		commit := put(t, s, file("a", strings.Repeat("a", 100_000)), file("b", "b"))
		a, _, _ := s.Lookup(t.Context(), commit, "a")
		b, _, _ := s.Lookup(t.Context(), commit, "b")
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for range 20 {
					name, want := a.Object, 100_000
					if i%2 == 0 {
						name, want = b.Object, 1
					}
					if data, err := s.Blob(t.Context(), name, 0); err != nil || len(data) != want {
						t.Errorf("%d bytes, %v", len(data), err)
					}
					if _, err := s.Blob(t.Context(), a.Object, 10); err == nil {
						t.Error("too large was read")
					}
				}
			})
		}
		group.Wait()
	})
}

func TestCancelledRead(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine string) {
		s := openWith(t, gittest.New(t), engine)
		commit := put(t, s, file("a", "a"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Commit(ctx, commit); !errors.Is(err, context.Canceled) {
			t.Errorf("Commit = %v", err)
		}
		if _, err := s.Update(ctx, "x", adding("x", file("b", "b"))); !errors.Is(err, context.Canceled) {
			t.Errorf("Update = %v", err)
		}
		if _, err := s.Commit(t.Context(), commit); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}
