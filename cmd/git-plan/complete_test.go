package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What somebody else named is offered only if a shell takes it as it is.
func TestBoundaryCompletion(t *testing.T) {
	g := withPlan(t)
	for _, name := range []string{"$(touch${IFS}x)", "`id`", "a;id", "a&id", "a|id", "a'b", `a"b`, "a>b", "a(b)", "a!b", "a#b", "plain/name"} {
		g.Git("branch", name, "main")
		g.Git("update-ref", "refs/heads/proposals/"+name, "plans")
	}
	g.plant(map[string]string{"p/tasks/02-two.md": "---\nid: \"$(touch x)\"\ntitle: $(touch y)\n---\n\nTwo.\n", "p/signals/$(x).md": "---\nlevel: info\n---\n\nX.\n"})
	offered := 0
	for _, line := range []string{"check", "show", "diff", "diff plans", "task start", "alert clear", "check --against", "brief p --task", "use", "log", "graph", "propose p -b", "sync", "replan", "export -t json", "fmt", "commit -m", "show p/", "show plans:", "check p@"} {
		for _, begun := range []string{"", "$", "`", "a", "p", "proposals/", "proposals/$"} {
			_, said := g.tried("", append(append([]string{"__complete"}, strings.Fields(line)...), begun)...)
			for said := range strings.Lines(said) {
				choice, _, _ := strings.Cut(strings.TrimSuffix(said, "\n"), "\t")
				if strings.HasPrefix(choice, ":") || strings.HasPrefix(said, "Completion ended") {
					continue
				}
				offered++
				if strings.ContainsAny(choice, "$`;&|'\"<>()!#*?\\ ") {
					t.Errorf("%s %s offers %q", line, begun, choice)
				}
			}
		}
	}
	if offered < 20 {
		t.Errorf("only %d words were offered", offered)
	}
}

func TestListedIn(t *testing.T) {
	for usage, want := range map[string]string{
		"form of the output: text, json":                               "text json",
		"the gate of a new store: base or strict":                      "base strict",
		"its level: blocker, warning or info":                          "blocker warning info",
		"the strategy: react, plan-act-reflect (default: react)":       "react plan-act-reflect",
		"colour the output: when is always, never or auto (default:)":  "always never auto",
		"what it is for: arbiter, execution":                           "arbiter execution",
		"the task it is on (default: the plan)":                        "",
		"act as this agent name (default: GIT_PLAN_AGENT, else yours)": "",
		"what came out, as text":                                       "",
	} {
		if got := strings.Join(listedIn(usage), " "); got != want {
			t.Errorf("%q lists %q, not %q", usage, got, want)
		}
	}
}

func TestPositionsOf(t *testing.T) {
	for use, want := range map[string]string{
		"show [PLAN|PLAN/TASK|FILE|-] [--all]":             "PLAN PLAN/TASK FILE -",
		"export -t FORM [-o DIR|FILE] [PLAN]":              "PLAN",
		"sync [REMOTE] [--ours PLAN]...":                   "REMOTE",
		"grep [-i] [-F|-E] PATTERN [PLAN]…":                "PATTERN, PLAN ...",
		"archive PLAN... [--force]":                        "PLAN ...",
		"diff [A [B]] [--exit-code]":                       "A, B",
		"next [PLAN] [--claim [--another]]":                "PLAN",
		"run ID [--task TASK] [-m TEXT] -- COMMAND [ARG]…": "ID, COMMAND, ARG ...",
		"report -o FOLDER":                                 "",
		"version":                                          "",
	} {
		var got []string
		for _, p := range positionsOf(use) {
			words := strings.Join(p.kinds, " ")
			if p.repeats {
				words += " ..."
			}
			got = append(got, words)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q has %q, not %q", use, got, want)
		}
	}
}

// Every argument of every command is a word that completion knows, or one that
// only the user can know.
func TestPlaceholdersAreKnown(t *testing.T) {
	a := &completion{&app{}}
	free := []string{"-", "PATTERN", "TEXT", "TITLE", "JSON", "PAYLOAD", "VERB", "BASE", "OURS", "THEIRS", "A..B", "AGENT", "SHELL", "ID", "NAME"}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if c.HasSubCommands() || c.Name() == "help" {
			return
		}
		for _, p := range positionsOf(c.Use) {
			for _, kind := range p.kinds {
				offer, files := a.offerOf(kind, c)
				if offer == nil && !files && !slices.Contains(free, kind) {
					t.Errorf("%s: nothing completes %s", c.CommandPath(), kind)
				}
			}
		}
	}
	visit(newRoot(a.app))
}
