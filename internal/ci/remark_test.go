package ci

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/workflow"
)

// A comment that cannot be written changes no verdict: a notice says why, and
// what it was to say is in the summary.
func TestRemark(t *testing.T) {
	denied := &ForgeError{workflow.GitHub, 403, ": Resource not accessible by integration"}
	for name, c := range map[string]struct {
		differs     bool
		err         error
		format      string
		noSummary   bool
		noted       string
		inSummary   bool
		wantComment string
	}{
		"written":        {true, nil, "github", false, "", false, "true"},
		"nothing to say": {false, nil, "github", false, "", false, "false"},
		"read only":      {true, denied, "github", false, "needs `pull-requests: write`, which none has that is for a fork; how the plans differ is in the job's summary", true, "true"},
		"GitLab":         {true, &ForgeError{workflow.GitLab, 401, ""}, "text", true, "scope api and the role Reporter; how the plans differ: run `git plan diff`", false, "true"},
		"no network":     {true, errors.New("no route to\nhost 100%"), "github", false, "no route to\\nhost 100%25; how", true, "true"},
		"no diff":        {false, nil, "text", false, "how the plans differ cannot be told: no such revision", false, ""},
	} {
		summary, commented := filepath.Join(t.TempDir(), "summary"), ""
		fake := &checker{found: oneError()}
		job := Job{Targets: []string{"x"}, Check: fake.check, Format: c.format, Summary: summary,
			Diff: func() (string, bool, error) {
				if name == "no diff" {
					return "", false, errors.New("no such revision")
				}
				return "<!-- marker -->\nThe text.\n", c.differs, nil
			},
			Comment: func(_ string, create bool) error { commented = fmt.Sprint(create); return c.err }}
		if c.noSummary {
			job.Summary = ""
		}
		var stdout, stderr bytes.Buffer
		if status, err := job.Run(&stdout, &stderr); status != 1 || err != nil || commented != c.wantComment {
			t.Errorf("%s: status %d, %v, commented %q", name, status, err, commented)
		}
		said, begin := stderr.String(), "note: "
		if c.format == "github" {
			said, begin = stdout.String(), "\n::notice title=git plan::"
		}
		if noted := strings.Contains("\n"+said, begin); noted != (c.noted != "") || !strings.Contains(said, c.noted) {
			t.Errorf("%s: said %q", name, said)
		}
		got, _ := os.ReadFile(summary)
		if strings.Contains(string(got), "The text.") != c.inSummary {
			t.Errorf("%s: the summary: %s", name, got)
		}
	}
}
