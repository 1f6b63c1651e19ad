package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that docs/security.md names is in cmd/git-plan, or in the package
// whose name stands before it in the same cell of the table.
func TestNamedBoundaries(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	packages := testedPackages(t)
	found, dir := map[string]bool{}, ""
	for _, m := range regexp.MustCompile("`(Test\\w+)`|`([\\w/-]+)`:|\\||\n").FindAllStringSubmatch(string(data), -1) {
		switch {
		case m[2] != "":
			if dir = packages[m[2]]; dir == "" {
				t.Errorf("there is no package %s with tests", m[2])
			}
		case m[1] == "":
			dir = "cmd/git-plan"
		case dir != "":
			found[m[1]] = true
			if !tests(t, dir)[m[1]] {
				t.Errorf("%s has no %s: the document is out of date", dir, m[1])
			}
		}
	}
	for name := range tests(t, "cmd/git-plan") {
		if strings.HasPrefix(name, "TestBoundary") && !found[name] {
			t.Errorf("the document does not tell of %s", name)
		}
	}
}

// testedPackages gives the folders that have tests, by their paths and by their
// last names.
func testedPackages(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		dir = filepath.ToSlash(dir)
		dirs[dir], dirs[filepath.Base(dir)] = dir, dir
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
