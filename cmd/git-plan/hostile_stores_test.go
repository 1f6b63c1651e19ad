package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// owned are the store's own files as something else.
func owned() []hostile {
	gates := func(make func(f *forge) forged) func(*forge, string) string {
		return func(f *forge, base string) string {
			e := make(f)
			return f.Git("commit-tree", "-p", base, "-m", "hostile", f.sorted(append(without(f.root(base), e.name), f.plan(), e)...))
		}
	}
	return []hostile{
		{name: "gates.yaml is a folder", told: "gates.yaml", commit: gates(func(f *forge) forged { return f.folder("gates.yaml", f.described()) })},
		{name: "gates.yaml is a link", told: "gates.yaml", commit: gates(func(f *forge) forged { return forged{"120000", "gates.yaml", f.blob("/etc/passwd")} })},
		{name: "gates.yaml is missing", told: missing, commit: gates(func(f *forge) forged { return forged{"100644", "gates.yaml", missing} })},
		{name: "gates.yaml is huge", told: "gates.yaml", commit: gates(func(f *forge) forged { return f.file("gates.yaml", strings.Repeat("# x\n", 1<<20)) })},
		{name: "gates.yaml is noise", told: "gates.yaml", commit: gates(func(f *forge) forged { return f.file("gates.yaml", "\x1b[31m\xff: [") })},
		{name: "README.md is a folder", told: "README.md", commit: gates(func(f *forge) forged { return f.folder("README.md", f.described()) })},
		{name: "README.md is a link", told: "README.md", commit: gates(func(f *forge) forged { return forged{"120000", "README.md", f.blob(f.told("OUTSIDE/secret"))} })},
		{name: ".github is a link", told: ".github", commit: gates(func(f *forge) forged { return forged{"120000", ".github", f.blob("../outside")} })},
		{name: ".github nests without end", landable: true, commit: gates(func(f *forge) forged {
			e := f.file("x.yml", "x")
			for range 200 {
				e = f.folder("x", e)
			}
			return f.folder(".github", e)
		})},
	}
}

// commits are commits that no git makes.
func commits() []hostile {
	header := func(text string) func(*forge, string) string {
		return func(f *forge, base string) string {
			tree := f.sorted(append(f.root(base), f.plan())...)
			return f.raw("commit", strings.NewReplacer("TREE", tree, "BASE", base, "GONE", missing).Replace(text))
		}
	}
	const who = "author E <e@x> 1767323045 +0000\ncommitter E <e@x> 1767323045 +0000\n"
	return []hostile{
		{name: "two trees", commit: header("tree TREE\ntree GONE\nparent BASE\n" + who + "\nx\n")},
		{name: "a tree of parents", told: "is unusable", dead: true, commit: header("parent BASE\ntree TREE\n" + who + "\nx\n")},
		{name: "no tree", told: "is unusable", dead: true, commit: header("parent BASE\n" + who + "\nx\n")},
		{name: "a tree that is none", told: "is unusable", dead: true, commit: header("tree ../../x\nparent BASE\n" + who + "\nx\n")},
		{name: "a missing tree", told: missing, dead: true, commit: header("tree GONE\nparent BASE\n" + who + "\nx\n")},
		{name: "a commit as its tree", told: "", dead: true, commit: header("tree BASE\nparent BASE\n" + who + "\nx\n")},
		{name: "an empty commit", told: "is unusable", dead: true, commit: header("")},
		{name: "one parent twice", commit: header("tree TREE\nparent BASE\nparent BASE\n" + who + "\nx\n"), landable: true},
		{name: "parents after the author", commit: header("tree TREE\n" + who + "parent BASE\n\nx\n")},
		{name: "a missing parent", commit: header("tree TREE\nparent BASE\nparent GONE\n" + who + "\nx\n")},
		{name: "no author", commit: header("tree TREE\nparent BASE\n\nx\n"), landable: true},
		{name: "an author of noise", commit: header("tree TREE\nparent BASE\nauthor \x1b[31m<\x07> 99999999999999999999 +9999\ncommitter \u202e<> -1 x\n\nx\n"), landable: true},
		{name: "two authors", commit: header("tree TREE\nparent BASE\n" + who + who + "\nx\n"), landable: true},
		{name: "a message of noise", commit: header("tree TREE\nparent BASE\n" + who + "encoding \x1b[31m\n\n\x1b]0;x\x07\x00after\n\nPlan: \x1b[31m\nPlan-Event: \u202eabandoned\nPlan-Version: 99999999999999999999\nPlan-Task: ../../x\n"), landable: true},
		{name: "no message", commit: header("tree TREE\nparent BASE\n" + who), landable: true},
		{name: "a signature of noise", commit: header("tree TREE\nparent BASE\n" + who + "gpgsig -----BEGIN PGP SIGNATURE-----\n \x1b[31m\n -----END PGP SIGNATURE-----\n\nx\n"), landable: true},
	}
}

