package git

import (
	"context"
	"fmt"
	"strings"
)

// Version is a version of git.
type Version struct {
	Major, Minor int
	// Text is the whole of it, as git says it: "2.39.5 (Apple Git-154)".
	Text string
}

// Version asks git for its version. Where that is no number, Text has what git
// said beside the error.
func (g Git) Version(ctx context.Context) (Version, error) {
	said, err := g.ReadLine(ctx, "version")
	if err != nil {
		return Version{}, err
	}
	return parseVersion(said)
}

func parseVersion(said string) (Version, error) {
	v := Version{Text: strings.TrimPrefix(said, "git version ")}
	if _, err := fmt.Sscanf(v.Text, "%d.%d", &v.Major, &v.Minor); err != nil {
		return v, fmt.Errorf("git calls its version %q, which is no number", said)
	}
	return v, nil
}

// AtLeast reports whether it is this version or a later one.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}
