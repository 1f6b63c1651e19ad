package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "explain [RULE]", Short: "say what a rule asks and how to satisfy it", GroupID: groupLook,
		Long: "Say what a rule asks, how much it weighs under each gate and how to satisfy it.\nWithout a rule, list them all.\n" + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.explainAll()
			}
			return a.explain(args[0])
		},
	}
}

// ruleDocument is a row of the rule table.
type ruleDocument struct {
	ID     string `json:"id"`
	Base   string `json:"base"`
	Strict string `json:"strict"`
	When   string `json:"when"`
	Asks   string `json:"asks"`
	Fix    string `json:"fix"`
}

func newRuleDocument(r validate.Rule) ruleDocument {
	when := map[validate.Class]string{
		validate.Structural: "whenever a plan is written",
		validate.Quality:    "when a plan's definition is written",
		validate.PerTask:    "for unsettled tasks that are added or whose definition is edited; in `check`, for every unsettled task",
	}
	return ruleDocument{r.ID, r.Base.String(), r.Strict.String(), when[r.Class], r.Doc, r.Fix}
}

func (a *app) explainAll() error {
	var docs []ruleDocument
	for _, r := range validate.Rules() {
		docs = append(docs, newRuleDocument(r))
	}
	if a.json {
		return a.print(map[string]any{"rules": docs})
	}
	for _, d := range docs {
		a.say("%-16s  %-7s  %-7s  %s", d.ID, d.Base, d.Strict, d.Asks)
	}
	return nil
}

func (a *app) explain(id string) error {
	r, ok := validate.Find(id)
	if !ok {
		var ids []string
		for _, r := range validate.Rules() {
			ids = append(ids, r.ID)
		}
		hint := "see `git plan explain`"
		if near := plan.Nearest(id, ids); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return &planrepo.NotFoundError{What: "rule", Name: id, Hint: hint}
	}
	d := newRuleDocument(r)
	if a.json {
		return a.print(d)
	}
	a.say("%s: %s.", d.ID, d.Asks)
	a.say("")
	a.say("base gate:   %s", d.Base)
	a.say("strict gate: %s", d.Strict)
	a.say("counts:      %s", d.When)
	a.say("to mend:     %s", strings.TrimSpace(d.Fix))
	if r.Fixed() {
		a.say("\nNo gates.yaml can lower this rule.")
	}
	return nil
}
