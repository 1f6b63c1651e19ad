package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the configuration of a release names is there; where goreleaser is
// installed it judges the rest.
func TestReleaseConfiguration(t *testing.T) {
	config := readRoot(t, ".goreleaser.yaml")
	makefile := readRoot(t, "Makefile")
	for _, path := range []string{"man/man1", "bash-completion/completions", "zsh/site-functions", "fish/vendor_completions.d"} {
		if !strings.Contains(config, "share/"+path) || !strings.Contains(makefile, "$(SHARE)/"+path) {
			t.Errorf("a release and make install do not agree about share/%s", path)
		}
	}
	goreleaser, err := exec.LookPath("goreleaser")
	if err != nil {
		t.Skip("goreleaser is not installed, and does not judge its configuration")
	}
	cmd := exec.Command(goreleaser, "check")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("goreleaser check: %v\n%s", err, out)
	}
}

// TestReproducible builds the same commit in two folders, each from nothing, and
// gets the same bytes.
func TestReproducible(t *testing.T) {
	if os.Getenv("GIT_PLAN_TEST_SOAK") == "" {
		t.Skip("it builds everything anew, twice: set GIT_PLAN_TEST_SOAK=1")
	}
	build := func() []byte {
		dir := t.TempDir()
		checkout := filepath.Join(dir, "checkout")
		if out, err := exec.Command("git", "clone", "-q", "../..", checkout).CombinedOutput(); err != nil {
			t.Skipf("this is no checkout: %v %s", err, out)
		}
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, "program"), "./cmd/git-plan")
		cmd.Dir = checkout
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOCACHE="+filepath.Join(dir, "cache"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		program, err := os.ReadFile(filepath.Join(dir, "program"))
		if err != nil {
			t.Fatal(err)
		}
		return program
	}
	if first, second := build(), build(); !bytes.Equal(first, second) {
		t.Error("two builds of one commit differ")
	}
}
