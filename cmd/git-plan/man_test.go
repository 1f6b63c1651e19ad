package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write files made from the program anew")

// TestManualPage holds docs/git-plan.1 against what the program prints.
func TestManualPage(t *testing.T) {
	var got, stderr bytes.Buffer
	if status := Main(Env{Stdout: &got, Stderr: &stderr, Now: testClock}, []string{"man"}); status != 0 {
		t.Fatalf("git plan man ended with status %d: %s", status, &stderr)
	}
	file := filepath.Join("..", "..", "docs", "git-plan.1")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s is out of date: run the test with -update, or make generate", file)
	}
}
