package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"github.com/git-plan/git-plan/plan/diag"
)

// maxRun is how many empty lines, and how many `<`, may follow each other where
// the lexer looks at all of them again for each.
const maxRun = 100

// tooManyAngles is one `<` too many; in quotes they do no harm.
const tooManyAngles = "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<" + "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<" + "<"

// runs refuses what makes the lexer's cost grow with the square of the text:
// empty lines behind a block of text, and `<` in a row.
func (b *yamlBlock) runs() *yamlFault {
	blocks := strings.ContainsAny(b.text, "|>")
	no, empty := b.firstLine, 0
	for line := range strings.Lines(b.text) {
		if empty++; strings.Trim(line, blanks) != "" {
			empty = 0
		}
		if blocks && empty > maxRun {
			return &yamlFault{rule: RuleLimits, message: fmt.Sprintf("more than %d empty lines in a row", maxRun),
				hint: "leave them out, or write the text in double quotes", pos: diag.Pos{Line: no, Column: 1}}
		}
		if i := strings.Index(line, tooManyAngles); i >= 0 {
			return &yamlFault{rule: RuleLimits, message: fmt.Sprintf("more than %d times `<` in a row", maxRun),
				hint: "shorten it", pos: diag.Pos{Line: no, Column: 1 + utf8.RuneCountInString(line[:i])}}
		}
		no++
	}
	return nil
}

// guard refuses, from the tokens alone, what the parser must not be shown:
// features that make a file mean more than it says, and sizes that make
// reading it expensive.
func (b *yamlBlock) guard(tokens token.Tokens) *yamlFault {
	var d depth
	keys, items := 0, 0
	for i, tk := range tokens {
		if what, hint := unsafeToken(tk); what != "" {
			return b.unsafeFrom(tk, what, hint, tokens[i+1:])
		}
		if tk.Type == token.InvalidType {
			return b.invalid(tk)
		}
		switch tk.Type {
		case token.MappingValueType:
			keys++
		case token.SequenceEntryType, token.CollectEntryType:
			items++
		}
		if keys > b.bounds.Keys {
			return b.fault(tk, RuleLimits, fmt.Sprintf("more than %d keys", b.bounds.Keys), "move data out of the "+b.what)
		}
		if b.bounds.Items > 0 && items > b.bounds.Items {
			return b.fault(tk, RuleLimits, fmt.Sprintf("more than %d items of lists", b.bounds.Items), "move data out of the "+b.what)
		}
		if d.see(tokens, i) > maxDepth {
			return b.fault(tk, RuleLimits, fmt.Sprintf("nested deeper than %d levels", maxDepth), "flatten the value")
		}
	}
	return nil
}

// unsafeFrom reports a feature that is not allowed together with those that
// follow it: each has to go.
func (b *yamlBlock) unsafeFrom(tk *token.Token, what, hint string, rest token.Tokens) *yamlFault {
	fault := b.fault(tk, RuleYAMLUnsafe, what, hint)
	for _, tk := range rest {
		if what, hint := unsafeToken(tk); what != "" && len(fault.more) < mostOfAKind-1 {
			fault.more = append(fault.more, *b.fault(tk, RuleYAMLUnsafe, what, hint))
		}
	}
	return fault
}

// invalid reports what the lexer could make nothing of. A tab in front of a line
// ends the token of the value above it, and is what is wrong: its own place is
// the lexer's.
func (b *yamlBlock) invalid(tk *token.Token) *yamlFault {
	fault := b.fault(tk, RuleFrontmatter, "bad YAML: "+invalidReason(tk), "")
	if strings.HasSuffix(tk.Origin, "\t") && tk.Position != nil {
		fault.pos = diag.Pos{Line: b.firstLine + tk.Position.Line - 1, Column: tk.Position.Column}
		fault.hint = "indent by spaces"
	}
	return fault
}

func invalidReason(tk *token.Token) string {
	if tk.Error != "" {
		return cut(tk.Error, widest)
	}
	return "unexpected " + strconv.Quote(shorten(tk.Value))
}

// unsafeToken names what is not allowed about tk, or "".
func unsafeToken(tk *token.Token) (what, hint string) {
	switch tk.Type {
	case token.TagType:
		return fmt.Sprintf("the YAML tag `%s`", shorten(tk.Value)), "quote the text if it is meant literally, or leave the tag out"
	case token.AnchorType:
		return "a YAML anchor (`&`)", "quote the text if it is meant literally, or write the value out"
	case token.AliasType:
		return "a YAML alias (`*`)", "quote the text if it is meant literally, or write the value out"
	case token.MergeKeyType:
		return "a YAML merge key (`<<`)", "write the keys out"
	case token.DirectiveType:
		return "a YAML directive (`%`)", "leave it out"
	case token.DocumentEndType:
		return "the end of a YAML document (`...`)", "keep one document between the fences"
	case token.DocumentHeaderType:
		return "a second YAML document (`---`)", "keep one document between the fences"
	}
	return "", ""
}

// depth follows how deeply values nest: flow collections by their brackets,
// block collections by the columns their entries begin at.
type depth struct {
	flow    int
	columns []int
}

func (d *depth) see(tokens token.Tokens, i int) int {
	tk := tokens[i]
	switch tk.Type {
	case token.SequenceStartType, token.MappingStartType:
		d.flow++
	case token.SequenceEndType, token.MappingEndType:
		d.flow = max(d.flow-1, 0)
	case token.SequenceEntryType:
		d.block(tk.Position.Column)
	case token.MappingValueType:
		if i > 0 {
			d.block(tokens[i-1].Position.Column)
		}
	}
	return d.flow + len(d.columns)
}

func (d *depth) block(column int) {
	if d.flow > 0 {
		return
	}
	for len(d.columns) > 0 && d.columns[len(d.columns)-1] > column {
		d.columns = d.columns[:len(d.columns)-1]
	}
	if len(d.columns) == 0 || d.columns[len(d.columns)-1] < column {
		d.columns = append(d.columns, column)
	}
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
