package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/workflow"
)

var (
	first  = strings.Repeat("1", 40)
	second = strings.Repeat("2", 40)
	third  = strings.Repeat("3", 40)
	zero   = strings.Repeat("0", 40)
)

// env makes a Getenv of lines "KEY=value".
func env(lines ...string) func(string) string {
	return func(key string) string {
		for _, line := range lines {
			if value, ok := strings.CutPrefix(line, key+"="); ok {
				return value
			}
		}
		return ""
	}
}

// github makes the environment of a job for an event.
func github(t *testing.T, name, payload string, more ...string) func(string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(payload), 0o666); err != nil {
		t.Fatal(err)
	}
	return env(append([]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=" + name, "GITHUB_EVENT_PATH=" + file, "GITHUB_SHA=" + third}, more...)...)
}

func TestReadEvent(t *testing.T) {
	pull := `{"pull_request":{"number":7,"title":"$(rm)","base":{"ref":"plans","sha":"` + first + `"},"head":{"sha":"` + second + `"}}}`
	push := func(before, after string) string { return `{"before":"` + before + `","after":"` + after + `"}` }
	for name, c := range map[string]struct {
		getenv func(string) string
		want   Event
	}{
		"no job":         {env("CI=true"), Event{}},
		"push":           {github(t, "push", push(first, third), "GITHUB_REF=refs/heads/plans"), Event{workflow.GitHub, "plans", first, third, true}},
		"first push":     {github(t, "push", push(zero, third), "GITHUB_REF=refs/heads/team/plans"), Event{workflow.GitHub, "team/plans", "", third, true}},
		"push of a tag":  {github(t, "push", push(zero, third), "GITHUB_REF=refs/tags/v1"), Event{workflow.GitHub, "", "", third, true}},
		"deletion":       {github(t, "push", push(first, zero), "GITHUB_REF=refs/heads/plans"), Event{workflow.GitHub, "plans", first, "", true}},
		"pull request":   {github(t, "pull_request", pull), Event{workflow.GitHub, "plans", first, third, false}},
		"merge queue":    {github(t, "merge_group", `{"merge_group":{"base_ref":"refs/heads/plans","base_sha":"`+first+`","head_sha":"`+second+`"}}`), Event{workflow.GitHub, "plans", first, second, false}},
		"by hand":        {github(t, "workflow_dispatch", `{}`), Event{workflow.GitHub, "", "", third, false}},
		"gitlab push":    {env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=plans", "CI_COMMIT_BEFORE_SHA="+first, "CI_COMMIT_SHA="+second), Event{workflow.GitLab, "plans", first, second, true}},
		"gitlab first":   {env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=plans", "CI_COMMIT_BEFORE_SHA="+zero, "CI_COMMIT_SHA="+second), Event{workflow.GitLab, "plans", "", second, true}},
		"gitlab by hand": {env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=web", "CI_COMMIT_SHA="+second), Event{workflow.GitLab, "", "", second, false}},
		"gitlab proposal": {env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=plans",
			"CI_MERGE_REQUEST_DIFF_BASE_SHA="+first, "CI_COMMIT_SHA="+second), Event{workflow.GitLab, "plans", first, second, false}},
		"gitlab result of a merge": {env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=plans",
			"CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+third, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+first, "CI_COMMIT_SHA="+second), Event{workflow.GitLab, "plans", third, second, false}},
	} {
		if got, err := ReadEvent(c.getenv); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}

func TestReadEventRefuses(t *testing.T) {
	for name, getenv := range map[string]func(string) string{
		"no file":           env("GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push"),
		"no JSON":           github(t, "push", "before"),
		"another type":      github(t, "push", `{"before":7}`),
		"no commit":         github(t, "push", `{"before":"--help","after":"`+third+`"}`),
		"nothing":           github(t, "push", `null`),
		"nothing pushed":    github(t, "push", `{"before":"`+first+`"}`),
		"nothing queued":    github(t, "merge_group", `{"merge_group":{"base_ref":"refs/heads/plans","base_sha":"`+first+`"}}`),
		"no queue":          github(t, "merge_group", `{}`),
		"gitlab, nothing":   env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=plans"),
		"a range":           github(t, "push", `{"before":"`+first+`","after":"`+first+`..`+third+`"}`),
		"a line end":        github(t, "push", `{"before":"`+first+`\n","after":"`+third+`"}`),
		"no base":           github(t, "pull_request", `{"pull_request":{"base":{"ref":"plans"}}}`),
		"base of zeros":     github(t, "pull_request", `{"pull_request":{"base":{"ref":"plans","sha":"`+zero+`"}}}`),
		"the unsafe event":  github(t, "pull_request_target", `{}`),
		"gitlab, no base":   env("GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=plans", "CI_COMMIT_SHA="+second),
		"gitlab, no commit": env("GITLAB_CI=true", "CI_COMMIT_SHA=$(id)"),
	} {
		if got, err := ReadEvent(getenv); err == nil || got != (Event{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
