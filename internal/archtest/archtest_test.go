package archtest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	gitPackage  = "internal/git"
	runPackage  = "internal/run"
	testPackage = "internal/gittest"
	benchTool   = "internal/bench"
	forgePkg    = "internal/ci"
	webPackage  = "internal/web"
	goGit       = "github.com/go-git/go-git"
)

// Every package has a row, and every row a package.
func TestTableIsWhole(t *testing.T) {
	found := packages(t)
	listed := map[string]bool{}
	for _, r := range table(t) {
		if listed[r.dir] {
			t.Errorf("%s has two rows", r.dir)
		}
		listed[r.dir] = true
		if found[r.dir] == nil {
			t.Errorf("%s has a row and is no package: remove the row", r.dir)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		if !listed[dir] {
			t.Errorf("%s has no row in docs/architecture.md: say what it holds and may import", dir)
		}
	}
}

// The table is a tower: a package may import only what stands below it.
func TestTablePointsDown(t *testing.T) {
	rows := table(t)
	for i, r := range rows {
		for _, name := range r.may {
			if !slices.ContainsFunc(rows[i+1:], func(lower row) bool { return lower.dir == name }) {
				t.Errorf("%s may import %s, which is no row below it", r.dir, name)
			}
		}
	}
}

// The code imports what the table allows and nothing else, and the table allows
// nothing that it does not.
func TestImports(t *testing.T) {
	found := packages(t)
	for _, r := range table(t) {
		p := found[r.dir]
		if p == nil {
			continue // TestTableIsWhole tells
		}
		for _, name := range p.imports {
			dir, our := ours(name)
			if our && !slices.Contains(r.may, dir) {
				t.Errorf("%s imports %s: the table does not allow it", r.dir, dir)
			}
			if isOutside(name) && !covers(r.outside, name) {
				t.Errorf("%s imports %s: the table names no such module for it", r.dir, name)
			}
		}
		for _, dir := range r.may {
			if !slices.Contains(p.imports, module+"/"+dir) {
				t.Errorf("%s may import %s and does not: take it out of the row", r.dir, dir)
			}
		}
	}
}

// Tests may reach further down than their package, and to the test tools, but
// not up.
func TestTestImports(t *testing.T) {
	found, rows := packages(t), table(t)
	for i, r := range rows {
		if found[r.dir] == nil {
			continue
		}
		for _, name := range found[r.dir].testImports {
			dir, our := ours(name)
			down := slices.ContainsFunc(rows[i:], func(lower row) bool { return lower.dir == dir })
			if our && !down && dir != testPackage {
				t.Errorf("a test of %s imports %s, which stands above it", r.dir, dir)
			}
		}
	}
}

// Only two packages run programs, git and what the user names; only one speaks to a network, only one listens, only two know
// go-git, and the packages that say they do no I/O cannot.
func TestWalls(t *testing.T) {
	found := packages(t)
	for _, r := range table(t) {
		if found[r.dir] == nil {
			continue
		}
		for _, name := range found[r.dir].imports {
			switch {
			case name == "os/exec" && !slices.Contains([]string{gitPackage, runPackage, testPackage, benchTool}, r.dir):
				t.Errorf("%s imports os/exec: only %s and %s run programs", r.dir, gitPackage, runPackage)
			case isBelow(name, "net") && name != "net/url" && r.dir != forgePkg && r.dir != webPackage:
				t.Errorf("%s imports %s: only %s speaks to a network and only %s listens", r.dir, name, forgePkg, webPackage)
			case strings.HasPrefix(name, goGit) && r.dir != "gitstore" && r.dir != "internal/objectdb":
				t.Errorf("%s imports %s: only gitstore and internal/objectdb know go-git", r.dir, name)
			case regexp.MustCompile(`^` + goGit + `(/v\d+)?$`).MatchString(name):
				t.Errorf("%s imports go-git's root package, which moves refs: take its subpackages", r.dir)
			case strings.Contains(r.holds, "no I/O") && doesIO(name):
				t.Errorf("%s imports %s, and its row says that it does no I/O", r.dir, name)
			}
		}
	}
}

// doesIO reports whether a package of the standard library reaches the world.
func doesIO(name string) bool {
	return slices.ContainsFunc([]string{"os", "net", "syscall", "path/filepath"}, func(p string) bool { return isBelow(name, p) })
}

// The test tools are for tests, and nothing imports the program.
func TestNobodyImports(t *testing.T) {
	for dir, p := range packages(t) {
		for _, name := range p.imports {
			our, _ := ours(name)
			if our == testPackage || our == benchTool || isBelow(our, "cmd") {
				t.Errorf("%s imports %s", dir, name)
			}
		}
	}
}

// Each function that the document names, in the form `file.go`: `Func`,
// `Type.Method`, is where it says.
func TestNamedFunctions(t *testing.T) {
	mention := regexp.MustCompile("`([a-z][a-z_/-]*\\.go)`: (`[A-Za-z.]+`(?:, `[A-Za-z.]+`)*)")
	found := mention.FindAllStringSubmatch(document(t), -1)
	if len(found) < 10 {
		t.Fatalf("the document names functions in %d places; a command traced in ten steps names more", len(found))
	}
	for _, m := range found {
		declared, err := functions(m[1])
		if err != nil {
			t.Errorf("the document names %s: %v", m[1], err)
			continue
		}
		for _, name := range names(m[2]) {
			if !declared[name] {
				t.Errorf("%s declares no %s: the document is out of date", m[1], name)
			}
		}
	}
}
