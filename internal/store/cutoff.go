package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
)

// CutOffError is returned where history is cut off, as in a shallow clone, before
// it shows what two states of the store have in common.
type CutOffError struct {
	// Remote is where the rest may be, "" if there is none.
	Remote string
	// Commit is where history is cut off.
	Commit string
}

func (e *CutOffError) Error() string {
	return fmt.Sprintf("history is cut off here at %.12s, so that what the two states of the plans have in common is not known: run `%s` first",
		e.Commit, strings.TrimSpace("git fetch --unshallow "+e.Remote))
}

// isCutOff reports whether some history is cut off here, as in few repositories.
func (r *Repo) isCutOff() bool {
	_, err := os.Stat(filepath.Join(r.CommonDir, "shallow"))
	return err == nil
}

// mustBeWhole makes sure that what some commits have in common is bases and nothing
// later, which may not be here.
func (r *Repo) mustBeWhole(ctx context.Context, commits, bases []string) error {
	if !r.isCutOff() {
		return nil
	}
	args := slices.Concat([]string{"rev-list", "--max-parents=0"}, commits, []string{"--not"}, bases)
	out, err := r.Git.Read(ctx, args...)
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(out)) {
		c, err := r.Store.Commit(ctx, name)
		if err != nil {
			return err
		}
		if len(c.Parents) > 0 { // to git, history begins where it is cut off
			return &CutOffError{Remote: r.Remote(), Commit: name}
		}
	}
	return nil
}

// fetch asks where a remote is. Where history is cut off here, it brings the whole
// of the plans' if that is what it takes to tell from where the store here and the
// remote's went on.
func (r *Repo) fetch(ctx context.Context, remote gitstore.Remote) (theirs string, err error) {
	theirs, err = r.Store.Fetch(ctx, remote)
	if err != nil || theirs == "" || !r.isCutOff() {
		return theirs, err
	}
	tip, err := r.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) || tip.Commit == theirs {
		return theirs, nil
	}
	if err == nil {
		_, err = r.forkOf(ctx, tip.Commit, theirs)
	}
	if cut := new(CutOffError); errors.As(err, &cut) {
		theirs, err = r.Store.FetchWhole(ctx, remote)
		r.crossing.forget()
	}
	return theirs, err
}
