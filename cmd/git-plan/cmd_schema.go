package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/plan"
)

// schemaList is the answer of `schema` without a name.
type schemaList struct {
	Schemas []schemaName `json:"schemas"`
}

// schemaName is a schema in the list.
type schemaName struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Commands []string `json:"commands"`
}

type schemaCommand struct{ *app }

func newSchema(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return schemaCommand{a}.list()
		}
		return schemaCommand{a}.printOne(args[0])
	}
}

func schemaNames() []string {
	return namesOf(documents(), func(d documentSchema) string { return d.name })
}

func (c schemaCommand) list() error {
	list := schemaList{[]schemaName{}}
	for _, d := range documents() {
		list.Schemas = append(list.Schemas, schemaName{d.name, d.title, append([]string{}, d.commands...)})
		c.say("%-18s  %s", d.name, d.title)
	}
	return c.document(list)
}

func (c schemaCommand) printOne(name string) error {
	for _, d := range documents() {
		if d.name != name {
			continue
		}
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(d.schema)
	}
	return notFound("schema", strings.TrimSpace(name), plan.Nearest(name, schemaNames()), "see `git plan schema`")
}
