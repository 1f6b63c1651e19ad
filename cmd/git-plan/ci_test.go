package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/workflow"
)

// yamlOfCI gives every YAML text that runs on a forge, by where it stands: the
// workflows that init writes, the action, this project's own, and what
// docs/ci.md shows.
func yamlOfCI(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"action.yml": readRoot(t, "action.yml")}
	for _, f := range []workflow.Forge{workflow.GitHub, workflow.GitLab} {
		all[f.Title()] = workflowText(t, f)
	}
	own, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*"))
	if err != nil || len(own) == 0 {
		t.Fatalf("the project has no workflow: %v", err)
	}
	for _, file := range own {
		name := ".github/workflows/" + filepath.Base(file)
		all[name] = readRoot(t, name)
	}
	for i, block := range blocks(readRoot(t, "docs/ci.md"), "yaml") {
		all[fmt.Sprintf("docs/ci.md, block %d", i+1)] = block
	}
	return all
}

func workflowText(t *testing.T, f workflow.Forge) string {
	t.Helper()
	text, err := f.Workflow("plans", release)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks gives the fenced blocks of a language in a document.
func blocks(document, language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(document, -1) {
		out = append(out, m[1])
	}
	return out
}

// What docs/ci.md shows is what init writes, and there is nothing else in it
// that claims to be.
func TestDocumentedWorkflows(t *testing.T) {
	var shown []string
	for _, block := range blocks(readRoot(t, "docs/ci.md"), "yaml") {
		if strings.HasPrefix(block, "# Made by") {
			shown = append(shown, block)
		}
	}
	want := []string{workflowText(t, workflow.GitHub), workflowText(t, workflow.GitLab)}
	if !slices.Equal(shown, want) {
		t.Errorf("docs/ci.md shows\n%s\nand init writes\n%s", strings.Join(shown, "\n"), strings.Join(want, "\n"))
	}
}

// scripts gives what a YAML document has shells run: GitHub's run and GitLab's
// script, at any depth.
func scripts(node any) []string {
	var out []string
	switch v := node.(type) {
	case map[string]any:
		for key, value := range v {
			if key == "run" || key == "script" || key == "before_script" || key == "after_script" {
				out = append(out, strings.Join(texts(value), "\n"))
			}
			out = append(out, scripts(value)...)
		}
	case []any:
		for _, value := range v {
			out = append(out, scripts(value)...)
		}
	}
	return out
}

// texts gives a string, or those of a list.
func texts(node any) []string {
	switch v := node.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, value := range v {
			out = append(out, texts(value)...)
		}
		return out
	}
	return nil
}

// Every YAML text parses, and nothing that somebody else may choose, such as
// the name of a branch, is put into a script: expressions stand in env alone.
func TestYAMLOfCI(t *testing.T) {
	for name, text := range yamlOfCI(t) {
		var doc map[string]any
		if err := yaml.UnmarshalWithOptions([]byte(text), &doc, yaml.Strict()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, script := range scripts(doc) {
			if strings.Contains(script, "${{") {
				t.Errorf("%s: an expression becomes part of a script: pass it through env:\n%s", name, script)
			}
			for _, m := range regexp.MustCompile(`\$\{?[A-Za-z_]+`).FindAllStringIndex(script, -1) {
				if m[0] > 0 && strings.Count(script[:m[0]], `"`)%2 == 0 {
					t.Errorf("%s: %s stands outside of quotes in\n%s", name, script[m[0]:m[1]], script)
				}
			}
		}
		if strings.Contains(text, "pull_request_target:") {
			t.Errorf("%s runs for pull_request_target", name)
		}
	}
}

// What is used from elsewhere is pinned: to a major version if it is the
// forge's own, to this release if it is git plan.
func TestPinsOfCI(t *testing.T) {
	pinned := regexp.MustCompile(`^(\./|(actions|github)/[a-z/-]+@v\d+|git-plan/git-plan@v` + regexp.QuoteMeta(release) + `)$`)
	for name, text := range yamlOfCI(t) {
		for _, m := range regexp.MustCompile(`(?m)uses: (.*)$`).FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s uses %s", name, m[1])
			}
		}
	}
	installed := regexp.MustCompile(`go install \S*@(\S+)`)
	for name, text := range map[string]string{"docs/ci.md": readRoot(t, "docs/ci.md"), "GitLab": workflowText(t, workflow.GitLab)} {
		found := installed.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s installs nothing", name)
		}
		for _, m := range found {
			if m[0] != "go install github.com/git-plan/git-plan/cmd/git-plan@v"+release {
				t.Errorf("%s has %s", name, m[0])
			}
		}
	}
	if !strings.Contains(readRoot(t, "go.mod"), "\ngo "+workflow.GoVersion+".") {
		t.Errorf("workflows build with Go %s, which is not that of go.mod", workflow.GoVersion)
	}
}

