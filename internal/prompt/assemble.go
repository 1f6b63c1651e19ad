package prompt

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// MaxPrompt is how many bytes a prompt may have with its parts, where these
// were put together by [Assemble].
const MaxPrompt = 200_000

// maxTildes is how long a row of tildes may be in a part: a fence must be
// longer, and stands there twice.
const maxTildes = 60

// closing comes after the material, whose last words are then not the last ones.
const closing = "\n\nThis is the end of the material. Now give the one JSON object that is asked for above, and nothing else.\n"

// Assemble puts the parts that are not empty below a prompt, as [Parts] does,
// each cut at the end of a line to the bytes that it may have. What is cut off is
// told in the part's title, to the model, and in cuts, to whoever asked.
func Assemble(prompt string, parts ...Part) (text string, cuts []string) {
	var shown []Part
	left := MaxPrompt - len(prompt) - len(closing)
	for _, p := range parts {
		left -= len(p.Title) + 2*maxTildes + 120 // with what is said of a cut
	}
	for _, p := range parts {
		p.Text = shorten(strings.ToValidUTF8(p.Text, "\ufffd"))
		if strings.TrimSpace(p.Text) == "" {
			continue
		}
		most := max(left, 0)
		if p.Max > 0 {
			most = min(most, p.Max)
		}
		if whole := len(p.Text); whole > most {
			p.Text = head(p.Text, most)
			cut := fmt.Sprintf("the first %d of %d bytes; the rest is left out", len(p.Text), whole)
			cuts = append(cuts, p.Title+": "+cut)
			p.Title += " (" + cut + ")"
			if p.Text == "" {
				p.Text = "(nothing of it)"
			}
		}
		left -= len(p.Text)
		shown = append(shown, p)
	}
	return prompt + Parts(shown...) + closing, cuts
}

// shorten cuts rows of tildes, which would make fences without bounds.
func shorten(text string) string {
	if !strings.Contains(text, strings.Repeat("~", maxTildes)) {
		return text
	}
	return regexp.MustCompile(fmt.Sprintf("~{%d,}", maxTildes)).ReplaceAllString(text, strings.Repeat("~", maxTildes-1))
}

// head gives the beginning of a text, whole lines if they are not very long.
func head(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	text = text[:most]
	if i := strings.LastIndexByte(text, '\n'); i >= most/2 {
		text = text[:i]
	}
	return text
}
