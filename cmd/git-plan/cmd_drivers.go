package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan/diag"
)

// What git itself runs on single files, as init sets it up. Neither of the two
// looks at the repository: git runs them in hooks, with an environment that
// names another one.

func newMergeDriver(a *app, cmd *cobra.Command) runner {
	cmd.Flags().SetInterspersed(false) // a path may look like a flag
	return func(_ context.Context, args []string) error {
		var data [3][]byte
		for i := range data {
			var err error
			if data[i], err = a.readRegular(args[i]); err != nil {
				return err
			}
		}
		result := merge.File(args[3], data[0], data[1], data[2])
		if err := os.WriteFile(a.abs(args[1]), result.Data, 0o666); err != nil {
			return err
		}
		if len(result.Conflicts) == 0 {
			return nil
		}
		for _, c := range result.Conflicts {
			if c.Field != "text" { // git names the file, and there is no more to say
				fmt.Fprintf(a.Stderr, "conflict: %s\n", diag.Printable(c.String()))
			}
		}
		return errNo
	}
}

func newTextconv(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, args []string) error {
		data, err := a.readRegular(args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(a.Stdout, render.Textconv(data))
		return err
	}
}

// readRegular reads a file that git has written. A device may never end.
func (e Env) readRegular(name string) ([]byte, error) {
	info, err := os.Stat(e.abs(name))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.ReadFile(e.abs(name))
}
