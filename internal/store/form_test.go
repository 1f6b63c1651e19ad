package store

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/validate"
)

// Trees that no git makes are refused: what one reader sees in them another
// does not.
func TestJudgeMalformedTrees(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tip := tree.Git("rev-parse", "HEAD")
	root := func(entries ...string) string {
		list := tree.Git("ls-tree", tip) // mode, type and object, TAB, name
		return list + "\n" + strings.Join(entries, "\n") + "\n"
	}
	plan := strings.Fields(tree.Git("ls-tree", tip, "auth"))[2]
	tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
	tree.Git("add", "-A")
	wrong := strings.Fields(tree.Git("ls-tree", tree.Git("write-tree"), "auth"))[2]
	for name, entry := range map[string]string{
		"twice":   "040000 tree " + wrong + "\tauth",
		"a slash": "040000 tree " + plan + "\tother/thing",
	} {
		raw := rawTree(t, tree, root(entry))
		commit := tree.Git("commit-tree", "-p", tip, "-m", name, raw)
		got := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit)
		if !strings.Contains(strings.Join(got, " "), ":") {
			t.Errorf("%s: %q has no error", name, got)
		}
	}
}

// So are folders out of order below the root.
func TestJudgeUnsortedFolders(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tip := tree.Git("rev-parse", "HEAD")
	list := tree.Git("ls-tree", tip)
	plan, file := "040000 tree "+strings.Fields(tree.Git("ls-tree", tip, "auth"))[2], "100644 blob "+strings.Fields(tree.Git("ls-tree", tip, "README.md"))[2]
	unsorted := func(entry string) string { return "040000 tree " + rawTree(t, tree, entry+"\tb\n"+entry+"\ta\n") }
	for _, tt := range []struct{ entry, want string }{
		{"040000 tree " + tree.GitInput(unsorted(plan)+"\t2026\n", "mktree") + "\tarchive", "archive/2026/a:1:1:stray-file"},
		{"040000 tree " + rawTree(t, tree, plan+"\t2026\n"+plan+"\t2025\n") + "\tarchive", "archive/2025:1:1:stray-file"},
		{unsorted(file) + "\t.github", ".github/a:1:1:stray-file"},
		{"040000 tree " + tree.GitInput(unsorted(file)+"\tx\n", "mktree") + "\t.github", ".github/x/a:1:1:stray-file"},
	} {
		root := tree.GitInput(list+"\n"+tt.entry+"\n", "mktree")
		commit := tree.Git("commit-tree", "-p", tip, "-m", "unsorted", root)
		if got := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit); !strings.Contains(strings.Join(got, " "), tt.want) {
			t.Errorf("%q is not in %q", tt.want, got)
		}
	}
}

// A plan that holds so much that not all of it is looked at is refused, be it
// of nothing but empty folders.
func TestJudgeHiddenFiles(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tip := tree.Git("rev-parse", "HEAD")
	var list strings.Builder
	list.WriteString(tree.Git("ls-tree", tip+":auth") + "\n")
	empty, script := tree.GitInput("", "mktree"), tree.GitInput("x", "hash-object", "-w", "--stdin")
	for i := range maxEntries {
		fmt.Fprintf(&list, "040000 tree %s\tx%d\n", empty, i)
	}
	fmt.Fprintf(&list, "100755 blob %s\tzz.sh\n", script)
	auth := tree.GitInput(list.String(), "mktree")
	root := tree.GitInput(strings.ReplaceAll(tree.Git("ls-tree", tip), strings.Fields(tree.Git("ls-tree", tip, "auth"))[2], auth)+"\n", "mktree")
	commit := tree.Git("commit-tree", "-p", tip, "-m", "hidden", root)
	if got := strings.Join(verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit), " "); got != "auth auth/plan.md:1:1:limits" {
		t.Errorf("%.200q", got)
	}
}

// rawTree writes a tree as it is said, sorted or not.
func rawTree(t *testing.T, tree *gittest.Repo, list string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(list) {
		head, name, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		fields := strings.Fields(head)
		object, err := hex.DecodeString(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\x00%s", strings.TrimPrefix(fields[0], "0"), name, object)
	}
	return tree.GitInput(b.String(), "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
}

// A few objects may name each other so that a tree unfolds into millions of
// files. The gate looks at as much as a plan may hold, and refuses.
func TestJudgeTreeBomb(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tip := tree.Git("rev-parse", "HEAD")
	object, kind := tree.GitInput("x", "hash-object", "-w", "--stdin"), "100644 blob "
	for range 9 {
		var list strings.Builder
		for i := range 10 {
			fmt.Fprintf(&list, "%s%s\tf%d\n", kind, object, i)
		}
		object, kind = tree.GitInput(list.String(), "mktree"), "040000 tree "
	}
	for _, place := range []string{"bomb", ".github"} {
		root := tree.GitInput(tree.Git("ls-tree", tip)+"\n"+kind+object+"\t"+place+"\n", "mktree")
		commit := tree.Git("commit-tree", "-p", tip, "-m", "bomb", root)
		got := strings.Join(verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit), " ")
		if !strings.Contains(got, "limits") {
			t.Errorf("%s: %.200q", place, got)
		}
	}
	archived := tree.GitInput(kind+object+"\t2026\n", "mktree")
	root := tree.GitInput(tree.Git("ls-tree", tip)+"\n040000 tree "+archived+"\tarchive\n", "mktree")
	commit := tree.Git("commit-tree", "-p", tip, "-m", "bomb", root)
	if got := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit); !strings.Contains(strings.Join(got, " "), "archive/2026/f0") {
		t.Errorf("archive: %.200q", got)
	}
}

