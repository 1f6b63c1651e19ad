// Package workflow has the jobs that forges run for a plans branch: where each
// forge looks for them, what they say, and how they are kept up to date. What
// they run is in internal/ci.
package workflow

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// Forge is a place that hosts repositories and runs jobs for them.
type Forge string

// The forges that git plan knows. None stands for any other.
const (
	GitHub Forge = "github"
	GitLab Forge = "gitlab"
	None   Forge = ""
)

// TokenVariable is the environment variable with the token that comments are
// written with. It is asked for nowhere but where a comment is wanted.
const TokenVariable = "GIT_PLAN_COMMENT_TOKEN"

// GoVersion is the Go that workflows build git plan with.
const GoVersion = "1.26"

//go:embed templates/github.yml
var githubWorkflow string

//go:embed templates/gitlab.yml
var gitlabWorkflow string

// ParseForge gives the forge of that name.
func ParseForge(name string) (Forge, bool) {
	f := Forge(name)
	return f, f == GitHub || f == GitLab
}

// Title is the forge's name as people write it.
func (f Forge) Title() string {
	switch f {
	case GitHub:
		return "GitHub"
	case GitLab:
		return "GitLab"
	}
	return "no forge"
}

// Path is where the forge looks for a workflow on a branch.
func (f Forge) Path() string {
	if f == GitLab {
		return ".gitlab-ci.yml"
	}
	return ".github/workflows/git-plan.yml"
}

// Workflow is the text of the workflow that checks a plans branch with a
// release of git plan. Its first line holds a digest of the rest, by which
// [Forge.Renew] knows it again. A name that a forge would read as a pattern is an
// error.
func (f Forge) Workflow(branch, release string) ([]byte, error) {
	if !regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/-]*$`).MatchString(branch) {
		return nil, fmt.Errorf("branch %s cannot be named in a workflow: it takes a name of letters, digits, '.', '_', '/' and '-'; set plan.ref to such a branch", branch)
	}
	text := githubWorkflow
	if f == GitLab {
		text = gitlabWorkflow
	}
	text = strings.NewReplacer("__BRANCH__", branch, "__VERSION__", release, "__GO__", GoVersion).Replace(text)
	return append(f.headline([]byte(text)), text...), nil
}

// headline is the first line of a workflow.
func (f Forge) headline(rest []byte) []byte {
	return fmt.Appendf(nil, "# Made by \"git plan init --ci %s\", which renews it unless somebody edits it [%.6x]\n", string(f), sha256.Sum256(rest))
}

// State says what became of a workflow.
type State string

// What may become of a workflow. Edited is one that stays as it is because
// somebody changed or wrote it.
const (
	Added     State = "added"
	Updated   State = "updated"
	Unchanged State = "unchanged"
	Edited    State = "edited"
)

// Renew says what to do with a workflow that is to become fresh. The old one is
// nil where there is none. It is replaced only if it is, byte for byte, what
// some release of git plan wrote.
func (f Forge) Renew(old, fresh []byte) State {
	_, rest, _ := bytes.Cut(old, []byte("\n"))
	switch {
	case old == nil:
		return Added
	case bytes.Equal(old, fresh):
		return Unchanged
	case bytes.Equal(old, append(f.headline(rest), rest...)):
		return Updated
	}
	return Edited
}
