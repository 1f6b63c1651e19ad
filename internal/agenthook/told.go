package agenthook

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/atomicfile"
)

// maxTold bounds what is remembered.
const maxTold = 500

// Told remembers what sessions were told, so that an agent is stopped by one
// thing once and can then mend it: whoever is stopped each time can do nothing
// about the reason.
type Told struct {
	// File holds it, a line each, the newest last.
	File string
}

// New gives those of the keys that the session was not told yet, and remembers
// them. Where that cannot be remembered it gives none, and an error.
func (t Told) New(session string, keys []string) ([]string, error) {
	data, err := os.ReadFile(t.File)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	lines := strings.Fields(string(data))
	var fresh []string
	for _, key := range keys {
		if line := word(session) + "/" + word(key); !slices.Contains(lines, line) {
			lines, fresh = append(lines, line), append(fresh, key)
		}
	}
	if len(fresh) == 0 {
		return nil, nil
	}
	if over := len(lines) - maxTold; over > 0 {
		lines = lines[over:]
	}
	if err := t.write(strings.Join(lines, "\n") + "\n"); err != nil {
		return nil, err
	}
	return fresh, nil
}

// write replaces the file in one step. Two agents that write at once may
// forget what one of them was told, who is then told again.
func (t Told) write(text string) error {
	dir := filepath.Dir(t.File)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return atomicfile.Write(root, filepath.Base(t.File), "told-"+strconv.Itoa(os.Getpid()), text)
}

// word makes text fit to be part of a line.
func word(s string) string {
	const longest = 200
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' || r == 0x7f {
			return '_'
		}
		return r
	}, s)
	return s[:min(len(s), longest)]
}
