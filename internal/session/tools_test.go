package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// schema is what the tools' schemas use of JSON schema.
type schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Properties  map[string]schema `json:"properties"`
	Items       *schema           `json:"items"`
	Required    []string          `json:"required"`
	Enum        []string          `json:"enum"`
	MinItems    int               `json:"minItems"`
	Additional  *bool             `json:"additionalProperties"`
}

func schemaOf(t *testing.T, tool Tool) schema {
	t.Helper()
	var s schema
	dec := json.NewDecoder(bytes.NewReader(tool.InputSchema))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	return s
}

// takes reports whether a value, as JSON decodes it, follows the schema.
func (s schema) takes(v any) bool {
	switch v := v.(type) {
	case string:
		return s.Type == "string" && (s.Enum == nil || slices.Contains(s.Enum, v))
	case []any:
		return s.Type == "array" && len(v) >= s.MinItems && !slices.ContainsFunc(v, func(e any) bool { return !s.Items.takes(e) })
	case map[string]any:
		for key, value := range v {
			if p, known := s.Properties[key]; !known || !p.takes(value) {
				return false
			}
		}
		return s.Type == "object" && !slices.ContainsFunc(s.Required, func(key string) bool { return v[key] == nil })
	}
	return false
}

// The whole list of tools that a server shows stays under 12 kB, and this is
// a small part of it.
func TestToolListIsSmall(t *testing.T) {
	data, err := json.Marshal(map[string]any{"tools": Tools()})
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	if size := compact.Len(); size >= 4_500 {
		t.Errorf("the list of tools has %d bytes", size)
	}
}

func TestToolListIsWhole(t *testing.T) {
	dec := json.NewDecoder(bytes.NewReader(toolList))
	dec.DisallowUnknownFields()
	var strict []Tool
	if err := dec.Decode(&strict); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, tool := range Tools() {
		listed = append(listed, tool.Name)
		if tool.Title == "" || !strings.HasSuffix(tool.Description, ".") || tool.Annotations.OpenWorld {
			t.Errorf("%+v", tool)
		}
		if tool.Annotations.ReadOnly != (tool.Name == ToolRead) {
			t.Errorf("%s says of itself that it only reads: %v", tool.Name, tool.Annotations.ReadOnly)
		}
	}
	names := []string{ToolSetup, ToolAdd, ToolUpdate, ToolMark, ToolClear, ToolRead}
	if !slices.Equal(listed, names) {
		t.Errorf("%v are listed, and there are %v", listed, names)
	}
}

// Schemas are strict, and say in words what the code holds inputs to. They
// bound no length: lengths count after trimming, and a client that checks the
// schema does not trim.
func TestToolSchemas(t *testing.T) {
	for _, tool := range Tools() {
		s := schemaOf(t, tool)
		if s.Type != "object" || s.Properties == nil || s.Additional == nil || *s.Additional {
			t.Errorf("%s: %s", tool.Name, tool.InputSchema)
		}
		for _, steps := range []string{"steps", "initial_steps"} {
			if p, ok := s.Properties[steps]; ok && (p.Items.Additional == nil || *p.Items.Additional) {
				t.Errorf("%s takes unknown keys in %s", tool.Name, steps)
			}
		}
		for _, key := range s.Required {
			if _, ok := s.Properties[key]; !ok {
				t.Errorf("%s requires %s, which it does not know", tool.Name, key)
			}
		}
	}
	says := func(i int, keys ...string) string {
		s := schemaOf(t, Tools()[i])
		for _, key := range keys {
			p := s.Properties[key]
			if p.Items != nil {
				p = *p.Items
			}
			s = p
		}
		return s.Description
	}
	for text, words := range map[string][]string{
		says(0, "objective"):                {"1 to 240 characters"},
		says(0, "initial_steps", "title"):   {"1 to 160 characters"},
		says(0, "initial_steps", "details"): {"at most 512 characters"},
		says(1, "steps", "title"):           {"1 to 160 characters"},
		says(1, "steps", "details"):         {"at most 512 characters"},
		says(2, "title"):                    {"1 to 160 characters"},
		says(2, "details"):                  {"at most 512 characters", `"" clears`},
		says(3, "note"):                     {"at most 512 characters"},
	} {
		inOrder(t, "schema", text, words)
	}
	var statuses []string
	for _, s := range StepStatuses() {
		statuses = append(statuses, string(s))
	}
	if got := schemaOf(t, Tools()[3]).Properties["status"].Enum; !slices.Equal(got, statuses) {
		t.Errorf("the schema knows the statuses %v", got)
	}
}

// Whatever a tool takes, null aside, follows its schema: a client that checks
// it refuses nothing that the tool would take.
func TestToolSchemasMatchTheCode(t *testing.T) {
	values := []string{`"S001"`, `"done"`, `"x"`, `""`, `7`, `true`, `[]`, `{}`, `[{"title":"x"}]`, `[{"title":"x","details":"y"}]`, `[{"details":"y"}]`, `[{"title":"x","z":1}]`, `["x"]`, `[{"title":7}]`}
	keys := []string{"objective", "initial_steps", "steps", "step_id", "title", "details", "status", "note", "extra"}
	check := func(tool Tool, arguments string) {
		var v any
		if err := json.Unmarshal([]byte(arguments), &v); err != nil {
			t.Fatal(err)
		}
		_, err := Decode(tool.Name, []byte(arguments))
		if fits := schemaOf(t, tool).takes(v); err == nil && !fits {
			t.Errorf("%s takes %s, and its schema does not", tool.Name, arguments)
		}
	}
	for _, tool := range Tools() {
		base := map[string]string{ToolSetup: `"objective":"o"`, ToolAdd: `"steps":[{"title":"x"}]`, ToolUpdate: `"step_id":"S001","title":"x"`, ToolMark: `"step_id":"S001","status":"done"`}[tool.Name]
		check(tool, "{"+base+"}")
		if _, err := Decode(tool.Name, []byte("{"+base+"}")); err != nil {
			t.Error(err)
		}
		for _, key := range keys {
			for _, value := range values {
				check(tool, `{"`+key+`":`+value+`}`)
				if base != "" {
					check(tool, "{"+base+`,"`+key+`":`+value+"}")
				}
			}
		}
	}
}

// The list and its schemas are the caller's own.
func TestToolListIsFresh(t *testing.T) {
	tools := Tools()
	tools[0].Name, tools[0].InputSchema[0] = "spoilt", '['
	if again := Tools(); again[0].Name != ToolSetup || again[0].InputSchema[0] != '{' {
		t.Error("the list is shared")
	}
}
