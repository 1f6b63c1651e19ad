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

// demoFiles has the steps of the demo, a line each, and the files that they copy.
//
//go:embed demo
var demoFiles embed.FS

func newDemo(a *app, cmd *cobra.Command) runner {
	var keep bool
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the repository in place and print where")
	return func(ctx context.Context, _ []string) error { return (&demo{app: a}).run(ctx, keep) }
}

// demo is one run: a repository of its own, and an environment in which
// nothing of the user's shows.
type demo struct {
	app *app
	env Env
}

func (d *demo) run(ctx context.Context, keep bool) error {
	dir, err := os.MkdirTemp("", "git-plan-demo-")
	if err != nil {
		return err
	}
	if keep {
		defer d.app.say("\nThe repository is in %s.", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	d.env = d.app.Env
	d.env.Dir, d.env.Environ, d.env.Stderr = dir, demoEnviron(d.app.Environ), d.env.Stdout
	steps, err := demoFiles.ReadFile("demo/steps.txt")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(steps)) {
		if err := d.step(ctx, strings.TrimSpace(line)); err != nil {
			return fmt.Errorf("%s: %w", line, err)
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

func (d *demo) step(ctx context.Context, line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "#":
		fmt.Fprintf(d.env.Stdout, "\n%s\n", rest)
		return nil
	case "write":
		return d.write(first, []byte(second+"\n"))
	case "copy":
		return d.copy(first, second)
	}
	want := 0
	if verb == "fails" {
		want = exitNo
	}
	fmt.Fprintf(d.env.Stdout, "\n$ %s\n", rest)
	before, quoted, isQuoted := strings.Cut(second, " '")
	args := strings.Fields(before)
	if isQuoted {
		args = append(args, strings.TrimSuffix(quoted, "'"))
	}
	if args[0] != "plan" {
		out, err := d.env.git().Write(ctx, nil, args...)
		d.env.Stdout.Write(out)
		return err
	}
	if got := Main(d.env, args[1:]); got != want {
		return fmt.Errorf("status %d, not %d", got, want)
	}
	return nil
}

// copy copies files of the demo into a folder.
func (d *demo) copy(from, to string) error {
	files, err := fs.Sub(demoFiles, "demo/"+from)
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return d.write(filepath.Join(to, name), data)
	})
}

func (d *demo) write(name string, data []byte) error {
	full := filepath.Join(d.env.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return err
	}
	return os.WriteFile(full, data, 0o666)
}
