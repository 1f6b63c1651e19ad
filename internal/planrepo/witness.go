package planrepo

import (
	"context"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// Witness tells the gate what the code here shows of the tasks that become
// done, where gates asks for evidence: whether the commits that their files
// name are what they say and, for those that name none, a commit that names
// the task.
func (r *Repo) Witness(ctx context.Context, gates validate.Gates, in *validate.Input) error {
	if !gates.Asks(validate.RuleEvidence) {
		return nil
	}
	in.Names = r.Names(ctx)
	for _, t := range validate.Unshown(*in) {
		commit, err := r.commitNaming(ctx, in.Plan.ID+"/"+t.ID)
		if err != nil {
			return err
		}
		if commit == "" {
			continue
		}
		e, err := r.CommitEvidence(ctx, commit)
		if err != nil {
			return err
		}
		if in.Shown == nil {
			in.Shown = map[string]plan.Evidence{}
		}
		in.Shown[t.ID] = e
	}
	return nil
}

// Names gives the look-up of [validate.Input.Names] among the commits that are
// here. Those of plans name no task, as they show no work.
func (r *Repo) Names(ctx context.Context) func(commit, task string) validate.Existence {
	return func(commit, task string) validate.Existence {
		if !isObjectName(commit) {
			full, err := r.Store.Resolve(ctx, commit)
			if err != nil {
				return validate.Unknown
			}
			commit = full
		}
		c, err := r.Store.Commit(ctx, commit)
		if err != nil {
			return validate.Unknown
		}
		return existence(namesTask(c.Message, task), nil)
	}
}

// maxWalked bounds how far back a commit that names a task is looked for.
const maxWalked = 1000

// commitNaming finds the newest commit of the code that names the task
// "plan/task" in a trailer, among the last thousand of HEAD; "" if there is none.
func (r *Repo) commitNaming(ctx context.Context, task string) (string, error) {
	const end = "%x00"
	out, err := r.Git.Read(ctx, "log", "--no-show-signature", "--no-patch", "--max-count="+strconv.Itoa(maxWalked), "--format=%H%n%B"+end, "HEAD", "--")
	if git.Status(err) == 128 {
		return "", nil // no commit yet
	}
	if err != nil {
		return "", err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		name, message, _ := strings.Cut(strings.TrimLeft(entry, "\n"), "\n")
		if namesTask(message, task) {
			return name, nil
		}
	}
	return "", nil
}

// namesTask reports whether the message of a commit of the code names a task. A
// commit of plans says what became of tasks in the same words, and shows no
// work.
func namesTask(message, task string) bool {
	found := false
	for line := range strings.Lines(trailerBlock(message)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case !ok:
		case strings.EqualFold(key, "Plan"):
			return false
		case strings.EqualFold(key, "Plan-Task") && strings.TrimSpace(value) == task:
			found = true
		}
	}
	return found
}
