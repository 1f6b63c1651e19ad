package gittest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// MermaidVariable names a node_modules folder that holds mermaid and jsdom.
const MermaidVariable = "GIT_PLAN_TEST_MERMAID"

// mermaidScript parses each text of a JSON list on its standard input, and
// prints what is wrong with any.
const mermaidScript = `
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
const require = createRequire(process.argv[2] + '/x.js');
const { JSDOM } = require('jsdom');
globalThis.window = new JSDOM('<body></body>').window;
globalThis.document = window.document;
const mermaid = (await import(pathToFileURL(process.argv[2] + '/mermaid/dist/mermaid.core.mjs'))).default;
for (const text of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    await mermaid.parse(text);
  } catch (e) {
    console.log(String(e) + '\n' + text);
    process.exitCode = 1;
  }
}
`

// Mermaid has Mermaid itself parse texts, all of which must be right. Without
// node, or where [MermaidVariable] is not set, the test is skipped.
func Mermaid(t *testing.T, texts ...string) {
	t.Helper()
	modules := os.Getenv(MermaidVariable)
	if modules == "" {
		t.Skipf("%s names no node_modules folder with mermaid and jsdom", MermaidVariable)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "parse.mjs")
	if err := os.WriteFile(script, []byte(mermaidScript), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script, modules)
	cmd.Stdin = strings.NewReader(string(data))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