// around are repositories that tell git something else than the commit says.
func around() []hostile {
	ok := func(f *forge, base string) string { return f.on(base, f.plan()) }
	return []hostile{
		{name: "the plan is replaced", landable: true, told: "p/plan.md", own: true, commit: func(f *forge, base string) string {
			f.replace(f.Git("rev-parse", base+":p"), f.tree(f.file("x", "x")))
			return ok(f, base)
		}},
		{name: "the commit is replaced", landable: true, told: "x:1:1", own: true, commit: func(f *forge, base string) string {
			tip := ok(f, base)
			f.replace(tip, f.Git("commit-tree", "-m", "other", f.tree(f.file("x", "x"))))
			return tip
		}},
		{name: "an invalid plan is replaced by a valid one", own: true, commit: func(f *forge, base string) string {
			h := f.folder("h", f.file("x", "x"))
			f.replace(h.object, f.plan().object)
			return f.on(base, h)
		}},
		{name: "the history is grafted", landable: true, own: true, commit: func(f *forge, base string) string {
			tip := ok(f, base)
			f.Write(".git/info/grafts", fmt.Sprintf("%s %s\n", tip, f.Git("rev-parse", "main")))
			return tip
		}},
		{name: "the ref is a tag", told: "it points at a tag", dead: true, commit: func(f *forge, base string) string {
			return f.raw("tag", "object "+ok(f, base)+"\ntype commit\ntag x\ntagger E <e@x> 1767323045 +0000\n\nx\n")
		}},
		{name: "the ref is a tree", told: "", dead: true, commit: func(f *forge, base string) string { return f.tree(f.plan()) }},
		{name: "the ref is a file", told: "", dead: true, commit: func(f *forge, _ string) string { return f.blob("x") }},
		{name: "the ref names nothing", told: "", dead: true, commit: func(*forge, string) string { return missing }},
	}
}

// point lets a ref name any object at all, as a broken or hostile repository
// does; git's own command would refuse most.
func (f *forge) point(dir, object string) {
	f.t.Helper()
	file := filepath.Join(dir, "refs", "heads", "plans")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(object+"\n"), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// replace lets one object stand for another, on the server too: whoever may
// push may push such a ref.
func (f *forge) replace(object, by string) {
	f.t.Helper()
	f.Git("update-ref", "refs/replace/"+object, by)
	f.At(filepath.Join(f.top, "srv.git")).Git("update-ref", "refs/replace/"+object, by)
}

// sweepUp takes away what a kind left in the repository beside its commit.
func (f *forge) sweepUp() {
	os.Remove(filepath.Join(f.Dir, ".git", "info", "grafts"))
	for _, ref := range strings.Fields(f.Git("for-each-ref", "--format=%(refname)", "refs/replace", "refs/remotes", "refs/heads/proposals")) {
		f.Git("update-ref", "-d", ref)
		f.At(filepath.Join(f.top, "srv.git")).Git("update-ref", "-d", ref)
	}
	f.run("", "clear-current")
	os.RemoveAll(filepath.Join(f.Dir, ".plans"))
	os.RemoveAll(filepath.Join(f.Dir, ".git", "git-plan"))
}
