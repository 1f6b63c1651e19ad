package plan

import (
	"slices"

	"github.com/git-plan/git-plan/plan/diag"
)

// Kind is the shape of a YAML value.
type Kind int

// The kinds of YAML values that frontmatter may hold.
const (
	Null Kind = iota
	String
	Int
	Float
	Bool
	List
	Map
)

// String names the kind as an error message would.
func (k Kind) String() string {
	return [...]string{"nothing", "a string", "an integer", "a number", "a boolean", "a list", "a mapping"}[k]
}

// Node is one YAML value with its place in the file. Nodes are values: two
// nodes are [Node.Equal] when they mean the same, wherever they stand.
type Node struct {
	Kind Kind
	// Text is the decoded scalar; for a null, an integer, a number or a
	// boolean it is what the file says.
	Text   string
	Items  []Node  // of a List
	Fields []Field // of a Map, in file order
	Pos    diag.Pos

	// start and end are the byte offsets of a scalar or flow list that stands
	// on one line of the document; end is 0 where it does not.
	start, end int
	// bracket is the byte offset of the one that ends a flow list, else 0.
	bracket int
}

// Field is one key of a mapping and its value.
type Field struct {
	Key    string
	KeyPos diag.Pos
	Value  Node

	// at is the byte offset of the key in the document, and end that of what comes
	// below the lines of a field of the frontmatter.
	at, end int
}

// Equal reports whether n and m hold the same value, positions and the
// spelling of null aside.
func (n Node) Equal(m Node) bool {
	return n.Kind == m.Kind && (n.Kind == Null || n.Text == m.Text) &&
		slices.EqualFunc(n.Items, m.Items, Node.Equal) && slices.EqualFunc(n.Fields, m.Fields, Field.Equal)
}

// Equal reports whether f and g set the same key to the same value.
func (f Field) Equal(g Field) bool { return f.Key == g.Key && f.Value.Equal(g.Value) }

// strings gives the text of the list's string items.
func (n Node) strings() []string {
	var out []string
	for _, it := range n.Items {
		if it.Kind == String {
			out = append(out, it.Text)
		}
	}
	return out
}
