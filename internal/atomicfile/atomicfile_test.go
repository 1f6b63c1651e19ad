package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	for _, text := range []string{"one", "two"} {
		if err := Write(root, "a", "a.tmp", text); err != nil || read("a") != text {
			t.Fatalf("%v, %q", err, read("a"))
		}
		if err := os.Chmod(filepath.Join(dir, "a"), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(root, "a", "a.tmp", "three"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}

// What lies under the other name is not written through, and a failure leaves
// the file as it was.
func TestWriteBeside(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range map[string]string{"a": "old", "other": "kept"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "other"), filepath.Join(dir, "a.tmp")); err != nil {
		t.Skip(err)
	}
	if err := Write(root, "a", "a.tmp", "new"); err != nil {
		t.Fatal(err)
	}
	if err := root.MkdirAll("a.tmp/full", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Write(root, "a", "a.tmp", "newer"); err == nil {
		t.Error("a folder was written over")
	}
	for name, want := range map[string]string{"a": "new", "other": "kept"} {
		if data, err := root.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
}
