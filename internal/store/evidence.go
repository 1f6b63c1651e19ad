package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// show finds commits of the code that show tasks, such as "plan/task": for
// each the newest that names it in a trailer.
func (p Project) show(ctx context.Context, tasks []string) (map[string]plan.Evidence, error) {
	naming, err := p.commitsNaming(ctx, tasks)
	if err != nil {
		return nil, err
	}
	known, shown := map[string]plan.Evidence{}, map[string]plan.Evidence{}
	for task, commit := range naming {
		if _, ok := known[commit]; !ok { // one commit may show several tasks
			if known[commit], err = p.Evidence(ctx, commit); err != nil {
				return nil, err
			}
		}
		shown[task] = known[commit]
	}
	return shown, nil
}

// Names gives the look-up of [validate.Input.Names] among the commits that are
// here. Those of plans name no task, as they show no work.
func (p Project) Names(ctx context.Context) func(commit, task string) validate.Existence {
	return func(commit, task string) validate.Existence {
		if !IsObjectName(commit) {
			full, err := p.repo.Store.Resolve(ctx, commit)
			if err != nil {
				return validate.Unknown
			}
			commit = full
		}
		c, err := p.repo.Store.Commit(ctx, commit)
		if err != nil {
			return validate.Unknown
		}
		return existence(namesTask(c.Message, task), nil)
	}
}

// maxWalked bounds how far back commits that name tasks are looked for.
const maxWalked = 1000

// commitsNaming finds for each of the tasks, such as "plan/task", the newest
// commit of the code that names it in a trailer, among the last thousand of
// HEAD. One that none names is left out.
func (p Project) commitsNaming(ctx context.Context, tasks []string) (map[string]string, error) {
	const end = "%x00"
	out, err := p.repo.Git.Read(ctx, "log", "--no-show-signature", "--no-patch", "--max-count="+strconv.Itoa(maxWalked), "--format=%H%n%B"+end, "HEAD", "--")
	if git.Status(err) == 128 {
		return nil, nil // no commit yet
	}
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		name, message, _ := strings.Cut(strings.TrimLeft(entry, "\n"), "\n")
		for _, task := range tasksNamed(message) {
			if found[task] == "" && slices.Contains(tasks, task) {
				found[task] = name
			}
		}
	}
	return found, nil
}

// namesTask reports whether the message of a commit of the code names a task.
func namesTask(message, task string) bool { return slices.Contains(tasksNamed(message), task) }

// tasksNamed gives the tasks that the message of a commit of the code names. A
// commit of plans says what became of tasks in the same words, and shows no
// work.
func tasksNamed(message string) []string {
	var tasks []string
	for key, value := range trailers(message) {
		switch {
		case strings.EqualFold(key, trailerPlan):
			return nil
		case strings.EqualFold(key, TrailerTask):
			tasks = append(tasks, value)
		}
	}
	return tasks
}
