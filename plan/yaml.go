package plan

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds on YAML, checked before the parser proper sees it: its cost grows
// with the square of the keys and, without a bound on depth, it can exhaust
// the stack, which no recover catches.
const (
	maxYAML  = 64 << 10
	maxKeys  = 256
	maxDepth = 16
)

// yamlBlock is a piece of a file that holds one YAML mapping.
type yamlBlock struct {
	text      string
	firstLine int  // line of the file that text begins on, 1-based
	offset    int  // byte offset of text in the document
	inFlow    bool // the mapping is written `{…}`
	places    map[*token.Token]place
	lines     []int // where each line begins, see lineStarts
	bounds    Bounds
	what      string // the text is, in messages
}

// Bounds limit what a YAML mapping may hold.
type Bounds struct {
	// Bytes, Keys and Items bound the text, and the keys and items of lists in it,
	// nested ones too; Items 0 is no bound.
	Bytes, Keys, Items int
}

func newYAMLBlock(text string, firstLine, offset int) *yamlBlock {
	return &yamlBlock{text: text, firstLine: firstLine, offset: offset, bounds: Bounds{Bytes: maxYAML, Keys: maxKeys}, what: "frontmatter"}
}

// yamlFault is a finding inside a YAML block. Its position is in the file.
type yamlFault struct {
	rule, message, hint string
	pos                 diag.Pos
	more                []yamlFault // that came with it
}

func (b *yamlBlock) fault(tk *token.Token, rule, message, hint string) *yamlFault {
	pos := diag.Pos{Line: b.firstLine, Column: 1}
	if tk != nil && tk.Position != nil {
		pos = b.pos(tk)
	}
	return &yamlFault{rule: rule, message: message, hint: hint, pos: pos}
}

// parseMapping reads the block as one mapping. A block of nothing but blanks
// and comments is an empty mapping.
func (b *yamlBlock) parseMapping() ([]Field, *yamlFault) {
	if len(b.text) > b.bounds.Bytes {
		hint := "move long text into the body"
		if b.what != "frontmatter" {
			hint = "split it"
		}
		return nil, b.fault(nil, RuleLimits, fmt.Sprintf("%s of %d bytes is over the limit of %d", b.what, len(b.text), b.bounds.Bytes), hint)
	}
	if fields, ok := b.flat(); ok {
		return fields, nil
	}
	return b.parse()
}

// parse reads the block by the YAML parser.
func (b *yamlBlock) parse() (fields []Field, fault *yamlFault) {
	// The parser is not ours: a panic in it is a fault of the file, with the
	// best position we have.
	defer func() {
		if r := recover(); r != nil {
			fields, fault = nil, b.fault(nil, RuleFrontmatter, "this YAML cannot be read", "simplify it: plain keys, strings and lists")
		}
	}()
	if fault := b.runs(); fault != nil {
		return nil, fault
	}
	tokens := lexer.Tokenize(b.text)
	if n := len(tokens); n > 0 && tokens[n-1].Type == token.InvalidType && strings.HasSuffix(b.text, "\n\n") {
		// The lexer stumbles over blank lines at the end, below `|2`: they
		// must not be the end.
		text := b.text + "#\n"
		if again := lexer.Tokenize(text); again[len(again)-1].Type == token.CommentType {
			b.text, tokens = text, again
		}
	}
	found := b.find(tokens)
	if fault := b.guard(tokens); fault != nil {
		return nil, fault
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, b.syntaxFault(err)
	}
	if !found { // never seen where parsing went well; an edit would go astray
		return nil, b.fault(nil, RuleFrontmatter, "this YAML cannot be read", "simplify it: plain keys, strings and lists")
	}
	fields, fault = b.mapping(file)
	if !b.inFlow {
		b.setEnds(fields, tokens)
	}
	return fields, fault
}

func (b *yamlBlock) mapping(file *ast.File) ([]Field, *yamlFault) {
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			return nil, b.fault(doc.Body.GetToken(), RuleYAMLUnsafe, "a second YAML document", "keep one document between the fences")
		}
		body = doc.Body
	}
	switch n := body.(type) {
	case nil, *ast.CommentGroupNode, *ast.NullNode:
		return nil, nil
	case *ast.MappingNode:
		b.inFlow = n.IsFlowStyle
		return b.fields(n.Values)
	case *ast.MappingValueNode:
		return b.fields([]*ast.MappingValueNode{n})
	default:
		return nil, b.fault(body.GetToken(), RuleFrontmatter, "expected `key: value` lines", "write a mapping, one `key: value` a line")
	}
}

// syntaxFault places an error of the parser. Its text comes with a source
// excerpt over several lines: only the message proper is kept.
func (b *yamlBlock) syntaxFault(err error) *yamlFault {
	var at interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if !errors.As(err, &at) {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return b.fault(nil, RuleFrontmatter, "bad YAML: "+cut(first, widest), "")
	}
	return b.fault(at.GetToken(), RuleFrontmatter, "bad YAML: "+cut(at.GetMessage(), widest), "")
}

