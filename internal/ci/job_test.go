package ci

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/plan/diag"
)

// clone is a history with some commits.
type clone struct {
	commits []string
	shallow bool
}

func (c clone) Has(commit string) bool { return slices.Contains(c.commits, commit) }
func (c clone) Shallow() (bool, error) { return c.shallow, nil }

// checker answers as `git plan check` would and notes what it was asked.
type checker struct {
	found report.Report
	err   error
	asked []string
}

func (c *checker) check(targets []string) (report.Report, error) {
	c.asked = append(c.asked, strings.Join(targets, " "))
	return c.found, c.err
}

// oneError is a report with an error in one of three plans, and two warnings.
func oneError() report.Report {
	at := diag.Diagnostic{Path: "auth/plan.md", Pos: diag.Pos{Line: 3, Column: 14}, Severity: diag.Error, Rule: "title-empty", Message: "no title", Hint: "add one"}
	warning := diag.Diagnostic{Path: "auth/plan.md", Pos: diag.Pos{Line: 4, Column: 1}, Severity: diag.Warning, Rule: "hint-path", Message: "no file"}
	return report.Report{Groups: []report.Group{{Plans: []string{"auth", "shop", "web"}, Findings: []diag.Diagnostic{at, warning, warning}}}}
}

func push(base, head string) Event { return Event{workflow.GitHub, "plans", base, head, true} }

func TestJob(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("output"), []byte("before=1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &checker{found: oneError()}
	job := Job{
		Event: push(first, second), Check: c.check, History: clone{commits: []string{first, second}}, Format: "github", SARIF: at("sarif"), JUnit: at("junit"), Write: writeReport, Summary: at("summary"), Output: at("output"),
	}
	var stdout, stderr bytes.Buffer
	status, err := job.Run(&stdout, &stderr)
	if status != 1 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	if !slices.Equal(c.asked, []string{first + ".." + second}) {
		t.Errorf("check was asked for %q", c.asked)
	}
	for name, want := range map[string]string{
		"sarif": `"ruleId":"title-empty"`, "junit": "<testsuite ", "output": "before=1\nerrors=1\nwarnings=2\nsarif-file=" + at("sarif") + "\n",
	} {
		if got, err := os.ReadFile(at(name)); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s holds %q, %v; not %q", name, got, err, want)
		}
	}
	if got, _ := os.ReadFile(at("summary")); !strings.Contains(string(got), "**Refused:** 1 error, 2 warnings in 3 plans.") || !strings.Contains(string(got), "auth/plan.md:3:14") {
		t.Errorf("the summary:\n%s", got)
	}
	if !strings.HasPrefix(stdout.String(), "::error file=auth/plan.md,line=3,col=14,") || !strings.HasSuffix(stdout.String(), "\n1 error, 2 warnings in 3 plans\n") || stderr.Len() > 0 {
		t.Errorf("printed %q, %q", &stdout, &stderr)
	}
}

// A job that is asked for no files writes none.
func TestJobWithoutFiles(t *testing.T) {
	c := &checker{}
	job := Job{Event: push(first, second), Check: c.check, History: clone{commits: []string{first, second}}, Format: "text"}
	var stdout bytes.Buffer
	if status, err := job.Run(&stdout, io.Discard); status != 0 || err != nil || stdout.String() != "0 errors, 0 warnings in 0 plans\n" || len(c.asked) != 1 {
		t.Errorf("status %d, %v, %q, asked %q", status, err, &stdout, c.asked)
	}
}

func TestTargets(t *testing.T) {
	all := clone{commits: []string{first, second}}
	for name, c := range map[string]struct {
		job         Job
		want, noted string
		refused     string
	}{
		"push":               {Job{Event: push(first, second), History: all}, first + ".." + second, "", ""},
		"first push":         {Job{Event: push("", second), History: all}, second, "", ""},
		"deleted":            {Job{Event: push(first, ""), History: all}, "", "", ""},
		"push by force":      {Job{Event: push(third, second), History: all}, second, "as after a push by force", ""},
		"shallow":            {Job{Event: push(first, second), History: clone{all.commits, true}}, "", "", "history is cut off"},
		"shallow, no base":   {Job{Event: push(third, second), History: clone{all.commits, true}}, "", "", "history is cut off"},
		"no head":            {Job{Event: push(first, third), History: all}, "", "", "not both here"},
		"proposal":           {Job{Event: Event{workflow.GitLab, "plans", first, second, false}, History: all}, first + ".." + second, "", ""},
		"proposal, no base":  {Job{Event: Event{workflow.GitLab, "plans", third, second, false}, History: all}, "", "", "not both here"},
		"named":              {Job{Event: push(first, second), Targets: []string{"a..b", "auth"}}, "a..b auth", "", ""},
		"named by an option": {Job{Targets: []string{"--json"}}, "", "", "begins like an option"},
		"no job":             {Job{}, "", "", "name what to check with --targets"},
	} {
		got, note, err := c.job.targets()
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || strings.Join(got, " ") != c.want || !strings.Contains(note, c.noted) || (note == "") != (c.noted == "") {
			t.Errorf("%s: %q, %q, %v", name, got, note, err)
		}
	}
}

// A deleted branch passes, and the summary says why.
func TestDeleted(t *testing.T) {
	summary := filepath.Join(t.TempDir(), "summary")
	job := Job{Event: push(first, ""), Summary: summary}
	if status, err := job.Run(io.Discard, io.Discard); status != 0 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	if got, _ := os.ReadFile(summary); !strings.Contains(string(got), "the branch was deleted") {
		t.Errorf("the summary: %s", got)
	}
}

// A check that fails is an error, in its own words.
func TestCheckFails(t *testing.T) {
	summary := filepath.Join(t.TempDir(), "summary")
	fake := &checker{err: errors.New(`no such plan: "x"`)}
	job := Job{Targets: []string{"x"}, Check: fake.check, Format: "text", Summary: summary}
	if _, err := job.Run(io.Discard, io.Discard); !errors.Is(err, fake.err) {
		t.Error(err)
	}
	if got, _ := os.ReadFile(summary); !strings.Contains(string(got), "could not be checked") {
		t.Errorf("the summary: %s", got)
	}
}

// What cannot be written is an error, and a file's name cannot add outputs.
func TestFilesThatFail(t *testing.T) {
	dir := t.TempDir()
	for name, job := range map[string]Job{
		"summary": {Summary: filepath.Join(dir, "no", "summary")},
		"output":  {Output: filepath.Join(dir, "no", "output")},
		"junit":   {JUnit: filepath.Join(dir, "no", "junit"), Write: writeReport},
		"name":    {SARIF: filepath.Join(dir, "a\nerrors=0"), Write: writeReport, Output: filepath.Join(dir, "output")},
	} {
		c := &checker{}
		job.Targets, job.Format, job.Check = []string{"x"}, "text", c.check
		if _, err := job.Run(io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func writeReport(file string, data []byte) error { return os.WriteFile(file, data, 0o666) }
