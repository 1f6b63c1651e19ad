package run

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

// What is kept of a program's output for people.
const (
	tailLines = 40
	tailBytes = 4 << 10
)

// Tail gives the last lines of output as plain text: at most 40 of them and
// 4 KiB, without colours, the steps of progress bars and control characters. It
// is empty where nothing was printed. It begins with "…" where more came before.
func Tail(output []byte) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(plain(string(output)), "\n"), "\n") {
		lines = append(lines, strings.TrimRight(line, " \t"))
	}
	from, size := len(lines), 0
	for from > 0 && len(lines)-from < tailLines {
		size += len(lines[from-1]) + 1
		if size > tailBytes {
			break
		}
		from--
	}
	text := strings.Trim(strings.Join(lines[from:], "\n"), "\n")
	switch {
	case from == len(lines) && from > 0: // the last line alone is too long
		last := lines[from-1]
		return "…" + strings.ToValidUTF8(last[len(last)-tailBytes:], "")
	case from > 0:
		return "…\n" + text
	}
	return text
}

// plain removes what is meant for a terminal.
func plain(s string) string {
	escapes := regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-_])`)
	s = escapes.ReplaceAllString(strings.ToValidUTF8(s, string(utf8.RuneError)), "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for line := range strings.SplitAfterSeq(s, "\n") {
		if i := strings.LastIndexByte(strings.TrimRight(line, "\r\n"), '\r'); i >= 0 {
			line = line[i+1:] // what a progress bar showed last
		}
		b.WriteString(strings.Map(printable, line))
	}
	return b.String()
}

// printable drops what no plan file may hold.
func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r) || diag.IsBidi(r):
		return -1
	}
	return r
}