func (b *yamlBlock) fields(values []*ast.MappingValueNode) ([]Field, *yamlFault) {
	fields := make([]Field, 0, len(values))
	for _, v := range values {
		tk := v.Key.GetToken()
		if tk.Type == token.MappingKeyType {
			return nil, b.fault(tk, RuleFrontmatter, "an explicit `?` key", "write `key: value`")
		}
		if tk.Type == token.StringType && strings.Contains(tk.Value, "\n") { // the library makes one up where none is written below a block of text
			return nil, b.fault(tk, RuleFrontmatter, "a key is missing", "write `key: value`")
		}
		value, fault := b.node(v.Value)
		if fault != nil {
			return nil, fault
		}
		fields = append(fields, Field{Key: tk.Value, KeyPos: b.pos(tk), Value: value, at: b.places[tk].at})
	}
	return fields, nil
}

func (b *yamlBlock) node(n ast.Node) (Node, *yamlFault) {
	switch n := n.(type) {
	case nil:
		return Node{Kind: Null}, nil
	case *ast.MappingNode:
		return b.mapNode(n.GetToken(), n.Values)
	case *ast.MappingValueNode:
		return b.mapNode(n.Key.GetToken(), []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		return b.listNode(n)
	case *ast.LiteralNode:
		return Node{Kind: String, Text: n.Value.Value, Pos: b.pos(n.GetToken())}, nil
	case *ast.NullNode:
		return b.scalar(Null, n.GetToken()), nil
	case *ast.IntegerNode:
		return b.scalar(Int, n.GetToken()), nil
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return b.scalar(Float, n.GetToken()), nil
	case *ast.BoolNode:
		return b.scalar(Bool, n.GetToken()), nil
	case *ast.StringNode:
		tk := n.GetToken()
		if tk.Type == token.StringType && isDecimal(tk.Value) {
			return b.scalar(Int, tk), nil
		}
		s := b.scalar(String, tk)
		s.Text = n.Value
		return s, nil
	default:
		return Node{}, b.fault(n.GetToken(), RuleFrontmatter, "a value of a kind that frontmatter does not hold", "use strings, numbers, booleans and lists")
	}
}

func (b *yamlBlock) mapNode(tk *token.Token, values []*ast.MappingValueNode) (Node, *yamlFault) {
	fields, fault := b.fields(values)
	node := Node{Kind: Map, Fields: fields, Pos: b.pos(tk)}
	if len(fields) > 0 && tk.Type != token.MappingStartType {
		node.Pos = fields[0].KeyPos
	}
	return node, fault
}

func (b *yamlBlock) listNode(n *ast.SequenceNode) (Node, *yamlFault) {
	node := Node{Kind: List, Items: make([]Node, 0, len(n.Values)), Pos: b.pos(n.GetToken())}
	for _, v := range n.Values {
		item, fault := b.node(v)
		if fault != nil {
			return Node{}, fault
		}
		if !item.Pos.IsValid() {
			item.Pos = node.Pos
		}
		node.Items = append(node.Items, item)
	}
	first, last := b.places[n.Start], b.places[n.End]
	if n.IsFlowStyle {
		node.bracket = last.at
	}
	if node.bracket > 0 && first.pos.Line == last.pos.Line {
		node.start, node.end = first.at, last.at+1
	}
	return node, nil
}

// scalar makes the node of a one-token value and finds the bytes it stands on.
func (b *yamlBlock) scalar(kind Kind, tk *token.Token) Node {
	node := Node{Kind: kind, Text: strings.TrimSpace(tk.Value), Pos: b.pos(tk)}
	if kind == String {
		node.Text = tk.Value
	}
	p, ok := b.places[tk]
	if !ok {
		return node
	}
	if n := scalarLength(b.text[p.at-b.offset:], tk); n > 0 {
		node.start, node.end = p.at, p.at+n
	}
	return node
}

// scalarLength measures the scalar at the beginning of text, if it is the
// token's and ends on the same line; else 0. White space of other scripts is text.
func scalarLength(text string, tk *token.Token) int {
	n := 0
	switch tk.Type {
	case token.SingleQuoteType:
		n = quotedLength(text, '\'')
	case token.DoubleQuoteType:
		n = quotedLength(text, '"')
	default:
		if raw := strings.Trim(tk.Origin, " \t\n"); strings.HasPrefix(text, raw) {
			n = len(raw)
		}
	}
	if strings.Contains(text[:n], "\n") {
		return 0
	}
	return n
}

// quotedLength gives the length of the quoted scalar that text begins with,
// quotes included, or 0 if it does not begin or end there.
func quotedLength(text string, quote byte) int {
	if text == "" || text[0] != quote || quote != '"' && quote != '\'' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

// ReadMapping reads an entire file as one strict YAML mapping, under the same
// guards as frontmatter; bounds that are 0 are those of frontmatter. Findings name
// path and come without severity; where there is one that prevents reading, the
// fields are nil.
func ReadMapping(path string, data []byte, bounds Bounds) ([]Field, []diag.Diagnostic) {
	b := newYAMLBlock(string(Normalize(data)), 1, 0)
	b.what = "file"
	b.bounds = Bounds{cmp.Or(bounds.Bytes, maxYAML), cmp.Or(bounds.Keys, maxKeys), bounds.Items}
	d := &Document{Path: path, Source: b.text}
	r := &reporter{}
	if r.encoding(d) < 0 {
		fields, fault := b.parseMapping()
		if fault != nil {
			r.addFault(fault)
		}
		d.Fields = fields
		r.nestedDuplicates(Node{Fields: fields})
	}
	for i := range r.found {
		r.found[i].Path = path
	}
	return d.Fields, r.found
}
