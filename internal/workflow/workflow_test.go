package workflow

import (
	"strings"
	"testing"
)

func workflow(t *testing.T, f Forge, branch, release string) []byte {
	t.Helper()
	text, err := f.Workflow(branch, release)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWorkflow(t *testing.T) {
	for _, f := range []Forge{GitHub, GitLab} {
		text := string(workflow(t, f, "team/plans", "1.2.3"))
		if strings.Contains(text, "__") {
			t.Errorf("%s: something was not filled in:\n%s", f, text)
		}
		for _, want := range []string{"team/plans", "git-plan@v1.2.3\n", "git plan init --ci " + string(f)} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", f, want, text)
			}
		}
	}
}

// A name that YAML would read as something else than text stays one.
func TestWorkflowQuotes(t *testing.T) {
	for _, branch := range []string{"1.0", "true", "null", "2026-01-01"} {
		if text := string(workflow(t, GitHub, branch, "1.2.3")); strings.Count(text, `["`+branch+`"]`) != 3 {
			t.Errorf("branch %s is not quoted in\n%s", branch, text)
		}
	}
}

func TestWorkflowRefusesBranches(t *testing.T) {
	for _, branch := range []string{"", "-plans", "pl*ns", "plans]", `pl"ans`, "pl$ans", "pl ans", "pläne", "!plans", "plans\n"} {
		for _, f := range []Forge{GitHub, GitLab} {
			if _, err := f.Workflow(branch, "1.2.3"); err == nil {
				t.Errorf("%s takes branch %q: %v", f, branch, err)
			}
		}
	}
}

func TestRenew(t *testing.T) {
	fresh, older := workflow(t, GitHub, "plans", "1.2.3"), workflow(t, GitHub, "plans", "1.2.2")
	ancient := append(GitHub.headline([]byte("other: text\n")), "other: text\n"...)
	edited := []byte(strings.Replace(string(older), "minutes: 10", "minutes: 20", 1))
	for name, c := range map[string]struct {
		old  []byte
		want State
	}{
		"nothing":                 {nil, Added},
		"the same":                {fresh, Unchanged},
		"an older release":        {older, Updated},
		"a release long gone":     {ancient, Updated},
		"edited":                  {edited, Edited},
		"line ends":               {[]byte(strings.ReplaceAll(string(older), "\n", "\r\n")), Edited},
		"something added":         {append(older[:len(older):len(older)], '\n'), Edited},
		"somebody's":              {[]byte("name: mine\n"), Edited},
		"empty":                   {[]byte{}, Edited},
		"the first line, no more": {GitHub.headline(nil), Updated},
		"another forge's":         {workflow(t, GitLab, "plans", "1.2.3"), Edited},
	} {
		if got := GitHub.Renew(c.old, fresh); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

func TestParseForge(t *testing.T) {
	for name, want := range map[string]bool{"github": true, "gitlab": true, "": false, "GitHub": false, "gitea": false} {
		if _, ok := ParseForge(name); ok != want {
			t.Errorf("%q: %v", name, ok)
		}
	}
}
