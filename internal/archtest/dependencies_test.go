package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What is linked has a row with its licence, and every row is linked.
func TestDependencies(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{} // a module's licence
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| ([^|]+) \\|$").FindAllStringSubmatch(string(text), -1) {
		told[m[1]] = m[2]
	}
	for module, dir := range linked(t) {
		want, ok := told[module]
		if !ok {
			t.Errorf("%s is linked and has no row in docs/dependencies.md", module)
			continue
		}
		if licence := licenceIn(t, dir); licence != want {
			t.Errorf("%s: its licence is %s, and its row says %s", module, licence, want)
		}
		delete(told, module)
	}
	for module := range told {
		t.Errorf("%s has a row in docs/dependencies.md and is not linked", module)
	}
}

// linked gives the modules of others in the program, with their folders.
func linked(t *testing.T) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/git-plan")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if module, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			modules[module] = dir
		}
	}
	return modules
}

// licenceIn names the licence that lies in a module's folder.
func licenceIn(t *testing.T, dir string) string {
	t.Helper()
	var files []string
	for _, name := range []string{"LICENSE*", "COPYING*"} {
		found, err := filepath.Glob(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatalf("%s has no licence", dir)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, known := range []struct{ name, phrase string }{
		{"Apache-2.0", "Apache License"},
		{"BSD-3-Clause", "Neither the name"},
		{"MIT", "Permission is hereby granted, free of charge"},
	} {
		if strings.Contains(text, known.phrase) {
			return known.name
		}
	}
	return "unknown"
}
