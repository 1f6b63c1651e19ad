package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A suffix that a loss of power took away is made anew, and then kept.
func TestSuffixIsMadeAnew(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]string{"empty": "", "zeros": "\x00\x00\x00\x00\x00", "garbage": "\x7fELF\x02", "prose": "two words", "long": strings.Repeat("a", 4096)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, repo := begin(t)
			file := filepath.Join(repo.StateDir(), "agent")
			if err := os.WriteFile(file, []byte(left), 0o666); err != nil {
				t.Fatal(err)
			}
			first, err := suffixIn(repo.StateDir())
			if len(first) != 4 || err != nil {
				t.Fatalf("got %q, %v", first, err)
			}
			if second, err := suffixIn(repo.StateDir()); second != first || err != nil {
				t.Errorf("got %q after %q, %v", second, first, err)
			}
		})
	}
}
