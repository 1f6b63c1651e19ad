package store

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// NotFoundError is returned when a plan, task, version or revision that was
// named is not there.
type NotFoundError struct {
	// What is "plan", "task" and so on, Name what was asked for.
	What, Name string
	// Hint says what to do; it may be empty.
	Hint string
}

func (e *NotFoundError) Error() string {
	s := fmt.Sprintf("no such %s: %q", e.What, e.Name)
	if e.Name == "" {
		s = "there is no " + e.What
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// ErrNoStore gives the error of a command that needs a store where there is
// none.
func (r *Repo) ErrNoStore() error {
	return &NotFoundError{What: "store", Hint: fmt.Sprintf("run `git plan init` to make branch %s", r.Branch())}
}

// AmbiguousPlanError is returned when a command needs one plan, none was
// named and several would do.
type AmbiguousPlanError struct {
	Candidates []string
	// Taken is the id that was named, of a plan that has another one since it was
	// published; "" where none was named.
	Taken string
	// Bare says that there is no worktree, which could have a current plan.
	Bare bool
}

func (e *AmbiguousPlanError) Error() string {
	switch {
	case e.Taken != "":
		return fmt.Sprintf("plan id is ambiguous: %[1]s: the plan that was made here is %[2]s since it was published; name %[2]s, or choose the other with `git plan use %[1]s`", e.Taken, e.Candidates[0])
	case len(e.Candidates) == 0 && e.Bare:
		return "which plan? there is no unfinished one: begin one with `git plan start --goal TEXT`, or name a plan"
	case len(e.Candidates) == 0:
		return "which plan? there is no unfinished one: begin one with `git plan start --goal TEXT`, name a plan, or write one in the folder that `git plan dir` names"
	case e.Bare:
		return "which plan? name one with --plan: " + words.Few(e.Candidates, 10)
	}
	return "which plan? name one with --plan, or choose one with `git plan use`: " + words.Few(e.Candidates, 10)
}

// NoBranchError is returned instead of making the plans the first branch of a
// remote, which a forge would take for the default one.
type NoBranchError struct {
	Remote string
	// Code and Plans are the branches of the code and the plans.
	Code, Plans string
}

func (e *NoBranchError) Error() string {
	return fmt.Sprintf("the remote has no branch yet, and a forge would make the plans its default one: %[1]s; push the code first, `git push -u %[1]s %[2]s`, or, to a remote for plans alone, `git push %[1]s %[3]s`",
		e.Remote, e.Code, e.Plans)
}

// RejectedError is returned when the gate refuses a plan. Nothing was
// written. The findings hold every plan's errors and warnings.
type RejectedError struct{ Findings []diag.Diagnostic }

func (e *RejectedError) Error() string {
	n, _ := diag.Count(e.Findings)
	return fmt.Sprintf("the plan was refused: %s; nothing was written", words.Count(n, "error"))
}

// ConflictError is returned when what was asked no longer fits the store.
type ConflictError struct {
	Plan string
	// Details says what does not fit, Hint what to do.
	Details []string
	Hint    string
	// Since is what began before the plan changed: a thread, unless it is set.
	Since string
	// Fault is what is the matter with the plan where it did not change.
	Fault string
	// Files are those that hold conflict markers now.
	Files []string
}

func (e *ConflictError) Error() string {
	if len(e.Files) > 0 {
		return fmt.Sprintf("CONFLICT (content): Merge conflict in %s: resolve the markers, then run `git plan commit`", words.Few(e.Files, 10))
	}
	details := strings.Join(e.Details, ", ")
	if details == "" {
		return fmt.Sprintf("plan %s %s; %s", e.Plan, e.Fault, e.Hint)
	}
	fault := cmp.Or(e.Fault, "changed in the store since "+cmp.Or(e.Since, "this thread began"))
	return fmt.Sprintf("plan %s %s: %s; %s", e.Plan, fault, strings.Join(e.Details, ", "), e.Hint)
}

// UnmergedError is returned when a merge in the index is not finished.
type UnmergedError struct{ Paths []string }

func (e *UnmergedError) Error() string {
	return fmt.Sprintf("the index holds unmerged files (%s): resolve them and `git add` them first", words.Few(e.Paths, 5))
}

// LimitError is returned when a count may not grow further.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// UnsupportedError is returned when the store, or the repository, asks for
// what this program or place cannot do.
type UnsupportedError struct{ Message string }

func (e *UnsupportedError) Error() string { return e.Message }

// archivedError refuses to work on a plan in the archive.
func archivedError(id string) error {
	return &UnsupportedError{fmt.Sprintf("plan %s is archived: restore it first", id)}
}

// ExistsError is returned when a name is taken.
type ExistsError struct{ Message string }

func (e *ExistsError) Error() string { return e.Message }
