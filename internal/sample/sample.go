// Package sample is a store of plans as a project has them after some weeks: for
// pictures of pages and for tests of them. [Append] puts the commits of [History] into a repository. It
// is the same at every call, to the byte.
package sample

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// Ref is the branch that the plans are put on.
const Ref = "refs/heads/plans"

// Commit is one step of the history of a store.
type Commit struct {
	At      time.Time
	Who     string
	Message string
	// Set has the files to write, by path; an empty one is removed.
	Set map[string]string
}

// Now is when the sample was looked at last: a little after its newest commit.
func Now() time.Time { return day(20, 17, 5) }

func day(d, hour, minute int) time.Time { return time.Date(2026, 11, d, hour, minute, 0, 0, time.UTC) }

// Append puts commits on the branch of plans.
func Append(ctx context.Context, g git.Git, commits ...Commit) error {
	var b strings.Builder
	parent, err := g.ReadLine(ctx, "for-each-ref", "--format=%(objectname)", Ref)
	if err != nil {
		return err
	}
	for i, c := range commits {
		fmt.Fprintf(&b, "commit %s\nmark :%d\n", Ref, i+1)
		for _, role := range []string{"author", "committer"} {
			email := strings.ReplaceAll(strings.ToLower(c.Who), " ", ".") + "@example.com"
			fmt.Fprintf(&b, "%s %s <%s> %d +0000\n", role, c.Who, email, c.At.Unix())
		}
		fmt.Fprintf(&b, "data %d\n%s\n", len(c.Message), c.Message)
		if i == 0 && parent != "" {
			fmt.Fprintf(&b, "from %s\n", parent)
		}
		var paths []string
		for path := range c.Set {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			if text := c.Set[path]; text == "" {
				fmt.Fprintf(&b, "D %q\n", path)
			} else {
				fmt.Fprintf(&b, "M 100644 inline %q\ndata %d\n%s\n", path, len(text), text)
			}
		}
	}
	_, err = g.Write(ctx, strings.NewReader(b.String()), "fast-import", "--quiet", "--date-format=raw")
	return err
}

// file makes a file of a plan of fields, a line each, and a body.
func file(body string, fields ...string) string {
	return "---\n" + strings.Join(fields, "\n") + "\n---\n\n" + strings.TrimSpace(body) + "\n"
}
