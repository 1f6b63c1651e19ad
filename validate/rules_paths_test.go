package validate

import (
	"fmt"
	"strings"
	"testing"
)

// What stands in back-quotes in a hint, and whether it is taken for a path of
// a project that has the folders a and src.
func TestHintPaths(t *testing.T) {
	c := &Context{Input: Input{Exists: project("a", "src/app.go")}}
	for text, want := range map[string]string{
		"spec.md":                  "spec.md",
		"spec.md:12":               "spec.md",
		"spec.md:12:3":             "spec.md",
		"spec.md:12-40":            "spec.md",
		"spec.md#L12-L40":          "spec.md",
		"src/models/user.py":       "src/models/user.py",
		"src/models/":              "src/models/",
		"./src/app.go":             "src/app.go",
		".github/workflows/ci.yml": ".github/workflows/ci.yml",
		"go.mod":                   "",
		"package.json":             "package.json",
		"main.tf":                  "main.tf",
		"docs/überblick.md":        "docs/überblick.md",
		"a/b":                      "a/b",
		"src/api":                  "src/api",
		"lib/next.config.mjs":      "lib/next.config.mjs",
		"tests/data/x.tar.gz":      "tests/data/x.tar.gz",

		"b/c":                         "",
		"users":                       "",
		"Register()":                  "",
		"Service.Register":            "",
		"go test ./...":               "",
		"go test ./plan":              "",
		"make check":                  "",
		"./...":                       "",
		"application/json":            "",
		"application/vnd.github.diff": "",
		"text/html":                   "",
		"image/svg+xml":               "",
		"github.com/x/y":              "",
		"golang.org/x/text":           "",
		"gopkg.in/yaml.v3":            "",
		"https://example.com/a.html":  "",
		"example.com/a.html":          "",
		"git@example.com:a/b.git":     "",
		"ada/engine.git":              "",
		"os.path":                     "",
		"os.path.join":                "",
		"user.name":                   "",
		"console.log":                 "",
		"process.env":                 "",
		"app.config":                  "",
		"mutex.lock":                  "",
		"res.json":                    "",
		"np.sum":                      "",
		"Node.js":                     "",
		"vue.js":                      "",
		"vercel/next.js":              "",
		"@angular/core":               "",
		"@/components/Button.tsx":     "",
		"/api/users":                  "",
		"/api/users/":                 "",
		"GET /users":                  "",
		"GET /users/":                 "",
		"users/:id":                   "",
		"feature/login":               "",
		"encoding/json":               "",
		"net/http":                    "",
		"and/or":                      "",
		"--format json":               "",
		"-v/--verbose":                "",
		"x.y == z.w":                  "",
		"*.go":                        "",
		"src/**/*.ts":                 "",
		"NN-slug.md,":                 "",
		"tests/test_auth.py::test_in": "",
		"../outside.md":               "",
		"/etc/hosts.conf":             "",
		"~/.config/app.toml":          "",
		`C:\work\a.md`:                "",
		".git/config":                 "",
		"v1.2.3":                      "",
		"1.5":                         "",
		"e.g":                         "",
		"T.Helper":                    "",
		"std::fs":                     "",
		"{\"a\": 1}":                  "",
		"id: users.md":                "",
		"":                            "",
		".":                           "",
		"..":                          "",
		"/":                           "",
	} {
		if got := strings.Join(c.hintPaths("See `"+text+"` for it"), " "); got != want {
			t.Errorf("hintPaths(`%s`) = %q, want %q", text, got, want)
		}
	}
	if got := c.hintPaths("Read `a.md`, then `b.go:3`; not c.md, nor `d\n.md`"); fmt.Sprint(got) != "[a.md b.go]" {
		t.Errorf("of several paths, hintPaths gives %q", got)
	}
}

