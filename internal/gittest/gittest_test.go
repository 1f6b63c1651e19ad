package gittest_test

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Two repositories made alike are the same to the last bit.
func TestReposAreReproducible(t *testing.T) {
	a, b := gittest.New(t), gittest.New(t)
	if x, y := a.Git("rev-parse", "HEAD"), b.Git("rev-parse", "HEAD"); x != y {
		t.Errorf("first commits differ: %s, %s", x, y)
	}
	if got := a.Git("config", "--list", "--show-scope"); strings.Contains(got, "global") || strings.Contains(got, "system") {
		t.Errorf("configuration of the machine is seen:\n%s", got)
	}
}

func TestShapes(t *testing.T) {
	r := gittest.New(t)
	r.Write("a/b.txt", "text")
	name := r.Commit("more")
	clone := r.Clone(t)
	if clone.Read("a/b.txt") != "text" || clone.Git("rev-parse", "HEAD") != name {
		t.Error("the clone is not the repository")
	}
	if got := r.At(r.Dir+"/a").Git("rev-parse", "--show-prefix"); got != "a/" {
		t.Errorf("prefix %q", got)
	}
	if got := r.With("GIT_AUTHOR_NAME=X").Git("var", "GIT_AUTHOR_IDENT"); !strings.HasPrefix(got, "X <") {
		t.Errorf("identity %q", got)
	}
	if got := gittest.NewBare(t).Git("rev-parse", "--is-bare-repository"); got != "true" {
		t.Errorf("bare: %s", got)
	}
	if got := gittest.New(t, gittest.ObjectFormat("sha256")).Git("rev-parse", "HEAD"); len(got) != 64 {
		t.Errorf("sha256 name %s", got)
	}
	if got := r.GitInput("x", "hash-object", "--stdin"); len(got) != 40 {
		t.Errorf("GitInput gave %s", got)
	}
	if _, err := r.TryGit("rev-parse", "--verify", "nope"); err == nil || !strings.Contains(err.Error(), "single revision") {
		t.Errorf("TryGit = %v", err)
	}
}
