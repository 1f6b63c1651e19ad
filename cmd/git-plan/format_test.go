package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/schema"
)

// docs/format.md names every event of history and every key of gates.yaml.
func TestFormatManualIsWhole(t *testing.T) {
	page := readRoot(t, "docs/format.md")
	words := eventWords()
	data, err := json.Marshal(schema.Gates())
	if err != nil {
		t.Fatal(err)
	}
	var gates struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(data, &gates); err != nil || len(gates.Properties) == 0 {
		t.Fatalf("the schema of gates.yaml has %d keys: %v", len(gates.Properties), err)
	}
	for key := range gates.Properties {
		words = append(words, key)
	}
	for _, word := range words {
		if !strings.Contains(page, "`"+word+"`") {
			t.Errorf("docs/format.md does not name `%s`", word)
		}
	}
}
