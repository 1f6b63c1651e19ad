package hooks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
)

// Run is one call of a hook by git.
type Run struct {
	Repo  *store.Repo
	Event Event
	// Args and Stdin are what git gave the hook.
	Args  []string
	Stdin io.Reader
	// Agent names who acts, as elsewhere; it is asked for only where needed.
	Agent func(context.Context) (string, error)
	// Plan gives the plan that is being worked on, "" where that is not clear.
	Plan func(context.Context, *store.Snapshot) (string, error)
	// Say prints a line for a person, on a server for the pusher.
	Say func(format string, args ...any)
}

// Refusal is the answer of a hook that says no. What is wrong was said; the
// error says in one line what was refused and what to do.
type Refusal struct{ Message string }

func (e *Refusal) Error() string { return e.Message }

// Do runs the hook. A *[Refusal] says no; any other error means that the hook
// could not do its work, which refuses too: an unknown answer is not a yes.
func (r Run) Do(ctx context.Context) error {
	switch r.Event {
	case PreCommit, PreMergeCommit:
		return r.preCommit(ctx)
	case PrepareCommitMsg:
		return r.prepareMessage(ctx)
	case CommitMsg:
		return r.checkMessage(ctx)
	case PrePush:
		return r.prePush(ctx)
	case PreReceive:
		return r.preReceive(ctx)
	case ReferenceTransaction:
		return r.guard(ctx)
	}
	return fmt.Errorf("there is no hook %q; there are %v", r.Event, Events())
}

// lines gives the fields of each line that git wrote to the hook. Every line
// must have as many as said. Only the first of them may hold spaces: what a push
// takes may be named "plans@{1 day ago}".
func (r Run) lines(fields int) ([][]string, error) {
	var all [][]string
	in := bufio.NewScanner(r.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		words := strings.Split(in.Text(), " ")
		first := len(words) - fields + 1
		if first < 1 {
			return nil, fmt.Errorf("%s got %q from git, which is not %d fields", r.Event, in.Text(), fields)
		}
		all = append(all, append([]string{strings.Join(words[:first], " ")}, words[first:]...))
	}
	return all, in.Err()
}

// named gives an object name, or "" for the zeros that stand for none.
func named(object string) string {
	if strings.Trim(object, "0") == "" {
		return ""
	}
	return object
}
