package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What somebody writes between the look at a file and the writing of it stays.
func TestFmtLeavesWhatCameMeanwhile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.md")
	put := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("---\ntitle:   Messy\n---\nText.\n")
	f := fmtCommand{app: newApp(Env{Stdout: io.Discard, Stderr: io.Discard, Dir: dir})}
	if found, err := f.folder(dir, ""); !found || err != nil || len(f.todo) != 1 {
		t.Fatalf("found %v, %d to do, %v", found, len(f.todo), err)
	}
	put("---\ntitle:   Messy\n---\nText, and more.\n")
	if err := f.writeOne(f.todo[0]); err == nil || !strings.Contains(err.Error(), "git plan fmt") {
		t.Errorf("error %v", err)
	}
	if now, err := os.ReadFile(file); err != nil || !strings.Contains(string(now), "and more") {
		t.Errorf("the file holds %q (%v)", now, err)
	}
}
