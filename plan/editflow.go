package plan

import "strings"

// inFlow changes a field within a frontmatter that is one `{…}` with comments in
// it, which cannot be written anew: a value is put in the place of another, a new
// field first, and with v nil the field is taken out. It is nil where there is no
// such frontmatter, or no such place.
func (d *Document) inFlow(key string, v *Node) *Document {
	if !d.flow {
		return nil
	}
	if _, anew := d.Format(); anew {
		return nil
	}
	source, ok := d.flowSource(key, d.Field(key), v)
	if !ok {
		return nil
	}
	e, err := d.reparsed(key, source, v)
	if err != nil {
		return nil
	}
	return e
}

func (d *Document) flowSource(key string, f *Field, v *Node) (source string, ok bool) {
	switch {
	case f == nil:
		at := d.brace()
		return d.Source[:at] + emitFlow(key) + ": " + emitInline(*v) + ", " + strings.TrimLeft(d.Source[at:], " "), at > 0
	case f.Value.end == 0:
		return "", false
	case v != nil:
		return d.Source[:f.Value.start] + emitInline(*v) + d.Source[f.Value.end:], true
	}
	after := d.Source[f.Value.end:]
	if rest, more := strings.CutPrefix(strings.TrimLeft(after, " \n"), ","); more {
		return d.Source[:f.at] + strings.TrimLeft(rest, " "), true
	}
	before, last := strings.CutSuffix(strings.TrimRight(d.Source[:f.at], " \n"), ",")
	return before + after, last
}

// brace gives the byte offset behind the brace that the frontmatter begins with.
func (d *Document) brace() int {
	at := d.front.start
	for line := range strings.Lines(d.Source[at:d.front.end]) {
		text := strings.TrimLeft(line, " ")
		if strings.HasPrefix(text, "{") {
			return at + len(line) - len(text) + 1
		}
		if text != "\n" && !strings.HasPrefix(text, "#") {
			break
		}
		at += len(line)
	}
	return 0
}