// Every `git plan …` that a workflow, the action or docs/ci.md names exists,
// with its flags.
func TestCommandsOfCI(t *testing.T) {
	document := readRoot(t, "docs/ci.md")
	lines := append(blocks(document, "sh"), regexp.MustCompile("`git plan [^`]*`").FindAllString(document, -1)...)
	for _, text := range yamlOfCI(t) {
		var doc map[string]any
		if yaml.Unmarshal([]byte(text), &doc) == nil {
			lines = append(lines, scripts(doc)...)
		}
	}
	checked := 0
	named := regexp.MustCompile(`(?:git plan|git-plan\}") ([^\s#` + "`" + `]+(?: [^\s#` + "`" + `]+)*)`)
	for _, text := range lines {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			checked++
			if err := understood(strings.Fields(m[1])); err != nil {
				t.Errorf("git plan %s: %v", m[1], err)
			}
		}
	}
	if checked < 8 {
		t.Errorf("only %d commands were found", checked)
	}
}

// understood reports whether the program has a command and the flags it is
// given.
func understood(words []string) error {
	cmd, rest, err := newRoot(newApp(Env{Now: time.Now})).Find(words)
	if err != nil || cmd.Parent() == nil {
		return errors.New("there is no such command")
	}
	for _, word := range rest {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			if cmd.Flag(name) == nil {
				return fmt.Errorf("there is no flag --%s", name)
			}
		}
	}
	return nil
}

// The table of inputs in docs/ci.md is that of action.yml, and every input and
// output leads somewhere.
func TestActionInputs(t *testing.T) {
	text := readRoot(t, "action.yml")
	var action struct {
		Inputs  map[string]struct{ Description, Default string }
		Outputs map[string]struct{ Value string }
	}
	if err := yaml.Unmarshal([]byte(text), &action); err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|([^|]*)\\|").FindAllStringSubmatch(readRoot(t, "docs/ci.md"), -1) {
		documented[m[1]] = strings.Trim(m[2], "` ")
	}
	for name, in := range action.Inputs {
		shown, ok := documented[name]
		if !ok || in.Default != "" && shown != in.Default {
			t.Errorf("docs/ci.md says of the input %s %q (%v), and its default is %q", name, shown, ok, in.Default)
		}
		if !strings.Contains(text, "inputs."+name) {
			t.Errorf("the input %s is not used", name)
		}
		delete(documented, name)
	}
	if len(documented) > 0 {
		t.Errorf("docs/ci.md has inputs that action.yml does not have: %v", documented)
	}
	for name, out := range action.Outputs {
		if out.Value != "${{ steps.check.outputs."+name+" }}" {
			t.Errorf("the output %s is %s", name, out.Value)
		}
	}
	if got := action.Inputs["go-version"].Default; got != workflow.GoVersion {
		t.Errorf("the action builds with Go %s, workflows with %s", got, workflow.GoVersion)
	}
}

// The action's own script passes inputs on as they are, whatever is in them,
// and ends as the program does.
func TestActionScript(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the action needs bash")
	}
	program, err := exec.LookPath("git-plan")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct{ Steps []struct{ ID, Run string } }
	}
	if err := yaml.Unmarshal([]byte(readRoot(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	step := action.Runs.Steps[len(action.Runs.Steps)-1]
	if step.ID != "check" {
		t.Fatalf("the last step is %q", step.ID)
	}
	dir := t.TempDir()
	environ := append(gittest.Env(dir), "BINARY="+program, "RUNNER_TEMP="+dir)
	store := filepath.Join(dir, "shop")
	maker := exec.Command("sh", mustAbs(filepath.Join("..", "..", "testdata", "action", "make-store")), store)
	maker.Env = environ
	if out, err := maker.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, c := range map[string]struct {
		inputs []string
		status int
		says   string
	}{
		"good":           {[]string{"TARGETS=good plans", "GATE=base"}, 0, "0 errors, 0 warnings in 2 plans"},
		"bad":            {[]string{"TARGETS=bad"}, 1, "2 errors"},
		"reports":        {[]string{"TARGETS=good..bad", "SARIF=true"}, 1, "2 errors, 0 warnings in 1 plan of 1 commit"},
		"no event":       {nil, 128, "this is no job of GitHub or GitLab"},
		"hostile target": {[]string{"TARGETS=good $(touch${IFS}pwned) `touch${IFS}pwned` \"; touch pwned;"}, 128, "no such plan, revision or path"},
		"hostile gate":   {[]string{"TARGETS=good", "GATE=base --json; touch pwned"}, 129, "--gate is base or strict"},
		"summary":        {[]string{"TARGETS=good", "SUMMARY=perhaps"}, 129, "perhaps"},
		"comment":        {[]string{"TARGETS=good", "COMMENT=true"}, 0, "0 errors"},
		"no comment":     {[]string{"TARGETS=good", "COMMENT=perhaps"}, 129, "perhaps"},
	} {
		cmd := exec.Command(shell, "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir, cmd.Env = store, append(append(environ[:len(environ):len(environ)], "SUMMARY=true", "COMMENT=false"), c.inputs...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: status %d, not %d:\n%s", name, got, c.status, out)
		}
		if _, err := os.Lstat(filepath.Join(store, "pwned")); err == nil {
			t.Fatalf("%s: what an input holds was run", name)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "git-plan.sarif")); err != nil || !strings.Contains(string(data), "body-empty") {
		t.Errorf("the SARIF report: %.200s, %v", data, err)
	}
}
