package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/loop"
)

const agentGuide = "docs/agent-guide.md"

// TestAgentGuide runs the commands of docs/agent-guide.md in one shell and holds
// what they print against what the page shows. With UPDATE_README set it writes
// what is new into the page.
func TestAgentGuide(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the guide needs a POSIX shell")
	}
	page := readRoot(t, agentGuide)
	blocks := shellBlocks(page)
	if len(blocks) < 5 {
		t.Fatalf("%s has %d blocks of commands", agentGuide, len(blocks))
	}
	for i, out := range runTour(t, shell, blocks) {
		b, printed := blocks[i], indentLines(out.want)
		if out.status != b.status {
			t.Errorf("ended with status %d, not %d:\n%s\nit printed:\n%s", out.status, b.status, b.commands, printed)
		}
		if stable(printed) == stable(b.want) {
			continue
		}
		if os.Getenv("UPDATE_README") == "" {
			t.Errorf("%s is out of date; see the difference with UPDATE_README=1 and git diff. These commands\n%s\nprint:\n%s", agentGuide, b.commands, printed)
		}
		const shown = "```\n\n```text\n"
		page = strings.Replace(page, b.commands+shown+b.want, b.commands+shown+printed, 1)
	}
	if os.Getenv("UPDATE_README") != "" {
		if err := os.WriteFile(filepath.Join("..", "..", filepath.FromSlash(agentGuide)), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// indentLines indents the lines that are JSON documents.
func indentLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(indentJSON(line))
	}
	return b.String()
}

// Every key of the loop's answers is explained in docs/agent-guide.md.
func TestAgentGuideKeys(t *testing.T) {
	page := readRoot(t, agentGuide)
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "."+key+"`") {
				t.Errorf("%s does not explain the key %s of %s", agentGuide, key, typ)
			}
			visit(typ.Field(i).Type)
		}
	}
	for _, doc := range []any{loop.Document{}, loop.Task{}, loop.Brief{}, startDocument{}, updateDocument{}} {
		visit(reflect.TypeOf(doc))
	}
}
