package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// readersHome is where the reader of a page works, in what the page shows.
const readersHome = "/home/you"

// shownBlock is commands that a page shows, and what it says they print.
type shownBlock struct {
	commands string
	status   int
	want     string
	// Where what they print stands in the page.
	from, to int
	// Run elsewhere: the page says so, and notRun by which test.
	elsewhere bool
}

// notRun are the commands that are shown and cannot be run where pages are
// tested, with what shows that they work.
func notRun() map[string]string {
	return map[string]string{
		"make install":        "TestInstalled",
		"make demo":           ".ci/run",
		"make build":          "TestInstalled and .ci/run",
		"go install ":         "TestGoInstall",
		"git push origin ":    "TestScript/ci, and git's own tests",
		"goreleaser ":         "TestReleaseConfiguration, as far as it goes without it",
		"dpkg -i ":            "the tests of dpkg",
		"git plan hooks inst": "TestScript/server, in a bare repository",
		"git plan init --ci ": "TestScript/ci",
	}
}

// otherPages have tests of their own.
func otherPages() map[string]string {
	return map[string]string{
		"docs/rules.md":  "each example is a fixture: TestRulesManual",
		"docs/models.md": "models are programs of the user: TestScript/judge puts one in their place",
	}
}

// TestDocuments runs the commands of each document in one shell, as its reader
// would, and holds what they print against what the page shows. With
// UPDATE_README set it writes what is new into the pages.
func TestDocuments(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the documents need a POSIX shell")
	}
	for _, name := range documentNames(t) {
		if otherPages()[name] != "" {
			continue
		}
		page := readRoot(t, name)
		blocks := shownBlocks(page)
		if len(blocks) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparePage(t, name, page, blocks, runBlocks(t, shell, blocks))
		})
	}
}

// documentNames gives the pages of the project.
func documentNames(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md"}
	docs, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("%d documents: %v", len(docs), err)
	}
	for _, name := range docs {
		names = append(names, "docs/"+filepath.Base(name))
	}
	return names
}

// shownBlocks finds the blocks of commands in a page: ```sh, with ```text right
// below it for what is printed, and ```console, which has both.
func shownBlocks(page string) []shownBlock {
	form := regexp.MustCompile("(?ms)^```(sh|console)( [^\n]*)?\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?")
	var blocks []shownBlock
	for _, m := range form.FindAllStringSubmatchIndex(page, -1) {
		info := ""
		if m[4] >= 0 {
			info = page[m[4]:m[5]]
		}
		b := shownBlock{commands: page[m[6]:m[7]], elsewhere: strings.Contains(info, "elsewhere"), from: m[7], to: m[7]}
		if _, status, found := strings.Cut(info, "exits="); found {
			b.status, _ = strconv.Atoi(status)
		}
		switch {
		case page[m[2]:m[3]] == "console":
			blocks = append(blocks, consoleBlocks(page, b, m[6])...)
		case m[8] >= 0:
			b.want, b.from, b.to = page[m[8]:m[9]], m[8], m[9]
			fallthrough
		default:
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// consoleBlocks takes a block of a console apart: commands behind "$ ", and what each
// prints. The status is that of the last.
func consoleBlocks(page string, whole shownBlock, at int) []shownBlock {
	var blocks []shownBlock
	for line := range strings.Lines(whole.commands) {
		at += len(line)
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			blocks = append(blocks, shownBlock{commands: command, from: at, to: at, elsewhere: whole.elsewhere})
		} else if n := len(blocks) - 1; n >= 0 {
			blocks[n].want, blocks[n].to = blocks[n].want+line, at
		}
	}
	if n := len(blocks); n > 0 {
		blocks[n-1].status = whole.status
	}
	return blocks
}

// runBlocks runs commands in one shell and gives for each block its status and
// what it printed.
func runBlocks(t *testing.T, shell string, blocks []shownBlock) []shownBlock {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const mark = "=== end of block"
	var script strings.Builder
	for _, b := range blocks {
		if b.elsewhere {
			b.commands = "(exit " + strconv.Itoa(b.status) + ")"
		}
		fmt.Fprintf(&script, "%s\nprintf '%s %%d\\n' $?\n", b.commands, mark)
	}
	cmd := exec.Command(shell, "-c", script.String())
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(gittest.Env(filepath.Join(dir, ".home")), func(kv string) bool { return strings.Contains(kv, "_DATE=") })
	// No page may count on what its reader's git calls the first branch.
	cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=trunk")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out []shownBlock
	rest := strings.ReplaceAll(string(text), dir, readersHome)
	for _, m := range regexp.MustCompile("(?s)(.*?)"+mark+` (\d+)\n`).FindAllStringSubmatch(rest, -1) {
		status, _ := strconv.Atoi(m[2])
		out = append(out, shownBlock{status: status, want: indentLines(m[1])})
	}
	if len(out) != len(blocks) {
		t.Fatalf("%d of %d blocks came to an end:\n%s", len(out), len(blocks), text)
	}
	return out
}

// indentLines indents the lines that are JSON documents.
func indentLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(indentJSON(line))
	}
	return b.String()
}

