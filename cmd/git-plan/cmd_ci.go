package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/ci"
	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/workflow"
)

type ciCommand struct {
	*app
	targets, gate, against, sarif, junit string
	summary, comment                     bool
}

func newCIRun(a *app, cmd *cobra.Command) runner {
	c := &ciCommand{app: a}
	flags := cmd.Flags()
	flags.StringVar(&c.targets, "targets", "", "check these `targets` of check, parted by spaces, whatever the event says")
	flags.StringVar(&c.gate, "gate", "", "the least `gate`, as for check: base or strict")
	flags.StringVar(&c.against, "against", "", "look paths up in this `revision` of the code")
	flags.StringVar(&c.sarif, "sarif", "", "write a SARIF report to this `file`")
	flags.StringVar(&c.junit, "junit", "", "write a JUnit report to this `file`")
	flags.BoolVar(&c.summary, "summary", true, "write the job's summary on GitHub")
	flags.BoolVar(&c.comment, "comment", false, "keep a comment on the proposal that tells how the plans differ")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

func (c *ciCommand) run(ctx context.Context) error {
	getenv := c.Getenv
	c.Environ = slices.DeleteFunc(slices.Clone(c.Environ), func(kv string) bool {
		return strings.HasPrefix(kv, workflow.TokenVariable+"=") // git has no use for it, nor have hooks and helpers
	})
	job := ci.Job{
		Targets: strings.Fields(c.targets),
		Write:   c.writeFile, Output: c.Getenv("GITHUB_OUTPUT"), Format: "text",
	}
	if c.sarif != "" {
		job.SARIF = c.abs(c.sarif)
	}
	if c.junit != "" {
		job.JUnit = c.abs(c.junit)
	}
	if c.summary {
		job.Summary = c.Getenv("GITHUB_STEP_SUMMARY")
	}
	var err error
	if job.Event, err = ci.ReadEvent(c.Getenv); err != nil && len(job.Targets) == 0 {
		return err
	}
	switch {
	case c.json:
		job.Format = "json"
	case job.Event.Forge == workflow.GitHub:
		job.Format = "github"
	}
	if _, err := c.open(ctx); err != nil {
		return err
	}
	job.History = history{ctx, c.repo}
	job.Check = func(targets []string) (found report.Report, err error) {
		err = c.inside(job, func(a *app) error {
			checked, err := a.checked(ctx, checkOptions{gate: c.gate, against: c.against, targets: targets})
			if err == nil {
				found = checked.report()
			}
			return err
		})
		return found, err
	}
	if d := ci.ReadDiscussion(getenv); c.comment && d != nil {
		from, to := d.Range(job.Event)
		job.Diff = func() (text string, differs bool, err error) {
			var out strings.Builder
			err = c.inside(job, func(a *app) error {
				result, err := a.compare(ctx, []string{from, to})
				if err != nil {
					return err
				}
				differs = !result.Empty()
				return diff.Markdown(&out, result, diff.MarkdownSize)
			})
			return out.String(), differs, err
		}
		job.Comment = func(text string, create bool) error { return d.Keep(ctx, text, create) }
	}
	status, err := job.Run(c.Stdout, c.Stderr)
	if err == nil && status != 0 {
		return errNo
	}
	return err
}

// inside does something on the branch that the event names: a clone made for a job
// has no configuration of its own.
func (c *ciCommand) inside(job ci.Job, do func(*app) error) error {
	env := c.Env
	if branch := job.Event.Branch; branch != "" && len(job.Targets) == 0 {
		env.Environ = withConfig(env, "plan.ref", "refs/heads/"+branch)
	}
	a := newApp(env)
	defer a.close()
	return do(a)
}

// withConfig gives the environment with one more value of git's configuration,
// which counts before those in files.
func withConfig(env Env, key, value string) []string {
	n, _ := strconv.Atoi(env.Getenv("GIT_CONFIG_COUNT")) // git refuses what is no number
	return append(env.Environ[:len(env.Environ):len(env.Environ)],
		fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value),
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+1))
}

// history answers from the repository that the job runs in.
type history struct {
	ctx  context.Context
	repo *store.Repo
}

func (h history) Has(commit string) bool {
	_, err := h.repo.Store.Resolve(h.ctx, commit)
	return err == nil
}

func (h history) Shallow() (bool, error) {
	said, err := h.repo.Git.ReadLine(h.ctx, "rev-parse", "--is-shallow-repository")
	return said == "true", err
}
