package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every setting that the code reads stands in the manual page, and every one in
// there or in a table of a document is read.
func TestSettingsAreDocumented(t *testing.T) {
	read := settings(t, regexp.MustCompile(`"(plan\.[a-zA-Z.]+)"`), goFiles(t))
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := settings(t, regexp.MustCompile(`(?m)^\.B (plan\.[a-zA-Z.]+)`), []string{"../../docs/git-plan.1"})
	told := settings(t, regexp.MustCompile("(?m)^\\| `(plan\\.[a-zA-Z.]+)`"), docs)
	for _, key := range read {
		if !slices.Contains(manual, key) {
			t.Errorf("%s is read by the code and not in the manual page", key)
		}
	}
	for _, key := range slices.Concat(manual, told) {
		if !slices.Contains(read, key) {
			t.Errorf("%s is documented and the code does not read it", key)
		}
	}
}

// settings gives what a pattern finds in files, each once. Files of plans have
// such names too.
func settings(t *testing.T, pattern *regexp.Regexp, files []string) []string {
	t.Helper()
	var found []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllStringSubmatch(string(data), -1) {
			if key := m[1]; key != "plan.md" && !strings.HasSuffix(key, ".") && !slices.Contains(found, key) {
				found = append(found, key)
			}
		}
	}
	slices.Sort(found)
	return found
}

// goFiles gives the program's sources, tests left out.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
