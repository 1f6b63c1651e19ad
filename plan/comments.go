package plan

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// HasComments reports whether there are comments in the frontmatter.
func (d *Document) HasComments() bool {
	front := d.Source[d.front.start:d.front.end]
	return strings.Contains(front, "#") && slices.ContainsFunc(lexer.Tokenize(front), func(t *token.Token) bool {
		return t.Type == token.CommentType
	})
}
