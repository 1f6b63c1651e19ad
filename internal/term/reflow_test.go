package term

import (
	"strings"
	"testing"
)

func TestBlockReflowsProse(t *testing.T) {
	const text = "The API knows its callers by one shared key. Each caller\ngets one of its own.\n\n- an item of a list that is too wide for this\n- another\n\n```\nfunc main() { a long line of code stays as it is }\nreturn\n```\nShort\nlines."
	const want = `  The API knows its callers by one
  shared key. Each caller gets one of
  its own.

  - an item of a list that is too wide
  for this
  - another

  ` + "```" + `
  func main() { a long line of code
  stays as it is }
  return
  ` + "```" + `
  Short
  lines.
`
	p := Page{Columns: 38}
	p.Block(2, Plain, text)
	if got := p.String(); got != want {
		t.Errorf("at 38 columns:\n%s", got)
	}
	p = Page{}
	p.Block(0, Plain, text)
	if got := p.String(); got != text+"\n" {
		t.Errorf("in a pipe:\n%s", got)
	}
	p = Page{Columns: 30}
	p.Block(0, Plain, strings.Repeat("word ", 8)+" \nbroken by hand")
	if got := p.String(); !strings.Contains(got, "\nbroken by hand\n") {
		t.Errorf("a break that was asked for:\n%s", got)
	}
}
