package suggest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// convention is how a language's projects name the test of a source file.
type convention struct {
	exts []string
	// subject gives the name of what a test file's stem is a test of, or "".
	subject func(stem string) string
	// whole says that tests belong to a folder, as Go's packages, rather than
	// to a file.
	whole bool
	// never are stems that nobody writes tests for.
	never []string
}

func conventions() []convention {
	suffix := func(ends ...string) func(string) string {
		return func(stem string) string {
			for _, e := range ends {
				if s, ok := strings.CutSuffix(stem, e); ok {
					return s
				}
			}
			return ""
		}
	}
	around := func(stem string) string {
		if s, ok := strings.CutPrefix(stem, "test_"); ok {
			return s
		}
		return suffix("_test", "_spec")(stem)
	}
	return []convention{
		{exts: []string{".go"}, subject: suffix("_test"), whole: true},
		{exts: []string{".py"}, subject: around, never: []string{"__init__", "__main__", "setup", "conftest", "manage", "settings", "urls", "wsgi", "asgi", "version", "_version", "constants", "types"}},
		{exts: []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"}, subject: suffix(".test", ".spec", "-test", "_test"), never: []string{"index", "main", "types", "constants", "setup"}},
		{exts: []string{".rb"}, subject: around, never: []string{"version", "spec_helper", "test_helper"}},
		{exts: []string{".java", ".kt", ".scala", ".groovy"}, subject: suffix("Tests", "Test", "Spec", "IT"), never: []string{"package-info", "module-info"}},
		{exts: []string{".cs"}, subject: suffix("Tests", "Test"), never: []string{"AssemblyInfo", "Program"}},
		{exts: []string{".php"}, subject: suffix("Test")},
		{exts: []string{".ex", ".exs"}, subject: suffix("_test"), never: []string{"test_helper", "mix"}},
		{exts: []string{".dart"}, subject: suffix("_test"), never: []string{"main"}},
	}
}

// A project has a convention where at least this many sources have tests, and
// at least half of all.
const minTested = 3

// Untested finds source files without a test in a project that by and large has
// one for each. Where that is not its custom it finds nothing.
func Untested(files []string) []Suggestion {
	var out []Suggestion
	for _, c := range conventions() {
		out = append(out, c.untested(files)...)
	}
	return out
}

func (c convention) untested(files []string) []Suggestion {
	tested := map[string]bool{}
	var sources []string
	for _, f := range files {
		stem, ok := c.stem(f)
		switch {
		case !ok:
		case c.subject(stem) != "":
			tested[c.key(f, c.subject(stem))] = true
		case inTests(f):
			tested[c.key(f, stem)] = tested[c.key(f, stem)] || !c.whole
		case c.isSource(f, stem):
			sources = append(sources, f)
		}
	}
	units, with := map[string][]string{}, 0
	var without []string
	for _, f := range sources {
		stem, _ := c.stem(f)
		unit := f
		if c.whole {
			unit = path.Dir(f)
		}
		if len(units[unit]) == 0 {
			if tested[c.key(f, stem)] {
				with++
			} else {
				without = append(without, unit)
			}
		}
		units[unit] = append(units[unit], f)
	}
	if with < minTested || with < len(without) {
		return nil
	}
	var out []Suggestion
	for _, unit := range without {
		out = append(out, c.suggest(unit, units[unit], with, with+len(without)))
	}
	return out
}

// suggest makes the suggestion for a file, or for a folder and its files.
func (c convention) suggest(unit string, files []string, with, all int) Suggestion {
	if !c.whole {
		return Suggestion{titled("Test " + unit), "test", unit, 0,
			fmt.Sprintf("no test is named after it, as for %d of %d such files", with, all)}
	}
	largest := files[0]
	if i := slices.Index(files, path.Join(unit, path.Base(unit)+c.exts[0])); i >= 0 {
		largest = files[i]
	}
	return Suggestion{titled("Test the package " + unit), "test", largest, 0,
		fmt.Sprintf("no test stands in the folder %s, as in %d of %d such folders", unit, with, all)}
}

// key is by what a source and its test find each other: the folder where tests
// belong to one, else the name alone, since tests often have a tree of their own.
func (c convention) key(file, stem string) string {
	if c.whole {
		return path.Dir(file)
	}
	return strings.ToLower(stem)
}

// stem gives a file's name without its extension, if it is of the language.
func (c convention) stem(file string) (string, bool) {
	ext := path.Ext(file)
	if !slices.Contains(c.exts, ext) || !utf8.ValidString(file) {
		return "", false
	}
	return strings.TrimSuffix(path.Base(file), ext), true
}

// isSource reports whether a file could have a test by the look of its name.
func (c convention) isSource(file, stem string) bool {
	if IsForeign(file) || slices.Contains(c.never, stem) || isMade(stem) {
		return false
	}
	if c.whole && (stem == "doc" || stem == "main" || stem == "generate") {
		return false
	}
	dir := "/" + path.Dir(file)
	hidden := dir != "/." && strings.Contains(dir, "/.")
	return !hidden && !isBelow(file, "docs", "doc", "examples", "example", "migrations", "scripts", "tools", "hack", "bin", "stories", "mocks", "__mocks__",
		"stubs", "assets", "public", "static")
}

// isMade reports whether a file was made by a program, configures one, or only
// declares, by its name.
func isMade(stem string) bool {
	for _, end := range []string{".d", ".config", ".conf", ".stories", ".mock", "_gen", ".gen", "_generated", ".generated", "_string", ".pb", "_pb2", "_pb", ".g", ".freezed", ".designer", ".Designer"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.HasPrefix(stem, "zz_") || strings.HasPrefix(stem, ".")
}

// inTests reports whether a file stands among tests, where it is one, or helps.
func inTests(file string) bool {
	return isBelow(file, "test", "tests", "spec", "specs", "__tests__", "e2e", "testing", "testutil", "testutils", "testhelpers")
}
