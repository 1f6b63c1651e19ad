package ci

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/workflow"
)

// FuzzEvent reads anything as the document of an event. What is taken names
// commits as commits, and a branch without what a shell or a log would obey.
func FuzzEvent(f *testing.F) {
	for _, name := range []string{"push", "pull_request", "merge_group", "$(x)"} {
		f.Add(name, `{"before":"`+first+`","after":"`+second+`","pull_request":{"base":{"ref":"plans","sha":"`+first+`"}},"merge_group":{"base_ref":"refs/heads/plans","base_sha":"`+first+`","head_sha":"`+second+`"}}`, "refs/heads/plans")
		f.Add(name, `{"before":"$(rm -rf /)","pull_request":{"base":{"ref":"::error::","sha":7}}}`, "refs/heads/\x1b[31m")
		f.Add(name, `[{`, "")
	}
	commit := regexp.MustCompile(`^([0-9a-f]{40,64})?$`)
	f.Fuzz(func(t *testing.T, name, payload, ref string) {
		if strings.ContainsRune(name+ref, 0) {
			return
		}
		e, err := ReadEvent(github(t, name, payload, "GITHUB_REF="+ref))
		if err != nil {
			return
		}
		if !commit.MatchString(e.Base) || !commit.MatchString(e.Head) || e.Forge != workflow.GitHub {
			t.Fatalf("%q is read as %+v", payload, e)
		}
	})
}
