package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/git-plan/git-plan/hooks"
)

// preCommitHook is what the pre-commit framework reads of a hook.
type preCommitHook struct {
	ID            string   `yaml:"id"`
	Name          string   `yaml:"name"`
	Description   string   `yaml:"description"`
	Entry         string   `yaml:"entry"`
	Language      string   `yaml:"language"`
	Stages        []string `yaml:"stages"`
	AlwaysRun     bool     `yaml:"always_run"`
	PassFilenames *bool    `yaml:"pass_filenames"`
}

// Each hook of .pre-commit-hooks.yaml runs a command that there is, for the
// stage that it is for, and there is one for each stage in either language.
func TestPreCommitHooks(t *testing.T) {
	var all []preCommitHook
	if err := yaml.UnmarshalWithOptions([]byte(readRoot(t, ".pre-commit-hooks.yaml")), &all, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	seen := map[string][]string{}
	for _, h := range all {
		m := regexp.MustCompile(`git-plan ([a-z]+) ([a-z]+) ([a-z-]+)`).FindStringSubmatch(h.Entry)
		if m == nil {
			t.Errorf("%s: the entry %q runs no git-plan", h.ID, h.Entry)
			continue
		}
		cmd, rest, err := newRoot(&app{}).Find(m[1:])
		if err != nil || cmd.CommandPath() != "git plan hooks run" || !slices.Equal(rest, m[3:]) {
			t.Errorf("%s: %v is no command: %v", h.ID, m[1:], err)
		}
		if !slices.Contains(hooks.Events(), hooks.Event(m[3])) || !slices.Equal(h.Stages, m[3:]) {
			t.Errorf("%s: hook %q runs at stages %v", h.ID, m[3], h.Stages)
		}
		if strings.HasSuffix(h.ID, "-system") != (h.Language == "system") || !h.AlwaysRun {
			t.Errorf("%s: language %s, always_run %v", h.ID, h.Language, h.AlwaysRun)
		}
		if takesFile := strings.HasSuffix(m[3], "commit-msg"); takesFile != (h.PassFilenames == nil) {
			t.Errorf("%s: only a hook about a message takes a file", h.ID)
		}
		seen[h.Language] = append(seen[h.Language], m[3])
	}
	want := []string{"pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "pre-push"}
	for _, language := range []string{"golang", "system"} {
		if !slices.Equal(seen[language], want) {
			t.Errorf("language %s has %v", language, seen[language])
		}
	}
}
