package main

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

type grepCommand struct {
	*app
	ignoreCase, fixed, extended, archived bool
}

func newGrep(a *app, cmd *cobra.Command) runner {
	c := &grepCommand{app: a}
	flags := cmd.Flags()
	flags.BoolVarP(&c.ignoreCase, "ignore-case", "i", false, "take upper and lower case for the same")
	flags.BoolVarP(&c.fixed, "fixed-strings", "F", false, "the pattern is text, not an expression")
	flags.BoolVarP(&c.extended, "extended-regexp", "E", false, "the pattern is an extended regular expression (the default)")
	flags.BoolVar(&c.archived, "archived", false, "look into archived plans too")
	return c.run
}

// match is a line that matched. Line is counted from 1 in the file.
type match struct {
	Plan string `json:"plan"`
	Task string `json:"task"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (c *grepCommand) run(ctx context.Context, args []string) error {
	pattern, err := c.compile(args[0])
	if err != nil {
		return err
	}
	s, err := c.look(ctx)
	if err != nil {
		return err
	}
	if !s.Exists() && !c.json {
		c.warn("there are no plans here yet: run `git plan init`")
	}
	names := args[1:]
	if len(names) == 0 && c.plan != "" {
		names = []string{c.plan}
	}
	all, err := c.search(ctx, s, names, pattern)
	if err != nil {
		return err
	}
	if c.json {
		err = c.print(map[string]any{"matches": all})
	} else {
		err = c.tell(all, pattern)
	}
	if err == nil && len(all) == 0 {
		return errNo
	}
	return err
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

func (c *grepCommand) compile(text string) (*regexp.Regexp, error) {
	if c.fixed && c.extended {
		return nil, &usageError{"-F and -E exclude each other"}
	}
	expr := text
	if c.fixed {
		expr = regexp.QuoteMeta(expr)
	}
	if c.ignoreCase {
		expr = "(?i)" + expr
	}
	pattern, err := regexp.Compile(expr)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return nil, &usageError{fmt.Sprintf("the pattern %q is no regular expression: %s; -F takes it as text", text, why)}
	}
	return pattern, nil
}

// search looks into the plans that are named, or into all. Of several, a damaged one
// is a warning.
func (c *grepCommand) search(ctx context.Context, s *store.Snapshot, names []string, pattern *regexp.Regexp) ([]match, error) {
	type place struct {
		at *store.Snapshot
		store.Location
	}
	var where []place
	for _, name := range names {
		at, id, err := resolve(ctx, s, name)
		if err != nil {
			return nil, err
		}
		l, _, err := at.Locate(ctx, id)
		if err != nil {
			return nil, err
		}
		where = append(where, place{at, l})
	}
	if len(names) == 0 {
		locations := s.Locations()
		if c.archived {
			archived, err := s.Archive(ctx)
			if err != nil {
				return nil, err
			}
			locations = slices.Concat(locations, archived)
		}
		where = namesOf(locations, func(l store.Location) place { return place{s, l} })
	}
	all := []match{}
	for _, p := range where {
		found, err := grepPlan(ctx, p.at, p.Location, pattern)
		if all = append(all, found...); err == nil {
			continue
		}
		if len(where) == 1 || !store.IsDamage(err) {
			return nil, err
		}
		c.warn("not looked into: %v", err)
	}
	return all, nil
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
		number := 0
		for line := range bytes.Lines(f.Data) {
			number++
			if line = bytes.TrimSuffix(line, []byte("\n")); pattern.Match(line) {
				out = append(out, match{Plan: l.ID, Path: path.Join(l.Path, f.Path), Line: number, Text: string(line)})
			}
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
