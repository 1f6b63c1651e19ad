package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module = "github.com/git-plan/git-plan"
	root   = "../.."
)

// pkg is what the code says of a package: the imports of its files on every
// platform, and of its tests.
type pkg struct {
	imports, testImports []string
}

// packages reads the imports of every Go file below the root. It parses them
// itself, so that files of other platforms count, and go test notices when one
// of them changed.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	found := map[string]*pkg{}
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && file != root && skipped(e.Name()):
			return filepath.SkipDir
		case e.IsDir() || filepath.Ext(file) != ".go":
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		name := filepath.ToSlash(dir)
		if found[name] == nil {
			found[name] = &pkg{}
		}
		return found[name].add(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// skipped reports whether the go tool looks into no folder of that name.
func skipped(name string) bool {
	return name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func (p *pkg) add(file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	list := &p.imports
	if strings.HasSuffix(file, "_test.go") {
		list = &p.testImports
	}
	for _, imp := range parsed.Imports {
		if name := strings.Trim(imp.Path.Value, `"`); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	return nil
}

// ours gives the folder of an import that is a package of this module.
func ours(name string) (dir string, ok bool) {
	return strings.CutPrefix(name, module+"/")
}

// isOutside reports whether an import comes from another module.
func isOutside(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.Contains(first, ".") && !strings.HasPrefix(name, module)
}

// row is one line of the table of packages.
type row struct {
	dir   string
	holds string
	// may are the packages of ours it may import, outside those of others,
	// without github.com/.
	may, outside []string
}

// document reads docs/architecture.md.
func document(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// table gives the rows below "## The houses", from the top of the tower down.
func table(t *testing.T) []row {
	t.Helper()
	_, text, _ := strings.Cut(document(t), "\n## The houses\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var rows []row
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || len(names(cells[1])) != 1 {
			continue
		}
		rows = append(rows, row{dir: names(cells[1])[0], holds: cells[2], may: names(cells[3]), outside: names(cells[4])})
	}
	if len(rows) == 0 {
		t.Fatal("docs/architecture.md has no table of packages under \"The houses\"")
	}
	return rows
}

// names gives what stands between back-quotes.
func names(cell string) []string {
	var out []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		out = append(out, m[1])
	}
	return out
}

// functions gives what a file declares, methods as Type.Method.
func functions(file string) (map[string]bool, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		found[receiver(fn)+fn.Name.Name] = true
	}
	return found, nil
}

// receiver gives "Type." for a method.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	expr := fn.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if name, ok := expr.(*ast.Ident); ok {
		return name.Name + "."
	}
	return fmt.Sprintf("%T.", expr)
}

// covers reports whether an import belongs to a module named in the table.
func covers(outside []string, name string) bool {
	short := strings.TrimPrefix(name, "github.com/")
	return slices.ContainsFunc(outside, func(o string) bool { return short == o || strings.HasPrefix(short, o+"/") })
}

// isBelow reports whether an import is parent or a package in it.
func isBelow(name, parent string) bool { return name == parent || strings.HasPrefix(name, parent+"/") }
