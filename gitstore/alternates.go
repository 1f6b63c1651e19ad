package gitstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxAlternateDepth is git's own bound of alternates of alternates.
	maxAlternateDepth = 5
	// maxAlternates bounds the object directories, maxAlternatesFile the bytes
	// of one file that names some.
	maxAlternates     = 256
	maxAlternatesFile = 1 << 20
)

// alternates gives the object directory at top and all that it borrows from, in
// the order in which they are looked through. What is named and not there is
// left out, as git does.
func alternates(top string) ([]string, error) {
	if info, err := os.Stat(top); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no object directory", top)
	}
	dirs := []string{filepath.Clean(top)}
	err := addAlternates(&dirs, dirs[0], 0)
	return dirs, err
}

// addAlternates adds what one object directory borrows from.
func addAlternates(dirs *[]string, dir string, depth int) error {
	text, err := readAlternates(filepath.Join(dir, "info", "alternates"))
	if err != nil || depth > maxAlternateDepth {
		return err
	}
	for other := range borrowed(dir, text) {
		if info, err := os.Stat(other); err != nil || !info.IsDir() || slices.Contains(*dirs, other) {
			continue
		}
		if *dirs = append(*dirs, other); len(*dirs) > maxAlternates {
			return fmt.Errorf("%s borrows from too many repositories", (*dirs)[0])
		}
		if err := addAlternates(dirs, other, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// borrowed gives the folders that a file of alternates names for an object
// directory. A path that is not absolute begins, as git has it, where the
// directory really is.
func borrowed(dir, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(text, "\n") {
			other := parseAlternate(line)
			if other == "" {
				continue
			}
			if !filepath.IsAbs(other) {
				if real, err := filepath.EvalSymlinks(dir); err == nil {
					dir = real
				}
				other = filepath.Join(dir, other)
			}
			if !yield(filepath.Clean(other)) {
				return
			}
		}
	}
}

// readAlternates reads a file of alternates, which need not be there.
func readAlternates(path string) (string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxAlternatesFile+1))
	if err == nil && len(data) > maxAlternatesFile {
		err = fmt.Errorf("%s is too long", path)
	}
	return string(data), err
}

// parseAlternate gives the path in a line; "" for a comment. A path may be
// quoted as git quotes paths; what only looks like that is taken as it is.
func parseAlternate(line string) string {
	if line == "" || line[0] == '#' {
		return ""
	}
	if path, ok := unquote(line); ok {
		return path
	}
	return line
}

// unquote undoes git's quoting: the escapes of C, in double quotes.
func unquote(text string) (string, bool) {
	if len(text) < 2 || text[0] != '"' {
		return "", false
	}
	var out []byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return string(out), i == len(text)-1
		case c != '\\':
			out = append(out, c)
		default:
			b, n := unescape(text[i+1:])
			if n == 0 {
				return "", false
			}
			out = append(out, b)
			i += n
		}
	}
	return "", false
}

// unescape gives the byte that stands behind a backslash and how long it is
// written; 0 if it is none.
func unescape(text string) (b byte, n int) {
	if text == "" {
		return 0, 0
	}
	const letters, bytes = `abfnrtv"\`, "\a\b\f\n\r\t\v\"\\"
	if i := strings.IndexByte(letters, text[0]); i >= 0 {
		return bytes[i], 1
	}
	if len(text) < 3 || text[0] > '3' {
		return 0, 0
	}
	for _, c := range []byte(text[:3]) {
		if c < '0' || c > '7' {
			return 0, 0
		}
		b = b<<3 | (c - '0')
	}
	return b, 3
}
