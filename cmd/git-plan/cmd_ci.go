package main

import (
	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/workflow"
)

type ciCommand struct {
	*app
	targets, gate, against, sarif, junit string
	summary, comment                     bool
}

// newCI is hidden: workflows run it, and people run check.
func newCI(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ci", Short: "what the workflows of forges run", Hidden: true, Args: args(cobra.NoArgs),
		RunE: func(_ *cobra.Command, _ []string) error {
			return &usageError{"do what? `git plan ci run` is all there is"}
		},
	}
	c := &ciCommand{app: a}
	run := &cobra.Command{
		Use: "run [--targets TARGETS]", Short: "check what a push or a proposal brought",
		Long: `Check the commits that the event of this job brought, and tell the forge: by
annotations and a summary on GitHub, by text elsewhere, and by report files.
Commits are named by the event of GitHub or GitLab, or by --targets.

With --comment, one comment on the pull request or merge request tells how the
plans differ, and is kept up to date. It is written with the token that is in
` + workflow.TokenVariable + `. Where that may not write, the job goes on.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	flags := run.Flags()
	flags.StringVar(&c.targets, "targets", "", "check these `targets` of check, parted by spaces, whatever the event says")
	flags.StringVar(&c.gate, "gate", "", "the least `gate`, as for check: base or strict")
	flags.StringVar(&c.against, "against", "", "look paths up in this `revision` of the code")
	flags.StringVar(&c.sarif, "sarif", "", "write a SARIF report to this `file`")
	flags.StringVar(&c.junit, "junit", "", "write a JUnit report to this `file`")
	flags.BoolVar(&c.summary, "summary", true, "write the job's summary on GitHub")
	flags.BoolVar(&c.comment, "comment", false, "keep a comment on the proposal that tells how the plans differ")
	cmd.AddCommand(run)
	return cmd
}
