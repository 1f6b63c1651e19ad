package main

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

type grepCommand struct {
	*app
	ignoreCase, fixed, archived bool
	pattern                     string
	plans                       []string
}

func newGrep(a *app, cmd *cobra.Command) runner {
	c := &grepCommand{app: a}
	var extended bool
	flags := cmd.Flags()
	flags.BoolVarP(&c.ignoreCase, "ignore-case", "i", false, "take upper and lower case for the same")
	flags.BoolVarP(&c.fixed, "fixed-strings", "F", false, "the pattern is text, not an expression")
	flags.BoolVarP(&extended, "extended-regexp", "E", false, "the pattern is an extended regular expression (the default)")
	flags.BoolVar(&c.archived, "archived", false, "look into archived plans too")
	return func(ctx context.Context, args []string) error {
		if c.fixed && extended {
			return &usageError{"-F and -E exclude each other"}
		}
		if c.pattern, c.plans = args[0], args[1:]; len(c.plans) == 0 && a.plan != "" {
			c.plans = []string{a.plan}
		}
		return c.run(ctx)
	}
}

// match is a line that matched. Line is counted from 1 in the file.
type match struct {
	Plan string `json:"plan"`
	Task string `json:"task"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (c *grepCommand) run(ctx context.Context) error {
	pattern, err := c.compile()
	if err != nil {
		return err
	}
	s, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	if !s.Exists() && !c.json {
		c.warn("there are no plans here yet: run `git plan init`")
	}
	c.warnOfGates(ctx, s)
	where, err := c.places(ctx, s)
	if err != nil {
		return err
	}
	all, err := c.search(ctx, where, pattern)
	if err != nil {
		return err
	}
	if c.json {
		err = c.print(map[string]any{"matches": all})
	} else {
		err = c.tell(all, pattern)
	}
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errNo
	}
	return nil
}

// tell prints matches for a person, with colours.
func (c *grepCommand) tell(all []match, pattern *regexp.Regexp) error {
	page := term.Page{Palette: c.palette()}
	for _, m := range all {
		task := term.Text{}
		if m.Task != "" {
			task = term.Sayf(term.Dim, "[%s] ", m.Task)
		}
		page.Line(term.Say(term.Plain, m.Path), term.Sayf(term.Dim, ":%d: ", m.Line), task, matched(m.Text, pattern))
	}
	return page.To(c.Stdout)
}

// matched is a line with its matches marked.
func matched(text string, pattern *regexp.Regexp) term.Text {
	text = strings.ReplaceAll(text, "\t", "    ")
	var parts []term.Text
	done, from, to := 0, 0, 0 // matches that touch are one
	show := func() {
		parts = append(parts, term.Say(term.Plain, text[done:from]), term.Say(term.Match, text[from:to]))
		done = to
	}
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		if at[0] != to {
			show()
			from = at[0]
		}
		to = at[1]
	}
	show()
	return term.Join(append(parts, term.Say(term.Plain, text[done:]))...)
}

func (c *grepCommand) compile() (*regexp.Regexp, error) {
	expr := c.pattern
	if c.fixed {
		expr = regexp.QuoteMeta(expr)
	}
	if c.ignoreCase {
		expr = "(?i)" + expr
	}
	pattern, err := regexp.Compile(expr)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return nil, &usageError{fmt.Sprintf("the pattern %q is no regular expression: %s; -F takes it as text", c.pattern, why)}
	}
	return pattern, nil
}

// place is a plan in the store at some time.
type place struct {
	at       *store.Snapshot
	location store.Location
}

// places finds the plans to look into.
func (c *grepCommand) places(ctx context.Context, s *store.Snapshot) ([]place, error) {
	var out []place
	for _, name := range c.plans {
		address, ok := store.ParseAddress(name)
		if !ok {
			return nil, &store.NotFoundError{What: "plan", Name: name, Hint: "plan ids are kebab-case; see `git plan list`"}
		}
		at, err := s.Resolve(ctx, address)
		if err != nil {
			return nil, err
		}
		l, _, err := at.Locate(ctx, address.Plan)
		if err != nil {
			return nil, err
		}
		out = append(out, place{at, l})
	}
	if len(c.plans) > 0 {
		return out, nil
	}
	all := s.Locations()
	if c.archived {
		archived, err := s.Archive(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, archived...)
	}
	for _, l := range all {
		out = append(out, place{s, l})
	}
	return out, nil
}

// search reads plans on all cores. Matches come in the order of the plans. A
// damaged plan is a warning.
func (c *grepCommand) search(ctx context.Context, where []place, pattern *regexp.Regexp) ([]match, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found, damaged := make([][]match, len(where)), make([]error, len(where))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(where)) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(where)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				var err error
				switch found[i], err = grepPlan(ctx, where[i].at, where[i].location, pattern); {
				case store.IsDamage(err) && len(where) > 1:
					damaged[i] = err
				case err != nil:
					cancel(err)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range damaged {
		if err != nil {
			c.warn("not looked into: %v", err)
		}
	}
	return append([]match{}, slices.Concat(found...)...), context.Cause(ctx)
}

// grepPlan searches the files of a plan. It parses the plan only where a line
// matches, for the ids of tasks.
func grepPlan(ctx context.Context, s *store.Snapshot, l store.Location, pattern *regexp.Regexp) ([]match, error) {
	files, err := s.Files(ctx, l)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b plan.File) int { return strings.Compare(a.Path, b.Path) })
	var out []match
	for _, f := range files {
		for number, line := range matching(f.Data, pattern) {
			out = append(out, match{Plan: l.ID, Path: path.Join(l.Path, f.Path), Line: number, Text: line})
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	p, _ := plan.Read(l.ID, l.Path, files)
	tasks := map[string]string{}
	for _, t := range p.All() {
		tasks[path.Join(l.Path, t.Doc.Path)] = t.ID
	}
	for i := range out {
		out[i].Task = tasks[out[i].Path]
	}
	return out, nil
}

// matching visits the lines that match, with their numbers.
func matching(data []byte, pattern *regexp.Regexp) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range bytes.Lines(data) {
			number++
			line = bytes.TrimSuffix(line, []byte("\n"))
			if pattern.Match(line) && !yield(number, string(line)) {
				return
			}
		}
	}
}
