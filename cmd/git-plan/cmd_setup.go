package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

func newSetup(a *app) *cobra.Command {
	var remove, noMCP, dry bool
	cmd := &cobra.Command{
		Use: "setup AGENT [--no-mcp] [--remove] [--dry-run]", Short: "write a coding agent's settings into the project", GroupID: groupSetup,
		Long: `Write what a coding agent needs to work by plans into the project: instructions,
hooks that tell it where the plan stands and stop it where it must, the server of
tools that is ` + "`git plan mcp`" + `, and what its sandbox and its list of ignored files
must allow. The agents are:

` + agentHelp() + `
Text is put between marks, and entries of ours beside yours; nothing else in a file
is touched, and --remove gives back what was there. A file that cannot be edited
safely is left, with what belongs into it. Commit the files, for all who work on
the project. docs/setup.md says what is written where, and why.
` + exitHelp,
		Args:      args(cobra.ExactArgs(1)),
		ValidArgs: setup.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if remove && noMCP {
				return &usageError{"--remove takes everything out, and so goes without --no-mcp"}
			}
			return a.runSetup(cmd.Context(), args[0], setup.Setup{NoMCP: noMCP, Dry: dry}, remove)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take it out again")
	cmd.Flags().BoolVar(&noMCP, "no-mcp", false, "leave the server of tools out, and take it out if it is there")
	cmd.Flags().BoolVarP(&dry, "dry-run", "n", false, "change nothing, and say what would be done")
	return cmd
}

// agentHelp lists the agents for the help.
func agentHelp() string {
	var b strings.Builder
	for _, agent := range setup.Agents() {
		fmt.Fprintf(&b, "  %-8s %s\n", agent.Name, agent.Title)
	}
	return b.String()
}

// setupDocument is the answer of `setup`.
type setupDocument struct {
	Status string       `json:"status"`
	Files  []setup.File `json:"files"`
}

func (a *app) runSetup(ctx context.Context, name string, s setup.Setup, remove bool) error {
	agent, ok := setup.Find(name)
	if !ok {
		return &usageError{fmt.Sprintf("there is no setup for %q; there are %s", name, strings.Join(setup.Names(), ", "))}
	}
	project, err := a.project(ctx)
	if err != nil {
		return err
	}
	s.Agent, s.Project = agent, project
	do := s.Write
	if remove {
		do = s.Remove
	}
	files, err := do()
	if err != nil {
		return fmt.Errorf("%w%s", err, doneBefore(files))
	}
	return a.tellSetup(files)
}

// doneBefore says what was done to files before something went wrong.
func doneBefore(files []setup.File) string {
	var done []string
	for _, f := range files {
		if f.Action != setup.Unchanged && f.Action != setup.Left {
			done = append(done, fmt.Sprintf("%s was %s", f.Path, f.Action))
		}
	}
	if len(done) == 0 {
		return ""
	}
	return "; before that " + strings.Join(done, ", ")
}

// project is what setting up must know of the project.
func (a *app) project(ctx context.Context) (setup.Project, error) {
	repo, err := a.open(ctx)
	if err != nil {
		return setup.Project{}, err
	}
	if repo.WorkTree == "" {
		return setup.Project{}, hooks.ErrNoWorkTree
	}
	if inStore, err := repo.InStore(ctx); err != nil || inStore {
		return setup.Project{}, cmp.Or(err, error(&store.UnsupportedError{Message: "the plans are checked out here: run it in a working tree of the project"}))
	}
	p := setup.Project{Dir: repo.WorkTree, CommonDir: repo.CommonDir}
	if name, set := repo.Config.Get("plan.instructionsFile"); set && name != "" {
		p.Instructions = path.Clean(filepath.ToSlash(name))
	}
	info, err := os.Lstat(filepath.Join(repo.WorkTree, ".git"))
	p.Linked = err != nil || !info.IsDir()
	hidden, err := repo.Config.Bool("plan.draftExclude", true)
	if err != nil {
		return p, err
	}
	if hidden {
		p.Drafts = strings.Trim(draft.ExcludePattern(repo), "/")
	}
	return p, nil
}

func (a *app) tellSetup(files []setup.File) error {
	doc := setupDocument{"unchanged", files}
	for _, f := range files {
		if f.Action != setup.Unchanged && f.Action != setup.Left {
			doc.Status = "success"
		}
	}
	if a.json {
		return a.print(doc)
	}
	for _, f := range files {
		a.say("%-9s  %s", f.Action, f.Path)
		if f.Note != "" {
			a.say("           %s", diag.Printable(f.Note))
		}
		if f.Snippet != "" {
			a.say("           put this in by hand:\n\n%s\n", indent(f.Snippet))
		}
	}
	return nil
}

// indent sets text off from what stands around it.
func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
