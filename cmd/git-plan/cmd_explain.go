package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

type explainCommand struct{ *app }

func newExplain(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return explainCommand{a}.all()
		}
		return explainCommand{a}.one(args[0])
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

func (c explainCommand) all() error {
	docs := namesOf(validate.Rules(), newRuleDocument)
	if c.json {
		return c.print(map[string]any{"rules": docs})
	}
	page := c.newPage()
	for _, d := range docs {
		lead := term.Join(term.Sayf(term.Title, "%-16s", d.ID), term.Sayf(term.Plain, "  %-7s  %-7s  ", d.Base, d.Strict))
		page.Behind(lead, term.Say(term.Plain, d.Asks))
	}
	return page.To(c.Stdout)
}

func ruleID(r validate.Rule) string { return r.ID }

func (c explainCommand) one(id string) error {
	r, ok := validate.Find(id)
	if !ok {
		return notFound("rule", id, plan.Nearest(id, namesOf(validate.Rules(), ruleID)), "see `git plan explain`")
	}
	d := newRuleDocument(r)
	if c.json {
		return c.print(d)
	}
	page := c.newPage()
	page.Behind(nil, term.Join(term.Say(term.Title, d.ID), term.Say(term.Plain, ": "+d.Asks+".")))
	page.Space()
	for _, x := range [][2]string{{"base gate:", d.Base}, {"strict gate:", d.Strict}, {"counts:", d.When}, {"to mend:", strings.TrimSpace(d.Fix)}} {
		page.Behind(term.Sayf(term.Dim, "%-13s", x[0]), term.Say(term.Plain, x[1]))
	}
	if r.Fixed() {
		page.Space()
		page.Line(term.Say(term.Plain, "No gates.yaml can lower this rule."))
	}
	return page.To(c.Stdout)
}
