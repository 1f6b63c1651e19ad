// Package markdown makes HTML of the markdown that people and agents write in
// plans: headings, paragraphs, lists and checklists, quotations, code, tables,
// emphasis and links. Begin with [HTML], or
// [Line] for a text of one line.
//
// Nothing of the source becomes markup by itself: HTML in it is shown as text,
// a picture becomes a link, and only http and https links are links. The cost
// grows with the length of the source, whatever it holds, so that nobody can
// make a reader wait.
package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth bounds how deep quotations and lists nest; what is deeper is shown
// as a paragraph.
const maxDepth = 12

// maxMarks bounds how many marks of emphasis and links a block may have; what
// follows is text. Pairing them takes time that grows with their square.
const maxMarks = 500

// HTML gives the source as HTML, to stand in an element of a page.
func HTML(source string) string {
	source = strings.ReplaceAll(source, "\r\n", "\n")
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	tables := util.Prioritized(small{extension.NewTableParagraphTransformer()}, 200)
	w := &writer{source: []byte(source)}
	w.block(parse(w.source, parser.WithBlockParsers(blocks...), parser.WithParagraphTransformers(tables), parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0))))
	return w.b.String()
}

// Line gives a source of one line as HTML, without an element around it.
func Line(source string) string {
	w := &writer{source: []byte(strings.TrimSpace(source))}
	paragraph := parse(w.source, parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000))).FirstChild()
	if paragraph != nil {
		w.inlines(paragraph)
	}
	return w.b.String()
}

// parse reads a source. There is no parser of HTML, so that it is text, and
// none of definitions of links, which a page would not show.
func parse(source []byte, blocks ...parser.Option) ast.Node {
	m := &marks{}
	inlines := parser.WithInlineParsers(
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(few{parser.NewLinkParser(), m}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(few{parser.NewEmphasisParser(), m}, 500),
		util.Prioritized(few{extension.NewStrikethroughParser(), m}, 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)
	return parser.NewParser(append(blocks, inlines)...).Parse(text.NewReader(source))
}

// maxCells bounds the cells of a table, each row of which is as wide as its head; a
// larger one is shown as a paragraph.
const maxCells = 20_000

// small makes tables of paragraphs, up to [maxCells].
type small struct{ parser.ParagraphTransformer }

// Transform is for goldmark.
func (s small) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() < 2 {
		return
	}
	widest := 0
	for i := range min(2, lines.Len()) {
		line := lines.At(i)
		widest = max(widest, bytes.Count(line.Value(reader.Source()), []byte("|"))+1)
	}
	if widest*lines.Len() <= maxCells {
		s.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// shallow parses blocks that hold others, up to [maxDepth].
type shallow struct{ parser.BlockParser }

// Open is for goldmark.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// marks counts the marks of a block.
type marks struct {
	block ast.Node
	count int
}

// few parses marks in a text, up to [maxMarks].
type few struct {
	parser.InlineParser
	*marks
}

// Parse is for goldmark.
func (f few) Parse(block ast.Node, reader text.Reader, pc parser.Context) ast.Node {
	if f.block != block {
		f.block, f.count = block, 0
	}
	if f.count++; f.count > maxMarks {
		return nil
	}
	return f.InlineParser.Parse(block, reader, pc)
}

// CloseBlock is for goldmark.
func (f few) CloseBlock(parent ast.Node, reader text.Reader, pc parser.Context) {
	if c, ok := f.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, reader, pc)
	}
}