// Below .github, too, there is nothing that git does not check out, or that leads
// elsewhere.
func TestJudgeOwnFolder(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tip := tree.Git("rev-parse", "HEAD")
	list := tree.Git("ls-tree", tip)
	file := strings.Fields(tree.Git("ls-tree", tip, "README.md"))[2]
	for name, tt := range map[string]struct{ mode, kind, want string }{
		".git":                {"100644", "blob", "stray-file"},
		"..":                  {"100644", "blob", "stray-file"},
		".GIT ":               {"100644", "blob", "stray-file"},
		"git~1":               {"100644", "blob", "stray-file"},
		".g\u200cit":          {"100644", "blob", "stray-file"},
		".git::$DATA":         {"100644", "blob", "stray-file"},
		`a\b`:                 {"100644", "blob", "stray-file"},
		"a\x1bb":              {"100644", "blob", "stray-file"},
		"link to run.sh":      {"120000", "blob", ""},
		"link to x/run.sh":    {"120000", "blob", ""},
		"link to ./run.sh":    {"120000", "blob", ""},
		"link to ./../x":      {"120000", "blob", "file-mode"},
		"link to .//etc/x":    {"120000", "blob", "file-mode"},
		"link to /etc/passwd": {"120000", "blob", "file-mode"},
		"link to ../../x":     {"120000", "blob", "file-mode"},
		"link to x/.git/y":    {"120000", "blob", "file-mode"},
		"module":              {"160000", "commit", "file-mode"},
		".gitignore":          {"100644", "blob", ""},
		"run.sh":              {"100755", "blob", ""},
		"Fehler melden ü.yml": {"100644", "blob", ""},
	} {
		object := file
		if tt.kind == "commit" {
			object = tip
		}
		if target, is := strings.CutPrefix(name, "link to "); is {
			object, name = tree.GitInput(target, "hash-object", "-w", "--stdin"), "link"
		}
		folder := rawTree(t, tree, tt.mode+" "+tt.kind+" "+object+"\t"+name+"\n")
		root := tree.GitInput(list+"\n040000 tree "+folder+"\t.github\n", "mktree")
		commit := tree.Git("commit-tree", "-p", tip, "-m", "own", root)
		got := strings.Join(verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, tip, commit), " ")
		if !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, ".github") {
			t.Errorf("%q: %q, want %q", name, got, tt.want)
		}
	}
}

// What a commit brings is stored as it is read: with LF line ends and without a byte
// order mark. Files that were otherwise before hold up nobody.
func TestJudgeRecoded(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	put := func(name, data string) { // as no filter of git would
		blob := tree.GitInput(data, "hash-object", "-w", "--stdin")
		tree.Git("update-index", "--add", "--cacheinfo", "100644,"+blob+","+name)
	}
	commit := func(message string) { tree.Git("commit", "-q", "-m", message) }
	text := fmt.Sprintf(task, "three", "pending", "two")
	since := tree.Git("rev-parse", "HEAD")
	put("auth/tasks/03-three.md", "---\nid: three\r\n---\r\n\r\nDo it.\r\n")
	commit("CRLF from the second line on")
	put("auth/tasks/03-three.md", "\uFEFF"+text)
	commit("byte order mark")
	put("auth/tasks/01-one.md", "---\nid: one\nstatus: done\n---\n\nDo it.\n")
	commit("another file")
	tree.Git("reset", "-q", "--hard")
	tree.Git("mv", "auth/tasks/03-three.md", "auth/tasks/04-three.md")
	commit("another name")
	put("auth/tasks/04-three.md", text)
	commit("mended")
	put("auth/tasks/04-three.md", strings.ReplaceAll(text, "\n", "\r\n"))
	commit("every line of it")
	tree.Git("reset", "-q", "--hard")
	tree.Write("auth/tasks/04-three.md", strings.ReplaceAll(text, "\n", "\r\n")+"More.\r\n")
	tree.Commit("by git add, which .gitattributes has store LF")
	want := []string{"auth auth/tasks/03-three.md:2:10:encoding", "auth auth/tasks/03-three.md:1:1:encoding", "auth", "auth", "auth", "auth auth/tasks/04-three.md:1:4:encoding", "auth"}
	if got := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, since, tree.Git("rev-parse", "HEAD")); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
