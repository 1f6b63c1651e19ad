//go:build !lean

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/mcpserver"
)

func (a *app) runMCP(ctx context.Context, opts mcpOptions) error {
	serve, err := a.mcpServer(ctx, opts)
	if err != nil {
		return err
	}
	if a.typed() {
		fmt.Fprintln(a.Stderr, "waiting for messages of an agent, which starts this by itself: see `git plan mcp -h`; end it with Ctrl-D")
	}
	err = mcpserver.Serve(ctx, a.Stdin, a.Stdout, serve)
	switch {
	case mcpserver.Ended(err):
		return nil
	case isA[*mcpserver.LongLineError](err):
		return &statusError{exitNo, err}
	}
	return err
}

// mcpServer is what the options ask for.
func (a *app) mcpServer(ctx context.Context, opts mcpOptions) (mcpserver.Options, error) {
	serve := mcpserver.Options{Version: release, Run: a.runHere, Document: documentOf, Log: a.Stderr}
	for _, name := range opts.tools {
		switch strings.TrimSpace(name) {
		case toolsPlanning:
			serve.Planner = &mcpserver.Memory{}
			if opts.persist {
				serve.Planner, serve.Kept = &storedPlanner{app: a}, true
			}
		case toolsLoop:
			serve.Loop = true
		default:
			return serve, &usageError{fmt.Sprintf("--tools: there are no tools %q: give %s, %s or both", name, toolsPlanning, toolsLoop)}
		}
	}
	if len(opts.tools) == 0 {
		return serve, &usageError{fmt.Sprintf("--tools is empty: give %s, %s or both", toolsPlanning, toolsLoop)}
	}
	if opts.persist && serve.Planner == nil {
		return serve, &usageError{"--persist is for the planning tools: give --tools " + toolsPlanning + ", too"}
	}
	var err error
	if opts.strategy != "" {
		serve.Strategy, err = parseStrategy("--strategy", opts.strategy)
	} else {
		serve.Strategy, err = a.configuredStrategy(ctx)
	}
	look := &storeLook{app: a}
	serve.Plans, serve.Stamp = look.state, look.stamp
	return serve, err
}

// runHere runs another command line as this process would, with what was said
// for all commands when it was started.
func (a *app) runHere(ctx context.Context, line []string, stdin []byte) mcpserver.Answer {
	var stdout, stderr bytes.Buffer
	env := a.Env
	env.Stdin, env.Stdout, env.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	env.Progress = a.Stderr // it is of use while it is so, and no part of an answer
	env.Renamed = a.goAlong
	var common []string
	for _, flag := range [][2]string{{"agent", a.agent}, {"plan", a.named()}} {
		if flag[1] != "" {
			common = append(common, "--"+flag[0]+"="+flag[1])
		}
	}
	if a.push {
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
