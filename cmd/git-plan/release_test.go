package main

import (
	"os/exec"
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