// A path that is made on the way need not be in the project yet.
func TestCreates(t *testing.T) {
	const full = "type: feature\ncontext_hints: [Read it]\n"
	for _, c := range []struct {
		name, creates, path string
		found               bool
	}{
		{"itself", "[a/b.go]", "a/b.go", false},
		{"spelt otherwise", "[./a//b.go]", "a/b.go", false},
		{"below a folder", "[internal/auth/]", "internal/auth/token.go", false},
		{"far below a folder", "[internal/auth/]", "internal/auth/jwt/token.go", false},
		{"the folder", "[internal/auth/]", "internal/auth", false},
		{"the folder with a slash", "[internal/auth/token.go]", "internal/auth/", false},
		{"a file is no folder", "[internal/auth]", "internal/auth/token.go", true},
		{"another folder of like name", "[internal/auth/]", "internal/authn/token.go", true},
		{"another file", "[a/b.go]", "a/c.go", true},
		{"nothing", "[]", "a/b.go", true},
	} {
		in := input("01-a", "id: a\n"+full+"creates: "+c.creates+"\nrelevant_file_paths: [\""+c.path+"\"]")
		in.Exists = project()
		if got := run(in, Strict); (got != "") != c.found {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// b relies on what a makes, however it waits for a.
func TestCreatesUpstream(t *testing.T) {
	const makes, needs = "\ncreates: [x.go]", "\nrelevant_file_paths: [x.go]\ncontext_hints: [Read `x.go`]"
	for _, c := range []struct {
		name  string
		pairs []string
		found bool
	}{
		{"not at all", []string{"01-a", "id: a" + makes, "02-b", "id: b" + needs}, true},
		{"depends_on", []string{"01-a", "id: a" + makes, "02-b", "id: b\ndepends_on: [a]" + needs}, false},
		{"the wrong way", []string{"01-a", "id: a\ndepends_on: [b]" + makes, "02-b", "id: b" + needs}, true},
		{"at a distance", []string{"01-a", "id: a" + makes, "02-b", "id: b\ndepends_on: [c]" + needs, "03-c", "id: c\ndepends_on: [d]", "04-d", "id: d\ndepends_on: [a]"}, false},
		{"data flow", []string{"01-a", "id: a\noutputs: [x]" + makes, "02-b", "id: b\ninputs: [x]" + needs}, false},
		{"a done task", []string{"01-a", "id: a\nstatus: done" + makes, "02-b", "id: b\ndepends_on: [a]" + needs}, false},
		{"a container's child", []string{"01-c", "id: c", "01-c/01-a", "id: a" + makes, "02-b", "id: b\ndepends_on: [c]" + needs}, false},
		{"what its container waits for", []string{"01-a", "id: a" + makes, "02-c", "id: c\ndepends_on: [a]", "02-c/01-b", "id: b" + needs}, false},
		{"file order", []string{"02-c", "id: c\nkind: subtask", "02-c/01-a", "id: a" + makes, "02-c/02-b", "id: b" + needs}, false},
		{"its own child", []string{"02-b", "id: b" + needs, "02-b/01-a", "id: a" + makes}, false},
	} {
		in := input(c.pairs...)
		in.Exists = project()
		want := 0
		if c.found {
			want = 2 // one for the list, one for the hint
		}
		if got := run(in, Base); strings.Count(got, "\n") != want {
			t.Errorf("%s: %d findings wanted:\n%s", c.name, want, got)
		}
	}
}

// Paths are looked up as they are in the project, and what cannot be known is
// no fault.
func TestExists(t *testing.T) {
	in := input("01-a", "id: a\nrelevant_file_paths: [./src//app.go, src/, no.go]")
	asked := map[string]bool{}
	in.Exists = func(p string) Existence {
		asked[p] = true
		return project("src/app.go")(p)
	}
	equal(t, "findings", run(in, Base), "tasks/01-a.md:3:44 path-exists")
	if !asked["src/app.go"] || !asked["src"] || len(asked) != 3 {
		t.Errorf("asked for %v", asked)
	}
	in.Exists = func(string) Existence { return Unknown }
	equal(t, "where nothing is known", run(in, Base), "")
	in.Exists = nil
	equal(t, "without a world", run(in, Base), "")
}

// A path that leaves the project is one finding, and is not looked up.
func TestEscapedPathIsNotLookedUp(t *testing.T) {
	in := input("01-a", "id: a\nrelevant_file_paths: [../x.go]\ncontext_hints: [\"Read `../y.md`\"]")
	in.Exists = func(p string) Existence {
		t.Errorf("looked up %q", p)
		return No
	}
	equal(t, "findings", run(in, Base), "tasks/01-a.md:3:23 path-escape")
}
