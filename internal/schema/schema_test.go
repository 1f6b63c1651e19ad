package schema

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

type word string

type embedded struct {
	Status string `json:"status"`
}

type sampleDocument struct {
	embedded
	Word   word           `json:"word"`
	Maybe  string         `json:"maybe,omitempty"`
	Null   *int           `json:"null"`
	Pair   [2]string      `json:"pair"`
	Counts map[string]int `json:"counts"`
	Any    any            `json:"any"`
	Hidden string         `json:"-"`
	secret string
}

// A Go value is described as encoding/json writes it.
func TestOf(t *testing.T) {
	m := Maker{
		Words:   Words{reflect.TypeFor[word](): {"a", "b"}},
		Instead: map[string]func() *Node{"doc.any": Flag},
	}
	data, err := json.Marshal(m.Of("doc", sampleDocument{secret: ""}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","required":["status","word","null","pair","counts","any"],"properties":{` +
		`"status":{"description":"what became of it","type":"string"},"word":{"type":"string","enum":["a","b"]},"maybe":{"type":"string"},` +
		`"null":{"anyOf":[{"type":"integer"},{"type":"null"}]},"pair":{"type":"array","items":{"type":"string"},"minItems":2},` +
		`"counts":{"type":"object","additionalProperties":{"type":"integer"}},"any":{"type":"boolean"}}}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

// A schema of frontmatter has every field of its table, those that must be
// there, and no others but one's own.
func TestFrontmatter(t *testing.T) {
	for _, row := range []struct {
		node   *Node
		fields []plan.FieldSpec
	}{{Plan(), plan.PlanFields()}, {Task(), plan.TaskFields()}, {Signal(), plan.SignalFields()}} {
		if len(row.node.Properties) != len(row.fields) || row.node.Others != false || row.node.Patterns.Get("^x-") == nil {
			t.Errorf("%s: %d properties", row.node.Title, len(row.node.Properties))
		}
		for _, f := range row.fields {
			p := row.node.Properties.Get(f.Name)
			if p == nil || p.Description == "" {
				t.Errorf("%s: %s is not described", row.node.Title, f.Name)
			}
			if slices.Contains(row.node.Required, f.Name) != f.Required {
				t.Errorf("%s: whether %s is required", row.node.Title, f.Name)
			}
		}
	}
}

// The patterns match what the readers of such values take.
func TestPatterns(t *testing.T) {
	pattern := func(typ string) *regexp.Regexp {
		for _, f := range append(plan.TaskFields(), plan.PlanFields()...) {
			if f.Type() == typ {
				return regexp.MustCompile(value(f).Pattern)
			}
		}
		t.Fatal(typ)
		return nil
	}
	for _, s := range []string{"2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+02:00", "2026-01-02 03:04", "today", ""} {
		if _, err := plan.ParseTime(s); pattern("time").MatchString(s) != (err == nil) {
			t.Errorf("time %q: %v", s, err)
		}
	}
	for _, s := range []string{"30m", "1d12h", "1.5h", "2", "", "h", "1.h", "4 h", "3y"} {
		if _, err := plan.ParseDuration(s); pattern("duration").MatchString(s) != (err == nil) {
			t.Errorf("duration %q: %v", s, err)
		}
	}
	for _, s := range []string{"a", "a-b2", "A", "a--b", "-a", "a-", ""} {
		if pattern("id").MatchString(s) != plan.IsKebab(s) {
			t.Errorf("id %q", s)
		}
	}
}
