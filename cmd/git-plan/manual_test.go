package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// TestManualExamples runs the examples of the manual pages, each page's in a
// repository of its own.
func TestManualExamples(t *testing.T) {
	for _, tool := range []string{"sh", "jq", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the examples need %s", tool)
		}
	}
	fixture := manualFixture(t)
	commands := map[string]bool{}
	for _, e := range catalogue() {
		commands[e.name] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^# (.*)$`).FindAllStringSubmatch(examplesText, -1) {
		name := m[1]
		if !commands[name] {
			t.Errorf("the manual has examples of %q, which is no command", name)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "w")
			if err := os.CopyFS(dir, os.DirFS(fixture)); err != nil {
				t.Fatal(err)
			}
			script := strings.Join(indentedLines(manualExamples(name)), "\n")
			if name == "check" || name == "commit" { // these are about drafts
				script = writePlan(`"$(git plan dir)"`, "Search", "index") + script
			}
			cmd := exec.Command("sh", "-ec", script)
			cmd.Dir = filepath.Join(dir, "shop")
			cmd.Env = append(gittest.Env(filepath.Join(dir, ".home")), "EDITOR=true", "TMPDIR="+dir, "GIT_PLAN_AGENT=coder-1")
			if out, err := cmd.CombinedOutput(); err != nil || script == "" {
				t.Errorf("the example\n%s\nends with %v:\n%s", script, err, out)
			}
		})
	}
}

func indentedLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// manualStore begins the repository that the examples of the manual are about.
const manualStore = `git init -q --bare remote.git
git init -q shop
cd shop
git remote add origin ../remote.git
mkdir src
echo "Users log in." > spec.md
echo "class User: pass" > src/user.py
printf 'test:\n\t@true\n' > Makefile
git add .
git commit -q -m "Begin the shop"
git push -q origin HEAD
git plan init --no-hooks
`

// manualPlans stores what they need: a plan in its second version, one that is
// complete, one in the archive, and a proposal.
const manualPlans = `git plan import ../v1 --id auth
git plan task done auth/create-schema
git plan task fail auth/use-library -m "it is not maintained"
git plan replan auth --from ../v2 --reason "sign tokens ourselves"
git plan import ../old --id old
git plan task done old/begin
git plan import ../old --id first
git plan archive --force first
git plan use auth
git plan sync --manual
git plan task block auth/sign-token -m "the key is missing"
git plan propose auth
git plan task release auth/sign-token
`

// manualFixture makes that repository.
func manualFixture(t *testing.T) string {
	t.Helper()
	script := manualStore + writePlan("../v1", "Log in", "create-schema", "use-library", "docs") +
		writePlan("../v2", "Log in", "create-schema", "sign-token", "docs") + writePlan("../old", "Begin", "begin") + manualPlans
	dir := t.TempDir()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = dir, append(gittest.Env(filepath.Join(dir, ".home")), "GIT_PLAN_AGENT=coder-1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// writePlan gives the commands that write a plan into a folder.
func writePlan(dir, title string, tasks ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mkdir -p %s/tasks\nprintf -- '---\\ntitle: %s\\n---\\n\\nWhy.\\n' > %s/plan.md\n", dir, title, dir)
	for i, id := range tasks {
		fmt.Fprintf(&b, "printf -- '---\\nid: %s\\n---\\n\\nDo it.\\n' > %s/tasks/0%d-%s.md\n", id, dir, i+1, id)
	}
	return b.String()
}

// Every key of git's configuration and every variable of the environment that
// the program reads is in the manual.
func TestManualNamesSettings(t *testing.T) {
	page := overview(newRoot(&app{}))
	key := regexp.MustCompile(`^(plan(\.[a-z]+)?\.[a-z]+[A-Za-z]*|(color|pager)\.plan)$`)
	variable := regexp.MustCompile(`^GIT_PLAN(_[A-Z]+)*$`)
	file := regexp.MustCompile(`\.(md|json|ya?ml|txt|svg|html|tmp)$`)
	for text, where := range literals(t) {
		if strings.HasPrefix(text, "GIT_PLAN_HOOK_") {
			continue // between the program and its own hooks
		}
		if !(key.MatchString(text) && !file.MatchString(text) || variable.MatchString(text)) {
			continue
		}
		if !strings.Contains(page, ".B "+roff(text)+"\n") {
			t.Errorf("%s names the setting %s, which the manual page does not explain", where, text)
		}
	}
}

// literals gives the strings in the program's code, and where one of each is.
func literals(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "bench" || d.Name() == "gittest") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		code, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(code, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				out[text] = files.Position(lit.Pos()).String()
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
