package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

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
	for _, c := range commands(newApp(Env{Now: time.Now})) {
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
	for _, name := range append(documentNames(t), "CHANGELOG.md") {
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
