package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schema is what the schemas of the tools use of JSON Schema.
type schema struct {
	Type       any               `json:"type"` // a word, or a list of them
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []string          `json:"enum"`
	Items      *schema           `json:"items"`
}

// faults says what is wrong with the arguments of a call. What is within the
// objects of a list is for the command to judge, which knows more of it.
func (s schema) faults(args arguments) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(args)) {
		p, ok := s.Properties[key]
		if !ok {
			out = append(out, fmt.Sprintf("%.60q: unknown: %s", key, s.allowed()))
		} else if why := p.fault(args[key]); why != "" {
			out = append(out, key+": "+why)
		}
	}
	for _, key := range s.Required {
		if args[key] == nil {
			out = append(out, key+": missing: it is required")
		}
	}
	return out
}

// allowed says what arguments there are.
func (s schema) allowed() string {
	if len(s.Properties) == 0 {
		return "the tool takes no arguments"
	}
	return "leave it out; what may stand here is " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
}

// fault says why a value does not fit, and what to do.
func (s schema) fault(raw json.RawMessage) string {
	var text string
	var yes bool
	var list []json.RawMessage
	switch s.Type {
	case "string":
		if json.Unmarshal(raw, &text) != nil {
			return "not a text: send a string"
		}
		if s.Enum != nil && !slices.Contains(s.Enum, text) {
			return fmt.Sprintf("%.60q is none: give %s", text, strings.Join(s.Enum, ", "))
		}
	case "boolean":
		if json.Unmarshal(raw, &yes) != nil {
			return "neither true nor false: send one of these"
		}
	case "array":
		if json.Unmarshal(raw, &list) != nil {
			return "not a list: send [...]"
		}
		for i, item := range list {
			if why := s.Items.fault(item); why != "" {
				return fmt.Sprintf("item %d: %s", i+1, why)
			}
		}
	}
	return ""
}
