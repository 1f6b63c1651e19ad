package gitstore

import (
	"bufio"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What a step changed is told by entry of the root; a history of paths compares
// with the commit before it there.
func TestDifferences(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	put(t, s, file("a/x", "1"), file("b/x", "1"))
	put(t, s, file("a/x", "2"))
	put(t, s, file("b/x", "2"))
	put(t, s, FileChange{Path: "a", Delete: true})
	for _, tt := range []struct {
		paths []string
		want  []string // newest first
	}{
		{nil, []string{"-a", "~b", "~a", "+a +b"}},
		{[]string{"a"}, []string{"-a ~b", "~a", "+a +b"}},
		{[]string{":(top,glob)*/x"}, []string{"-a", "~b", "~a", "+a +b"}},
		{[]string{"none"}, nil},
	} {
		steps, err := s.History(t.Context(), testRef, 0, tt.paths...)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Differences(t.Context(), steps)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, differences := range all {
			got = append(got, signs(differences))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.paths, got, tt.want)
		}
	}
}

// signs writes differences as short words; both sides must name what they are.
func signs(differences []Difference) string {
	var words []string
	for _, d := range differences {
		sign := "~"
		switch {
		case d.Old.Mode == 0 && d.Old.Object == "":
			sign = "+"
		case d.New.Mode == 0 && d.New.Object == "":
			sign = "-"
		case d.Old.Object == "" || d.New.Object == "" || d.Old.Mode != d.New.Mode:
			sign = "?"
		}
		words = append(words, sign+d.Path)
	}
	return strings.Join(words, " ")
}

// A commit that the repository does not have is an error, not an end of history.
func TestDifferencesOfMissing(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	put(t, s, file("a/x", "1"))
	gone := strings.Repeat("1", 40)
	if got, err := s.Differences(t.Context(), []Step{{Commit: gone}}); err == nil {
		t.Errorf("no error, but %v", got)
	}
}

// Trees are compared as commits are, and history is asked in other ways.
func TestDifferencesOfTree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a/x", "1"), file("b", "1"))
	second := put(t, s, file("a/x", "2"), file("c/y", "1"), FileChange{Path: "b", Delete: true})
	all, err := s.Differences(t.Context(), []Step{{Commit: second, Parent: first}, {Commit: first}})
	if err != nil || signs(all[0]) != "~a -b +c" || signs(all[1]) != "+a +b" {
		t.Fatalf("%+v, %v", all, err)
	}
	trees, err := s.DifferencesOfTree(t.Context(), first, r.Git("rev-parse", second+"^{tree}"))
	if err != nil || signs(trees) != signs(all[0]) {
		t.Errorf("%+v, %v", trees, err)
	}
	if none, err := s.Differences(t.Context(), nil); none != nil || err != nil {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	for _, step := range []Step{{Commit: strings.Repeat("1", 40)}, {Commit: second, Parent: strings.Repeat("1", 40)}, {Commit: "no name"}} {
		if got, err := s.Differences(t.Context(), []Step{step}); err == nil {
			t.Errorf("%v: %v", step, got)
		}
	}
	if _, err := s.DifferencesOfTree(t.Context(), first, strings.Repeat("1", 40)); err == nil {
		t.Error("a missing tree has differences")
	}
	between, err := s.Between(t.Context(), second, first)
	if err != nil || len(between) != 1 || between[0].Commit != second || strings.Join(between[0].Parents, " ") != first {
		t.Errorf("between: %v, %v", between, err)
	}
	if _, err := s.Between(t.Context(), strings.Repeat("1", 40)); err == nil {
		t.Error("nothing leads to a missing commit")
	}
	if ok, err := s.IsAncestor(t.Context(), first, second); !ok || err != nil {
		t.Errorf("ancestor: %v, %v", ok, err)
	}
	if ok, err := s.IsAncestor(t.Context(), second, first); ok || err != nil {
		t.Errorf("no ancestor: %v, %v", ok, err)
	}
}

// What git answers is taken apart strictly: a child that dies in between must
// not look like one that had nothing more to say.
func TestAnswersOfDiffTree(t *testing.T) {
	t.Parallel()
	const a = ":100644 100644 1111 2222 M\x00"
	for _, answer := range []string{
		"", "c\x00" + a, "c\x00" + a + "x", "c\x00:1 2\x00x\x00", "c\x00:9 9 1 2 M\x00x\x00", a + "x\x00", "d\x00", "c\x00c\x00", "c", "c\x00:100644 10064x 1 2 M\x00x\x00",
	} {
		if got, err := readDifferences(bufio.NewReader(strings.NewReader(answer)), []Step{{Commit: "c"}}); err == nil {
			t.Errorf("%q is read as %v", answer, got)
		}
	}
	got, err := readDifferences(bufio.NewReader(strings.NewReader("c\x00"+a+"odd\nname\x00")), []Step{{Commit: "c"}})
	if err != nil || len(got[0]) != 1 || got[0][0].Path != "odd\nname" || got[0][0].New.Object != "2222" {
		t.Errorf("%v, %v", got, err)
	}
	many := "c\x00" + strings.Repeat(a+"x\x00", maxDifferences+1)
	var tooMany *TooManyError
	if _, err := readDifferences(bufio.NewReader(strings.NewReader(many)), []Step{{Commit: "c"}}); !isA(err, &tooMany) || !strings.Contains(err.Error(), "500000") {
		t.Errorf("without end: %v", err)
	}
}

