package session

import (
	_ "embed"
	"encoding/json"
)

//go:embed tools.json
var toolList []byte

// Tool describes one of the tools to a model, in the form that a list of
// tools has in MCP. Every client pays for every word of it at every start.
type Tool struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// InputSchema is a JSON schema of the arguments. It says nothing of
	// lengths, since these count after trimming: [Decode] judges them, and
	// names all that is wrong.
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations Annotations     `json:"annotations"`
}

// Annotations are hints for who asks a person before a tool is called.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Tools lists the six tools in the order in which they are documented. The
// list is the caller's own.
func Tools() []Tool { return ReadTools(toolList) }

// ReadTools gives the tools of a list that is embedded in the program.
func ReadTools(list []byte) []Tool {
	var tools []Tool
	if err := json.Unmarshal(list, &tools); err != nil {
		panic("the embedded list of tools: " + err.Error()) // a test reads it
	}
	return tools
}

// Schema gives the schema of the tool's arguments.
func (t Tool) Schema() Schema {
	var s Schema
	if err := json.Unmarshal(t.InputSchema, &s); err != nil {
		panic("the schema of " + t.Name + ": " + err.Error()) // a test reads it
	}
	return s
}
