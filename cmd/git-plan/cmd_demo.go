package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// demoFiles has the plan of the demo.
//
//go:embed demo
var demoFiles embed.FS

func newDemo(a *app) *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use: "demo [--keep]", Short: "run the main job in a scratch repository",
		Long: `Make a scratch repository and do the main job in it, end to end: an agent
drafts a plan, a broken draft is refused, a good one lands on its branch, tasks
are worked off, and native git reads it all back.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return (&demo{app: a}).run(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the repository in place and print where")
	return cmd
}

// demo is one run: a repository of its own, and an environment in which
// nothing of the user's shows.
type demo struct {
	app *app
	env Env
	dir string
}

func (d *demo) run(ctx context.Context, keep bool) (err error) {
	if d.dir, err = os.MkdirTemp("", "git-plan-demo-"); err != nil {
		return err
	}
	if keep {
		defer d.app.say("\nThe repository is in %s.", d.dir)
	} else {
		defer os.RemoveAll(d.dir)
	}
	d.env = d.app.Env
	d.env.Dir, d.env.Environ, d.env.Stderr = d.dir, demoEnviron(d.app.Environ), d.env.Stdout
	for _, step := range []func(context.Context) error{d.setUp, d.draft, d.work, d.readBack} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// demoEnviron hides the user's configuration, repository and identity.
func demoEnviron(environ []string) []string {
	var out []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "GIT_") {
			out = append(out, kv)
		}
	}
	return append(out, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_PLAN_AGENT=demo-agent",
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.com")
}

func (d *demo) setUp(ctx context.Context) error {
	d.note("A project with some code, and a branch for plans beside it.")
	if err := d.file("internal/auth/user.go", "package auth\n"); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "Begin"}} {
		if err := d.git(ctx, args...); err != nil {
			return err
		}
	}
	return d.plan(0, "init")
}

func (d *demo) draft(ctx context.Context) error {
	d.note("An agent writes a plan in its thread's folder. The first draft is broken,\nand every error is told at once:")
	dir := filepath.Join(".plans", "thread-1")
	if err := d.plan(0, "dir"); err != nil {
		return err
	}
	files, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(d.dir, dir), files); err != nil {
		return err
	}
	const task = "tasks/02-implement-service.md"
	text, err := fs.ReadFile(files, task)
	if err != nil {
		return err
	}
	broken := strings.Replace(string(text), "[create-schema]", "[create-shcema]\nagnet: someone", 1)
	if err := d.file(filepath.Join(dir, task), broken); err != nil {
		return err
	}
	if err := d.plan(exitNo, "commit"); err != nil {
		return err
	}
	d.note("Mended, it lands:")
	if err := d.file(filepath.Join(dir, task), string(text)); err != nil {
		return err
	}
	return d.plan(0, "commit")
}

func (d *demo) work(context.Context) error {
	d.note("Another agent is told what to do next, and reports:")
	for _, args := range [][]string{
		{"next"}, {"task", "start", "create-schema"}, {"task", "done", "create-schema", "--result", "migration 0001 applies cleanly"},
		{"show"}, {"log", "auth-for-the-api", "-n", "2"},
	} {
		if err := d.plan(0, args...); err != nil {
			return err
		}
	}
	return nil
}

func (d *demo) readBack(ctx context.Context) error {
	d.note("It is all plain git, on a branch that shares nothing with the code:")
	for _, args := range [][]string{
		{"log", "--oneline", "--graph", "plans"}, {"show", "plans:auth-for-the-api/tasks/01-create-schema.md"}, {"fsck", "--strict"}, {"status", "--short"},
	} {
		if err := d.git(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (d *demo) note(text string) { fmt.Fprintf(d.env.Stdout, "\n%s\n", text) }

func (d *demo) file(name, text string) error {
	full := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return err
	}
	return os.WriteFile(full, []byte(text), 0o666)
}

// plan runs a command of ours and compares its exit status with the one expected.
func (d *demo) plan(want int, args ...string) error {
	fmt.Fprintf(d.env.Stdout, "\n$ git plan %s\n", quoteArgs(args))
	if got := Main(d.env, args); got != want {
		return fmt.Errorf("git plan %s ended with status %d, not %d", args[0], got, want)
	}
	return nil
}

func (d *demo) git(ctx context.Context, args ...string) error {
	fmt.Fprintf(d.env.Stdout, "\n$ git %s\n", quoteArgs(args))
	out, err := d.env.git().Write(ctx, nil, args...)
	d.env.Stdout.Write(out)
	return err
}

func quoteArgs(args []string) string {
	var out []string
	for _, a := range args {
		if strings.ContainsAny(a, " ") {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
