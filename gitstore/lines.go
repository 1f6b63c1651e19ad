package gitstore

import (
	"context"
	"hash/crc32"
	"strconv"
	"strings"
)

// GraphLine is a line of a drawing of history.
type GraphLine struct {
	// Art is what git draws: "*" for a commit, lines to its parents.
	Art string
	// Step is the commit on the line; its name is empty where lines only go on.
	Step Step
	// Merge says that the commit has several parents in the drawing.
	Merge bool
}

// Graph gives the commits reachable from one that changed anything at the paths,
// or all of them without paths, drawn by git with the lines between them,
// newest first; at most limit of them, or all for 0. Unlike [Store.History] it
// goes down every parent, unless git cannot compare a commit: then it is the
// history along first parents.
func (s *history) Graph(ctx context.Context, from string, limit int, paths ...string) ([]GraphLine, error) {
	args := []string{"rev-list", "--graph", "--parents", "--no-color"}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	args = append(args, "--end-of-options", from, "--")
	out, err := s.repo.Git.Read(ctx, append(args, literal(paths)...)...)
	if len(paths) > 0 && gaveUp(ctx, err) {
		return s.ownGraph(ctx, from, limit, paths)
	}
	if err != nil {
		return nil, err
	}
	var lines []GraphLine
	for text := range strings.Lines(string(out)) {
		l := GraphLine{Art: strings.TrimRight(text, "\n")}
		if at := strings.IndexAny(text, "0123456789abcdef"); at >= 0 { // no line is drawn with these
			names := strings.Fields(text[at:])
			l.Art, l.Step.Commit, l.Merge = text[:at], names[0], len(names) > 2
			if len(names) > 1 {
				l.Step.Parent = names[1]
			}
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// Checksum tells a file that git plan keeps for itself from one that was cut
// short or damaged. It is no safeguard against whoever means to deceive.
func Checksum(text string) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 16)
}
