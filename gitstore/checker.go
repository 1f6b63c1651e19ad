package gitstore

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// checker asks a "git cat-file --batch-check" child whether objects are there.
type checker struct {
	child *git.Process
}

// startChecker starts the child, which has read nothing yet.
func (r *Repo) startChecker(ctx context.Context) (*checker, error) {
	child, err := r.Git.Start(ctx, "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	return &checker{child}, nil
}

// ask sends all questions, once. Git answers while it still reads.
func (c *checker) ask(names []string) {
	go func() {
		to := bufio.NewWriter(c.child.Stdin)
		for _, name := range names {
			_, _ = fmt.Fprintln(to, name)
		}
		_ = to.Flush()
		_ = c.child.Stdin.Close()
	}()
}

// answer reads what git knows of the next name: the object's name and type, or
// "" and "missing".
func (c *checker) answer() (name, kind string, err error) {
	line, err := c.child.Stdout.ReadString('\n')
	if err != nil {
		if closed := c.child.Close(); closed != nil {
			err = closed
		}
		return "", "", fmt.Errorf("check what is in the repository: %w", err)
	}
	fields := strings.Fields(line)
	if len(fields) == 3 {
		return fields[0], fields[1], nil
	}
	return "", "missing", nil
}

// expect reads the answers for names and holds them against the types wanted.
func (c *checker) expect(names []string, types map[string]string) error {
	for _, name := range names {
		_, kind, err := c.answer()
		switch {
		case err != nil:
			return err
		case kind == "missing":
			return &MissingObjectError{Name: name}
		case kind != types[name]:
			return &CorruptObjectError{name, "it is a " + kind + ", not a " + types[name]}
		}
	}
	return nil
}

// close ends the child. All answers that matter have been read.
func (c *checker) close() { _ = c.child.Close() }

// checkObjects makes sure that objects are in the repository with these types.
func (r *Repo) checkObjects(ctx context.Context, types map[string]string) error {
	if len(types) == 0 {
		return nil
	}
	c, err := r.startChecker(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	names := slices.Sorted(maps.Keys(types))
	c.ask(names)
	return c.expect(names, types)
}
