package suggest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/git"
)

// How much is looked at: lines that git finds, and marks among them.
const (
	maxLines = 200000
	maxMarks = 1000
)

// readMarks lets git find the marks in the files it tracks. It is given one pattern:
// of several it looks for each in all that is left of a file, line after line.
func readMarks(ctx context.Context, g git.Git, paths []string) ([]Suggestion, error) {
	args := []string{"grep", "-I", "-z", "-n", "-w", "-E", "--no-color", "--no-column", "--no-recurse-submodules", "-e", "TODO|FIXME|XXX"}
	p, err := g.Start(ctx, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	marks, whole := Marks(p.Stdout)
	if !whole {
		p.Kill()
	}
	err = p.Close()
	var failed *git.Error
	if !whole || errors.As(err, &failed) && failed.Status == 1 {
		err = nil // it was stopped, or found nothing
	}
	return marks, err
}

// Marks reads what `git grep -z -n` prints and makes a suggestion of each mark
// that says what to do, those of what is broken first. It reports whether it read to the end.
func Marks(printed io.Reader) (found []Suggestion, whole bool) {
	in := bufio.NewReaderSize(printed, 64<<10)
	pats := patterns{remark(), prose()}
	for range maxLines {
		line, err := readLine(in)
		if s, ok := pats.mark(line); ok {
			found = append(found, s)
		}
		if err != nil {
			return urgent(found), true
		}
		if len(found) == maxMarks {
			break
		}
	}
	return urgent(found), false
}

// readLine reads a line; what of it is longer than any remark is dropped.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) < 64<<10 {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// urgent puts what is broken before what is missing.
func urgent(found []Suggestion) []Suggestion {
	slices.SortStableFunc(found, func(a, b Suggestion) int {
		return strings.Compare(a.Type, b.Type) // bugfix, chore
	})
	return found
}

// remark matches a mark that begins a comment, or stands in one and is followed
// by a colon or a name: `// TODO handle this`, `x = 1  # see below, FIXME: y`.
func remark() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^"'` + "`" + `\w])(?://+!?|#+|/?\*+|--|;+|%+|<!--|\{/\*|"""|''')\s*(?:[@\[\\]?\b(TODO|FIXME|XXX)\b\]?|.*?\b(TODO|FIXME|XXX)(?:\([^)]*\))?:)(.*)$`)
}

// prose matches a mark in a document: at the beginning of a line or an item of
// a list, with a colon.
func prose() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:[-*+>]\s+)*(?:\[ \]\s+)?[*_]{0,2}(?:(TODO|FIXME|XXX)|<!--\s*(TODO|FIXME|XXX))[*_]{0,2}(?:\([^)]*\))?:(.*)$`)
}

// patterns are what marks look like, in code and in documents.
type patterns struct{ remark, prose *regexp.Regexp }

// mark makes a suggestion of a line that git found, if its mark begins a remark.
func (p patterns) mark(line []byte) (Suggestion, bool) {
	parts := bytes.SplitN(bytes.TrimRight(line, "\r\n"), []byte{0}, 3)
	if len(parts) != 3 || !utf8.Valid(parts[0]) {
		return Suggestion{}, false
	}
	file, text := string(parts[0]), string(parts[2])
	number, err := strconv.Atoi(string(parts[1]))
	if err != nil || IsForeign(file) {
		return Suggestion{}, false
	}
	pattern := p.remark
	if isProse(file) {
		pattern = p.prose
	}
	m := pattern.FindStringSubmatch(text)
	if m == nil || m[3] != "" && strings.ContainsRune(",/|-.`'\")]", rune(m[3][0])) {
		return Suggestion{}, false
	}
	word := m[1] + m[2]
	kind := "chore"
	if word == "FIXME" {
		kind = "bugfix"
	}
	return Suggestion{remarkTitle(word, file, m[3]), kind, file, number, fmt.Sprintf("the line holds the mark %s", word)}, true
}

// remarkTitle makes a title of what stands behind a mark. What is too short to
// be understood alone is named by its place.
func remarkTitle(word, file, text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "(") { // who it is for
		if _, after, ok := strings.Cut(text, ")"); ok {
			text = strings.TrimSpace(after)
		}
	}
	text = strings.TrimLeft(text, ":-–—! \t")
	for _, end := range []string{"*/}", "*/", "-->", `"""`, "'''"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, end))
	}
	if len(strings.Fields(text)) < 3 && len([]rune(text)) < 12 {
		title := fmt.Sprintf("Settle the %s in %s", word, file)
		if text != "" {
			title += ": " + text
		}
		return titled(title)
	}
	return titled(text)
}

func isProse(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org", ".html", ".htm", "":
		return true
	}
	return false
}

// IsForeign reports whether a file is somebody else's, made by a program, or
// material for tests: marks in it ask for nothing here.
func IsForeign(file string) bool {
	if isBelow(file, "vendor", "node_modules", "third_party", "third-party", "testdata", "fixtures", "__fixtures__", "__snapshots__", "dist", "build", "generated") {
		return true
	}
	base := path.Base(file)
	for _, end := range []string{".min.js", ".min.css", ".map", ".lock", ".sum", ".svg", ".snap", ".patch", ".diff", ".po", ".pb.go", "_pb2.py", "package-lock.json"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}

// isBelow reports whether a file is in a folder of one of the names, at any depth.
func isBelow(file string, names ...string) bool {
	dirs := strings.Split(strings.ToLower(path.Dir(file)), "/")
	return slices.ContainsFunc(dirs, func(dir string) bool { return slices.Contains(names, dir) })
}
