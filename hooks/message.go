package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// prepareMessage adds the task that is being worked on to the message of a
// commit of the code, where plan.trailer asks for that and it is clear which
// one it is. Messages that exist already, of merges and of commits taken over,
// are left alone.
func (r Run) prepareMessage(ctx context.Context) error {
	wanted, err := r.Repo.Config.Bool("plan.trailer", false)
	if err != nil || !wanted || len(r.Args) == 0 {
		return err
	}
	if len(r.Args) > 1 && r.Args[1] != "message" && r.Args[1] != "template" {
		return nil
	}
	if ours, err := r.onPlans(ctx); err != nil || ours {
		return err
	}
	has, err := r.taskTrailers(ctx)
	if err != nil || len(has) > 0 {
		return err
	}
	task, err := r.taskAtHand(ctx)
	if err != nil || task == "" {
		return err
	}
	_, err = r.Repo.Git.Write(ctx, nil, "interpret-trailers", "--in-place", "--no-divider", "--trailer", store.TrailerTask+": "+task, "--", r.Args[0])
	return err
}

// taskTrailers gives the tasks that the message names. A line of dashes in it
// is no end of it: git takes it for one in mail alone.
func (r Run) taskTrailers(ctx context.Context) ([]string, error) {
	file, err := os.Open(r.Args[0])
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	out, err := r.Repo.Git.ReadInput(ctx, file, "interpret-trailers", "--parse", "--no-divider")
	if err != nil {
		return nil, err
	}
	var tasks []string
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if strings.EqualFold(strings.TrimSpace(key), store.TrailerTask) {
			tasks = append(tasks, strings.TrimSpace(value))
		}
	}
	return tasks, nil
}

// taskAtHand is the one task in progress that this agent works on, or the only
// one there is, as "plan/task"; "" where that is not clear.
func (r Run) taskAtHand(ctx context.Context) (string, error) {
	stored, err := r.planAtHand(ctx)
	if err != nil || stored == nil {
		return "", err
	}
	agent, err := r.Agent(ctx)
	if err != nil {
		return "", err
	}
	var all, mine []string
	for _, t := range stored.Plan.All() {
		if t.Status != plan.InProgress || t.ID == "" || len(t.Children) > 0 {
			continue
		}
		all = append(all, stored.ID+"/"+t.ID)
		if t.Doc.Text("executed_by") == agent {
			mine = append(mine, stored.ID+"/"+t.ID)
		}
	}
	switch {
	case len(mine) == 1:
		return mine[0], nil
	case len(mine) == 0 && len(all) == 1:
		return all[0], nil
	}
	return "", nil
}

// planAtHand reads the plan that is being worked on; nil where there is none.
func (r Run) planAtHand(ctx context.Context) (*store.Stored, error) {
	s, err := r.Repo.Snapshot(ctx)
	if err != nil || !s.Exists() {
		return nil, err
	}
	id, err := r.Plan(ctx, s)
	if err != nil || id == "" {
		return nil, err
	}
	stored, err := s.Load(ctx, id)
	var gone *store.NotFoundError
	if errors.As(err, &gone) {
		return nil, nil
	}
	return stored, err
}

// checkMessage refuses a commit of the code that names a task which does not
// exist. On the plans branch messages are git plan's own, or a person's.
func (r Run) checkMessage(ctx context.Context) error {
	if len(r.Args) == 0 {
		return errors.New("commit-msg got no file from git")
	}
	tasks, err := r.taskTrailers(ctx)
	if err != nil || len(tasks) == 0 {
		return err
	}
	if ours, err := r.onPlans(ctx); err != nil || ours {
		return err
	}
	s, err := r.Repo.Snapshot(ctx)
	if err != nil {
		return err
	}
	var unknown []string
	for _, name := range tasks {
		hint, err := r.unknownTask(ctx, s, name)
		if err != nil {
			return err
		}
		if hint != "" {
			r.Say("%s: %s names no task%s", store.TrailerTask, diag.Printable(name), hint)
			unknown = append(unknown, diag.Printable(name))
		}
	}
	if len(unknown) > 0 {
		return &Refusal{fmt.Sprintf("the message names %s: mend or remove the trailer `%s`", words.Few(unknown, 3), store.TrailerTask)}
	}
	return nil
}

// unknownTask says why "plan/task" names no task, "" if it does.
func (r Run) unknownTask(ctx context.Context, s *store.Snapshot, name string) (string, error) {
	id, task, ok := strings.Cut(name, "/")
	if !ok {
		return " (write <plan>/<task>)", nil
	}
	stored, err := s.Load(ctx, id)
	var gone *store.NotFoundError
	if errors.As(err, &gone) || !s.Exists() {
		return cmp.Or(plan.DidYouMean(id, s.IDs()), ": there is no plan "+diag.Printable(id)), nil
	}
	if err != nil || stored.Plan.Task(task) != nil {
		return "", err
	}
	var ids []string
	for _, t := range stored.Plan.All() {
		ids = append(ids, t.ID)
	}
	return cmp.Or(plan.DidYouMean(task, ids), ": plan "+id+" has none of that id"), nil
}