// comparePage holds what was printed against what the page shows.
func comparePage(t *testing.T, name, page string, blocks, printed []shownBlock) {
	t.Helper()
	rewrite := os.Getenv("UPDATE_README") != ""
	for i, b := range slices.Backward(blocks) {
		if b.elsewhere {
			if !slices.ContainsFunc(strings.Split(b.commands, "\n"), isTestedElsewhere) {
				t.Errorf("%s leaves these commands to another test, and notRun names none:\n%s", name, b.commands)
			}
			continue
		}
		out := printed[i]
		if out.status != b.status {
			t.Errorf("ended with status %d, not %d:\n%s\nit printed:\n%s", out.status, b.status, b.commands, out.want)
		}
		if stable(out.want) == stable(indentLines(b.want)) {
			continue
		}
		if !rewrite {
			t.Errorf("%s is out of date; see the difference with UPDATE_README=1 and git diff. These commands\n%s\nprint:\n%s\nnot:\n%s", name, b.commands, out.want, b.want)
		}
		page = page[:b.from] + out.want + page[b.to:]
	}
	if rewrite {
		if err := os.WriteFile(filepath.Join("..", "..", filepath.FromSlash(name)), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func isTestedElsewhere(command string) bool {
	for begin := range notRun() {
		if strings.HasPrefix(command, begin) {
			return true
		}
	}
	return false
}

// stable replaces what differs from run to run: commit names and times.
func stable(s string) string {
	s = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`).ReplaceAllString(s, "COMMIT")
	s = regexp.MustCompile(` (now|\d+[smh]) `).ReplaceAllString(s, " AGE ")
	s = regexp.MustCompile(`\bconfig: git-plan-([a-z-]+)`).ReplaceAllString(s, "hooks/$1") // where git 2.54 and later has them
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(s, "TIME")
}

// Every command that a document names in its text is there, with its flags.
func TestDocumentsNameCommands(t *testing.T) {
	root := newRoot(newApp(Env{Now: time.Now}))
	inText := regexp.MustCompile("`git plan ([^`\n]+)`")
	for _, name := range append(documentNames(t), "CHANGELOG.md") {
		for _, m := range inText.FindAllStringSubmatch(readRoot(t, name), -1) {
			words := strings.Fields(m[1])
			if strings.HasPrefix(words[0], "-") || strings.ContainsAny(words[0], "<…ABC") {
				continue
			}
			cmd, rest, err := root.Find(words)
			if err != nil || cmd == root {
				t.Errorf("%s names `git plan %s`, and there is no such command", name, m[1])
				continue
			}
			cmd.InitDefaultHelpFlag()
			for _, word := range rest {
				flag, _, _ := strings.Cut(strings.TrimLeft(strings.Trim(word, "[]…,"), "-"), "=")
				long := strings.HasPrefix(strings.TrimLeft(word, "["), "--") && flag != ""
				if word == "--" {
					break
				}
				if long && cmd.Flag(flag) == nil && cmd.InheritedFlags().Lookup(flag) == nil {
					t.Errorf("%s names `git plan %s`, and there is no flag --%s", name, m[1], flag)
				}
			}
		}
	}
}
