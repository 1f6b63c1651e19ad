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

// where the tour's reader works, in what README.md prints.
const readersHome = "/home/you"

// tourBlock is a block of commands in README.md and what stands below it.
type tourBlock struct {
	commands string
	status   int
	want     string
}

// TestReadmeTour runs the tour in README.md as its reader would, in one shell,
// and holds what it prints against what the page shows. With UPDATE_README set
// it writes what is new into the page.
func TestReadmeTour(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the tour needs a POSIX shell")
	}
	readme := readRoot(t, "README.md")
	blocks := tour(readme)
	if len(blocks) < 8 {
		t.Fatalf("README.md has %d blocks of commands in its tour", len(blocks))
	}
	for i, out := range runTour(t, shell, blocks) {
		b := blocks[i]
		if out.status != b.status {
			t.Errorf("ended with status %d, not %d:\n%s\nit printed:\n%s", out.status, b.status, b.commands, out.want)
		}
		if stable(out.want) == stable(b.want) {
			continue
		}
		if os.Getenv("UPDATE_README") == "" {
			t.Errorf("README.md is out of date; see the difference with UPDATE_README=1 and git diff. These commands\n%s\nprint:\n%s\nnot:\n%s", b.commands, out.want, b.want)
		}
		shown := "```\n\n```text\n"
		readme = strings.Replace(readme, b.commands+shown+b.want, b.commands+shown+out.want, 1)
	}
	if os.Getenv("UPDATE_README") != "" {
		if err := os.WriteFile(filepath.Join("..", "..", "README.md"), []byte(readme), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tour finds the blocks of commands, each with the text block right below it.
func tour(readme string) []tourBlock {
	_, text, _ := strings.Cut(readme, "\n## A tour")
	text, _, _ = strings.Cut(text, "\n## ")
	return shellBlocks(text)
}

// shellBlocks finds the blocks of commands in a text.
func shellBlocks(text string) []tourBlock {
	form := regexp.MustCompile("(?s)```sh(?: exits=(\\d+))?\n(.*?)```\n(?:\n```text\n(.*?)```\n)?")
	var blocks []tourBlock
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		status, _ := strconv.Atoi("0" + m[1])
		blocks = append(blocks, tourBlock{m[2], status, m[3]})
	}
	return blocks
}

// runTour gives for each block its status and what it printed.
func runTour(t *testing.T, shell string, blocks []tourBlock) []tourBlock {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const mark = "=== end of block"
	var script strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&script, "%s\nprintf '%s %%d\\n' $?\n", b.commands, mark)
	}
	cmd := exec.Command(shell, "-c", script.String())
	cmd.Dir = dir
	cmd.Env = append(gittest.Env(filepath.Join(dir, ".home")), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out []tourBlock
	rest := strings.ReplaceAll(string(text), dir, readersHome)
	for _, m := range regexp.MustCompile("(?s)(.*?)"+mark+` (\d+)\n`).FindAllStringSubmatch(rest, -1) {
		status, _ := strconv.Atoi(m[2])
		out = append(out, tourBlock{status: status, want: m[1]})
	}
	if len(out) != len(blocks) {
		t.Fatalf("%d of %d blocks came to an end:\n%s", len(out), len(blocks), text)
	}
	return out
}

// stable replaces what differs from run to run: commit names and times.
func stable(s string) string {
	s = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`).ReplaceAllString(s, "COMMIT")
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(s, "TIME")
}

// The table of commands in README.md has every command once.
func TestReadmeCommands(t *testing.T) {
	_, text, _ := strings.Cut(readRoot(t, "README.md"), "\n## Commands\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var listed, there []string
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[1], -1) {
				listed = append(listed, m[1])
			}
		}
	}
	for _, c := range commands(&app{Env: Env{Now: time.Now}}) {
		if !c.Hidden {
			there = append(there, c.Name())
		}
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("README.md lists the commands\n%v\nand the program has\n%v", listed, there)
	}
}

// Links between documents lead somewhere, and so does each `make` target that
// they name.
func TestDocumentsLead(t *testing.T) {
	makefile := readRoot(t, "Makefile")
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md", "docs/rules.md", "docs/ci.md", "docs/agent-guide.md", "docs/mcp.md"} {
		text := readRoot(t, name)
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", "..", filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z]+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s names `make %s`, which the Makefile does not have", name, m[1])
			}
		}
	}
}

// readRoot reads a file at the top of the project.
func readRoot(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
