package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/git-plan/git-plan/internal/workflow"
)

// Event is what a job was started for.
type Event struct {
	// Forge is where the job runs; [None] where that is not known.
	Forge workflow.Forge
	// Branch is the plans branch that was pushed to or is to be merged into,
	// or "" where the event names none.
	Branch string
	// Base is the commit from which on everything is new, or "" where there is
	// none; then Head is to be looked at as a whole.
	Base string
	// Head is the commit to check; "" says that there is nothing to check.
	Head string
	// Push says that the branch moved from Base to Head already, by force
	// perhaps, so that Base may be gone.
	Push bool
}

// ReadEvent finds out what this job was started for, from the environment that
// the forge gives it and, on GitHub, from the file with the event. Outside of a
// job the event is zero. What comes from there is somebody's input: commits
// must look like commits.
func ReadEvent(getenv func(string) string) (Event, error) {
	e, err := Event{}, error(nil)
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		e, err = githubEvent(getenv)
	case getenv("GITLAB_CI") == "true":
		e = gitlabEvent(getenv)
	}
	if err != nil {
		return Event{}, err
	}
	if e.Forge != workflow.None && e.Head == "" { // a branch that was deleted is at zeros
		return Event{}, errors.New("the event names no commit: name what to check with --targets")
	}
	for _, name := range []*string{&e.Base, &e.Head} {
		if strings.Trim(*name, "0") == "" {
			*name = "" // the name of no commit
		} else if !regexp.MustCompile(`^[0-9a-f]{40,64}$`).MatchString(*name) {
			return Event{}, fmt.Errorf("the event names %q where a commit should be: name what to check with --targets", *name)
		}
	}
	if e.Branch != "" && !e.Push && (e.Base == "" || e.Head == "") {
		return Event{}, errors.New("the event does not say what is to be merged into " + e.Branch + ": name what to check with --targets")
	}
	return e, nil
}

// githubPayload is what matters of an event's document on GitHub.
type githubPayload struct {
	Before      string `json:"before"`
	After       string `json:"after"`
	PullRequest struct {
		Base struct {
			Ref string `json:"ref"`
			SHA string `json:"sha"`
		} `json:"base"`
	} `json:"pull_request"`
	MergeGroup struct {
		BaseRef string `json:"base_ref"`
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
	} `json:"merge_group"`
}

// githubEvent reads an event of GitHub, or of a forge that does as GitHub does.
// For a pull request the head is the commit that would be the result of the
// merge, so that this is judged, too.
func githubEvent(getenv func(string) string) (Event, error) {
	var p githubPayload
	file := getenv("GITHUB_EVENT_PATH")
	data, err := os.ReadFile(file)
	if err != nil {
		return Event{}, errors.New("the event cannot be read: " + err.Error() + "; name what to check with --targets")
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return Event{}, fmt.Errorf("the event in %s cannot be read: %v; name what to check with --targets", file, err)
	}
	sha := getenv("GITHUB_SHA")
	switch name := getenv("GITHUB_EVENT_NAME"); name {
	case "push":
		return Event{workflow.GitHub, branchOf(getenv("GITHUB_REF")), p.Before, p.After, true}, nil
	case "pull_request":
		return Event{workflow.GitHub, p.PullRequest.Base.Ref, p.PullRequest.Base.SHA, sha, false}, nil
	case "merge_group":
		return Event{workflow.GitHub, branchOf(p.MergeGroup.BaseRef), p.MergeGroup.BaseSHA, p.MergeGroup.HeadSHA, false}, nil
	case "pull_request_target":
		return Event{}, errors.New("a job for pull_request_target sees the branch as it was, not what is to be merged: use pull_request")
	default: // by hand or by the clock: nothing is new, and all of it is looked at
		return Event{Forge: workflow.GitHub, Head: sha}, nil
	}
}

// branchOf gives the branch that a full ref names, or "".
func branchOf(ref string) string {
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// gitlabEvent reads the variables of a GitLab pipeline. In one for the result
// of a merge the target's tip is known, else only where the branches parted.
func gitlabEvent(getenv func(string) string) Event {
	e := Event{Forge: workflow.GitLab, Head: getenv("CI_COMMIT_SHA")}
	switch getenv("CI_PIPELINE_SOURCE") {
	case "merge_request_event":
		e.Branch, e.Base = getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), getenv("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
		if e.Base == "" {
			e.Base = getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA")
		}
	case "push":
		e.Branch, e.Base, e.Push = getenv("CI_COMMIT_BRANCH"), getenv("CI_COMMIT_BEFORE_SHA"), true
	}
	return e
}
