package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/mcpserver"
	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/internal/steps"
	"github.com/git-plan/git-plan/internal/store"
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
			serve.Planner = &session.Session{}
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
	serve.Strategy, err = c.strategyOr(ctx, c.strategy)
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
	_ = newEncoder(&out).Encode(classify(err)) // it has nothing but texts
	return out.Bytes()
}

// again is the process as a command of its own sees it: with nothing open yet.
func (c *mcpCommand) again() *app {
	env := c.Env
	env.Renamed = c.goAlong
	own := newApp(env)
	own.json, own.agent, own.plan, own.push = true, c.agent, c.named(), c.push
	return own
}

// named is the plan that was named for the process, by the id that it has now.
func (c *mcpCommand) named() string {
	c.naming.Lock()
	defer c.naming.Unlock()
	return c.plan
}

// goAlong follows the plan that was named for the process to its new id.
func (c *mcpCommand) goAlong(plans map[string]string) {
	c.naming.Lock()
	defer c.naming.Unlock()
	if id := plans[cmp.Or(c.plan, c.Getenv("GIT_PLAN"))]; id != "" {
		c.plan = id
	}
}

// storedPlanner keeps the plan of the planning tools in the store.
type storedPlanner struct {
	server *mcpCommand

	// bound is the plan that was set up here, a string, where no worktree remembers it
	// or another one is named for this process.
	bound atomic.Value
}

func (p *storedPlanner) boundTo() string {
	id, _ := p.bound.Load().(string)
	return id
}

// goAlong is that of the process, and lets the bound plan follow, too.
func (p *storedPlanner) goAlong(plans map[string]string) {
	p.server.goAlong(plans)
	if id := plans[p.boundTo()]; id != "" {
		p.bound.Store(id)
	}
}

// Call carries out a tool on the store as it is now.
func (p *storedPlanner) Call(ctx context.Context, tool string, arguments []byte) (session.Result, error) {
	in, err := session.Decode(tool, arguments)
	if err != nil {
		return session.Result{}, err
	}
	a := p.server.again()
	a.Env.Renamed = p.goAlong
	defer a.close()
	agent, err := a.openAs(ctx)
	if err != nil {
		return session.Result{}, err
	}
	drafted, err := a.draftedIDs(ctx)
	if err != nil {
		return session.Result{}, err
	}
	keeper := &steps.Keeper{
		Repo: a.repo, Agent: agent,
		Which: func(ctx context.Context, s *store.Snapshot) (string, error) { return p.which(ctx, a, s, in) },
		Taken: func(id string) bool { return slices.Contains(drafted, id) },
	}
	result, err := keeper.Do(ctx, in)
	if err != nil {
		return session.Result{}, err
	}
	a.afterChange(ctx, result.Landed)
	if why := result.Landed.Unpublished; len(why) > 0 {
		result.Warnings = append(result.Warnings, "not published: "+strings.Join(why, "; "))
	}
	if result.Began != "" {
		p.remember(ctx, a, result.Began)
	}
	return result.Result, nil
}

// which gives the plan that is worked on, or "". A new plan takes the place of the
// worktree's own alone, never of a plan that is merely the only one.
func (p *storedPlanner) which(ctx context.Context, a *app, s *store.Snapshot, in session.Input) (string, error) {
	id := p.boundTo()
	if id == "" {
		own, err := a.ownPlan(ctx, s)
		switch {
		case isNotFound(err):
			return "", nil
		case err != nil:
			return "", err
		}
		id = own
	}
	if id != "" {
		if l, ok, err := s.Locate(ctx, id); err != nil || ok && !l.Archived() {
			return id, err
		}
		return "", nil // it is gone: there is none to work on, and room for another
	}
	if in.Tool == session.ToolSetup {
		return "", nil
	}
	id, err := a.onlyUnfinished(ctx, s)
	var none *store.AmbiguousPlanError
	if errors.As(err, &none) && len(none.Candidates) == 0 {
		return "", nil
	}
	return id, err
}

// remember makes a plan the one that is worked on from now on.
func (p *storedPlanner) remember(ctx context.Context, a *app, id string) {
	bound := ""
	if a.plan != "" || a.Getenv("GIT_PLAN") != "" || a.repo.WorkTree == "" {
		bound = id
	}
	p.bound.Store(bound)
	if err := a.makeCurrent(ctx, id); err != nil {
		p.bound.Store(id)
		a.warn("plan %s was made and is not the current one: %v", id, err)
	}
}

// storeLook reports the plans of the store to a server.
type storeLook struct {
	server *mcpCommand

	mu    sync.Mutex
	paths []string // files that change when the store moves
}

// state reads what there is now.
func (l *storeLook) state(ctx context.Context) (mcpserver.State, error) {
	a := l.server.again()
	defer a.close()
	repo, err := a.open(ctx)
	if err != nil {
		return mcpserver.State{}, err
	}
	l.mu.Lock()
	l.paths = repo.Traces()
	l.mu.Unlock()
	s, err := repo.Snapshot(ctx)
	if err != nil || !s.Exists() {
		return mcpserver.State{}, err
	}
	summaries, err := s.Summaries(ctx, s.Locations())
	if err != nil {
		return mcpserver.State{}, err
	}
	var out mcpserver.State
	for _, sum := range summaries {
		out.Plans = append(out.Plans, mcpserver.Plan{ID: sum.ID, Title: sum.Title, Content: sum.Tree})
	}
	if id, err := a.onePlan(ctx, s); err == nil {
		out.Current = id
	}
	return out, nil
}

// stamp changes when the store moves.
func (l *storeLook) stamp() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return store.Stamp(l.paths)
}
