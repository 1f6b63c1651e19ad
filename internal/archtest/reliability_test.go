package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each test that docs/reliability.md names is in internal/reliability, or in the
// package named before it in the same cell of the table.
func TestNamedTests(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	found, dir := 0, ""
	for _, m := range regexp.MustCompile("`(Test\\w+)`|`(gitstore|internal/draft)`:|\\||\n").FindAllStringSubmatch(string(data), -1) {
		switch {
		case m[2] != "":
			dir = m[2]
		case m[1] == "":
			dir = "internal/reliability"
		default:
			found++
			if !tests(t, dir)[m[1]] {
				t.Errorf("%s has no %s: the document is out of date", dir, m[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("the document names %d tests; its table of promises alone names more", found)
	}
}

// tests gives the functions that the test files of a package declare.
func tests(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", dir, err)
	}
	declared := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				declared[f.Name.Name] = true
			}
		}
	}
	return declared
}
