package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/web"
)

type webCommand struct {
	*app
	port   int
	browse bool
}

func newWeb(a *app, cmd *cobra.Command) runner {
	c := &webCommand{app: a}
	cmd.Flags().IntVar(&c.port, "port", 0, "listen on this port `number` (default: one that is free)")
	cmd.Flags().BoolVar(&c.browse, "open", false, "open the address in git's browser")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

// webDocument is what `web --json` prints before it begins to answer.
type webDocument struct {
	Status  string `json:"status"`
	Address string `json:"address"`
}

func (c *webCommand) run(ctx context.Context) error {
	if c.port < 0 || c.port > 65535 {
		return &usageError{"a port is a number from 1 to 65535; leave --port out to take one that is free"}
	}
	if _, err := c.look(ctx); err != nil {
		return err
	}
	listener, err := web.Listen(c.port)
	if err != nil {
		return fmt.Errorf("port %d cannot be listened on: name another with --port, or leave it out to take one that is free (%w)", c.port, err)
	}
	defer listener.Close()
	return c.viewer().Serve(ctx, listener, func(address, once string) {
		said := "Plans of %s are shown at\n  %s\nStop with Ctrl-C."
		if err := c.reply(webDocument{"success", address}, said, repositoryName(c.repo), address); err != nil {
			c.warn("%v", err)
		}
		if !c.browse {
			return
		}
		go func() { // a browser in a terminal lives as long as the person reads
			if _, err := c.git().Read(ctx, "web--browse", once); err != nil && ctx.Err() == nil {
				c.warn("git opened no browser (%v): open the address yourself, or set web.browser", err)
			}
		}()
	})
}

// viewer makes the viewer of the repository.
func (w *workspace) viewer() *web.Viewer {
	return web.New(web.Options{Repo: w.repo, Name: repositoryName(w.repo), Now: w.Now, Warn: w.warn})
}

// repositoryName is what people call a repository: the name of its folder.
func repositoryName(r *store.Repo) string {
	if r.WorkTree != "" {
		return filepath.Base(r.WorkTree)
	}
	name := filepath.Base(r.CommonDir)
	if name == ".git" {
		name = filepath.Base(filepath.Dir(r.CommonDir))
	}
	return strings.TrimSuffix(name, ".git")
}
