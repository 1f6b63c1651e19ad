package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/mcpserver"
)

// The sets of tools that `mcp` offers.
const (
	toolsPlanning = "planning"
	toolsLoop     = "loop"
)

type mcpCommand struct {
	*app
	// naming guards the named plan, which a merge may rename.
	naming   sync.Mutex
	tools    []string
	strategy string
	persist  bool
}

func newMCP(a *app, cmd *cobra.Command) runner {
	c := &mcpCommand{app: a}
	flags := cmd.Flags()
	flags.StringSliceVar(&c.tools, "tools", []string{toolsPlanning, toolsLoop}, "the `sets` of tools to offer")
	flags.StringVar(&c.strategy, "strategy", "", "the `strategy` of the planning tools: "+strings.Join(strategyNames(), ", ")+" (default: plan.strategy, else react)")
	flags.BoolVar(&c.persist, "persist", false, "keep the plan of the planning tools in the store")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

func (c *mcpCommand) run(ctx context.Context) error {
	serve, err := c.server(ctx)
	if err != nil {
		return err
	}
	if c.typed() {
		fmt.Fprintln(c.Stderr, "waiting for messages of an agent, which starts this by itself: see `git plan mcp -h`; end it with Ctrl-D")
	}
	err = mcpserver.Serve(ctx, c.Stdin, c.Stdout, serve)
	switch {
	case mcpserver.Ended(err):
		return nil
	case isA[*mcpserver.LongLineError](err):
		return &statusError{exitNo, err}
	}
	return err
}

// server is what the options ask for.
func (c *mcpCommand) server(ctx context.Context) (mcpserver.Options, error) {
	serve := mcpserver.Options{Version: release, Run: c.runHere, Document: documentOf, Log: c.Stderr}
	for _, name := range c.tools {
		switch strings.TrimSpace(name) {
		case toolsPlanning:
			serve.Planner = &mcpserver.Memory{}
			if c.persist {
				serve.Planner, serve.Kept = &storedPlanner{server: c}, true
			}
		case toolsLoop:
			serve.Loop = true
		default:
			return serve, &usageError{fmt.Sprintf("--tools: there are no tools %q: give %s, %s or both", name, toolsPlanning, toolsLoop)}
		}
	}
	if len(c.tools) == 0 {
		return serve, &usageError{fmt.Sprintf("--tools is empty: give %s, %s or both", toolsPlanning, toolsLoop)}
	}
	if c.persist && serve.Planner == nil {
		return serve, &usageError{"--persist is for the planning tools: give --tools " + toolsPlanning + ", too"}
	}
	var err error
	if c.strategy != "" {
		serve.Strategy, err = parseStrategy("--strategy", c.strategy)
	} else {
		serve.Strategy, err = c.configuredStrategy(ctx)
	}
	look := &storeLook{server: c}
	serve.Plans, serve.Stamp = look.state, look.stamp
	return serve, err
}

// runHere runs another command line as this process would, with its global flags.
func (c *mcpCommand) runHere(ctx context.Context, line []string, stdin []byte) mcpserver.Answer {
	var stdout, stderr bytes.Buffer
	env := c.Env
	env.Stdin, env.Stdout, env.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	env.Progress = c.Stderr // it is of use while it is so, and no part of an answer
	env.Renamed = c.goAlong
	var common []string
	for _, flag := range [][2]string{{"agent", c.agent}, {"plan", c.named()}} {
		if flag[1] != "" {
			common = append(common, "--"+flag[0]+"="+flag[1])
		}
	}
	if c.push {
		common = append(common, "--push")
	}
	status := execute(ctx, env, slices.Insert(slices.Clone(line), 1, common...))
	return mcpserver.Answer{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Status: status}
}

// documentOf gives an error as the document that a command prints with --json.
func documentOf(err error) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(classify(err)) // it has nothing but texts
	return out.Bytes()
}
