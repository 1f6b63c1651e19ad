//go:build !lean

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/web"
)

func (a *app) runWeb(ctx context.Context, opts webOptions) error {
	if opts.port < 0 || opts.port > 65535 {
		return &usageError{"a port is a number from 1 to 65535; leave --port out to take one that is free"}
	}
	s, err := a.snapshot(ctx)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, s)
	listener, err := web.Listen(opts.port)
	if err != nil {
		return fmt.Errorf("port %d cannot be listened on: name another with --port, or leave it out to take one that is free (%w)", opts.port, err)
	}
	defer listener.Close()
	return a.viewer().Serve(ctx, listener, func(address, once string) {
		if a.tellAddress(address); opts.open {
			a.openBrowser(ctx, once)
		}
	})
}

// viewer makes the viewer of the repository.
func (a *app) viewer() *web.Viewer {
	return web.New(web.Options{Repo: a.repo, Name: repositoryName(a.repo), Now: a.Now, Warn: a.warn})
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

func (a *app) tellAddress(address string) {
	if a.json {
		if err := a.print(webDocument{"success", address}); err != nil {
			a.warn("%v", err)
		}
	}
	a.say("Plans of %s are shown at\n  %s\nStop with Ctrl-C.", repositoryName(a.repo), address)
}

// openBrowser has git open an address in its browser.
func (a *app) openBrowser(ctx context.Context, address string) {
	go func() { // a browser in a terminal lives as long as the person reads
		if _, err := a.git().Read(ctx, "web--browse", address); err != nil && ctx.Err() == nil {
			a.warn("git opened no browser (%v): open the address yourself, or set web.browser", err)
		}
	}()
}