// An update of a symbolic ref moves what it leads to.
// HEAD is told as git tells it, whatever it stands for.
func TestHead(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("symbolic-ref", "refs/heads/old", "refs/heads/main")
	linked := filepath.Join(filepath.Dir(r.Dir), "linked")
	r.Git("worktree", "add", "-q", "-b", "side", linked)
	for _, dir := range []string{r.Dir, linked} {
		at := r.At(dir)
		for _, command := range []string{
			"status -s", "symbolic-ref HEAD refs/heads/unborn", "symbolic-ref HEAD refs/heads/old",
			"symbolic-ref HEAD refs/other/x", "update-ref --no-deref HEAD " + r.Git("rev-parse", "main"),
		} {
			at.Git(strings.Fields(command)...)
			want, _ := at.TryGit("symbolic-ref", "--quiet", "HEAD")
			repo, err := Discover(t.Context(), at.G(), "")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := repo.Head(t.Context()); err != nil || got != strings.TrimSpace(want) {
				t.Errorf("after %s: %q, %v; git says %q", command, got, err, want)
			}
		}
	}
}

// What HEAD says in another form than git writes it, or names what git takes for
// no branch, is as git reads it.
func TestHeadOdd(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("symbolic-ref", "refs/heads/old", "refs/heads/main")
	for _, text := range []string{
		"refs/heads/main", "refs/heads/main\r\n", "  refs/heads/main \n\n", "refs/heads/main\nx\n", "refs/heads/main\x00x\n",
		"refs/heads/old\n", "refs/heads/main/x\n", "refs/heads/\n", "refs/heads\n", "refs/heads//x\n", "refs/heads/a b\n", "refs/heads/\xff\n",
		"refs/heads/.invalid\n", "refs/heads/x/.y\n", "refs/heads/x.\n", "refs/heads/x.lock/y\n", "refs/heads/a@{b\n", "refs/heads/@\n", "refs/heads/-x\n",
		"refs/heads/" + strings.Repeat("z", 300) + "\n", "refs/heads/" + strings.Repeat("z/", 200) + "z\n",
	} {
		r.Write(".git/HEAD", "ref: "+text)
		want, refused := r.TryGit("symbolic-ref", "--quiet", "HEAD")
		if refused != nil {
			want = ""
		}
		repo, err := Discover(t.Context(), r.G(), "")
		if err != nil {
			continue // git takes it for no repository
		}
		if got, err := repo.Head(t.Context()); got != want || (err != nil) != (refused != nil) {
			t.Errorf("%q: %q, %v; git says %q, %v", text, got, err, want, refused)
		}
	}
}

func TestRefEnd(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "a"))
	r.Git("symbolic-ref", "refs/heads/old", testRef)
	r.Git("symbolic-ref", "refs/heads/unborn", "refs/heads/nothing")
	for ref, want := range map[string]string{testRef: testRef, "refs/heads/old": testRef, "refs/heads/unborn": "refs/heads/nothing", "refs/heads/none": "refs/heads/none"} {
		if got, err := s.repo.RefEnd(t.Context(), ref); got != want || err != nil {
			t.Errorf("%s leads to %s, %v", ref, got, err)
		}
	}
}

// A drawing goes down every parent, with git's lines between the commits.
func TestGraph(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	first := put(t, s, file("a/x", "1"))
	left := put(t, s, file("b/x", "1"))
	result, err := s.Update(t.Context(), "test", func(Tip) ([]Change, error) {
		return []Change{
			{Parents: []string{first}, Base: first, Files: []FileChange{file("c/x", "1")}, Message: "right"},
			{Parents: []string{left, Previous}, Base: left, Files: []FileChange{file("c/x", "1")}, Message: "merge"},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	right, merge := result.Commits[0], result.Commits[1]
	for _, tt := range []struct {
		limit int
		paths []string
		want  []string
	}{
		{0, nil, []string{"*   " + merge + " " + left + " merge", "|\\", "| * " + right + " " + first, "* | " + left + " " + first, "|/", "* " + first}},
		{1, nil, []string{"*   " + merge + " " + left + " merge", "|\\"}},
		{0, []string{"b"}, []string{"* " + left}},
	} {
		lines, err := s.Graph(t.Context(), testRef, tt.limit, tt.paths...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range lines {
			text := l.Art + l.Step.Commit
			if l.Step.Parent != "" {
				text += " " + l.Step.Parent
			}
			if l.Merge {
				text += " merge"
			}
			got = append(got, strings.TrimRight(text, " "))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%d of %q:\n%s\nnot\n%s", tt.limit, tt.paths, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
	if lines, err := s.Graph(t.Context(), "refs/heads/none", 0); err == nil {
		t.Errorf("of no ref: %v", lines)
	}
}
