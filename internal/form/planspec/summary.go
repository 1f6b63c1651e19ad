package planspec

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/internal/form"
)

// stepLine reads the line of a step, and reports whether the line is one.
func (r *reader) stepLine(text string) bool {
	id, rest, ok := cutID(text)
	if !ok {
		return false
	}
	r.section = inSteps
	r.step.end()
	it := &form.Item{Number: id, Pos: r.at(text)}
	r.step = body{item: it}
	faults := 0
	readSummary(it, rest, func(off int, message, hint string) {
		if faults++; faults <= maxFaults {
			r.fail(r.at(rest[off:]), RuleSyntax, hint, "%s", message)
		}
	})
	r.place(it)
	return true
}

// place puts a step into the tree by its number.
func (r *reader) place(it *form.Item) {
	up := form.Above(it.Number)
	first, above := r.steps[it.Number], r.steps[up]
	switch {
	case !isID(it.Number):
		r.fail(it.Pos, RuleID, "count from 1, without leading zeros", "%q is no number of a step", quoteShort(it.Number))
		return
	case first != nil:
		r.fail(it.Pos, RuleID, "give it a number of its own", "step %s is there twice, first on line %d", quoteShort(it.Number), first.Pos.Line)
		return
	case up == "":
		r.plan.Items = append(r.plan.Items, it)
	case above != nil:
		above.Children = append(above.Children, it)
	default:
		r.fail(it.Pos, RuleID, "write step "+quoteShort(up)+" above it, or give it another number",
			"step %s has no parent: no step %s stands above it", quoteShort(it.Number), quoteShort(up))
	}
	r.steps[it.Number] = it // an orphan, too: its children have their parent
}

// cutID reads a step's number, such as "2.1.", at the beginning of text, and
// gives what follows.
func cutID(text string) (id, rest string, ok bool) {
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	id, rest = text[:end], text[end:]
	if rest != "" && rest[0] != '[' && strings.TrimLeftFunc(rest, unicode.IsSpace) == rest {
		return "", text, false
	}
	id, ok = strings.CutSuffix(id, ".")
	if !ok || id == "" || id[0] == '.' || strings.HasSuffix(id, ".") || strings.Contains(id, "..") {
		return "", text, false
	}
	return id, rest, true
}

// isID reports whether id is the number of a step. Each part is short enough
// for an int.
func isID(id string) bool {
	for part := range strings.SplitSeq(id, ".") {
		if _, ok := parseCount(part); !ok || len(part) > 1 && part[0] == '0' {
			return false
		}
	}
	return true
}

// maxFaults bounds how many faults of one line are told: to find the place of each
// takes time that grows with the line.
const maxFaults = 8

// readSummary reads what follows the number in a step's line. It calls fault with
// the offset of what is wrong.
func readSummary(it *form.Item, text string, fault func(off int, message, hint string)) {
	head, rest, more := cutBar(text)
	readHead(it, head)
	var result strings.Builder
	once := false
	for more {
		var part string
		at := len(text) - len(rest)
		part, rest, more = cutBar(rest)
		segment := strings.TrimSpace(part)
		if !leadsProgress(segment) {
			addResult(&result, unescapeLead(segment, leadsProgress))
			continue
		}
		at += strings.Index(part, segment)
		done, total, ok := parseProgress(segment[len(progressWord):])
		switch {
		case !ok:
			fault(at, "progress is a count, N or N/M", "write "+progressWord+" 3/5, or `\\` before it if it is part of the result")
			addResult(&result, segment)
		case once:
			fault(at, "a second progress", "keep one")
		default:
			counted(it, done, total)
			once = true
		}
	}
	say(it, "result", result.String())
}

// addResult adds a segment to a result.
func addResult(result *strings.Builder, segment string) {
	if segment == "" {
		return
	}
	if result.Len() > 0 {
		result.WriteString(" | ")
	}
	result.WriteString(unescapeBars(segment))
}

// readHead reads what stands before the first bar.
func readHead(it *form.Item, head string) {
	head = strings.TrimSpace(head)
	if i := lastArrow(head); i >= 0 {
		if names, ok := parseNames(head[i+len(outputArrow):]); ok {
			for j := range names {
				names[j] = unescapeHead(names[j])
			}
			it.Say("outputs", names)
			head = strings.TrimSpace(head[:i])
		}
	}
	if status, ok := cutStatus(head); ok {
		mark(it, status)
		head = strings.TrimLeftFunc(head[len(status.Marker):], unicode.IsSpace)
	}
	name, typ, head := cutAnchor(head)
	say(it, "step_name", unescapeHead(unescapeLead(name, leadsBracket)))
	say(it, "kind", typ)
	say(it, "title", unescapeHead(unescapeLead(head, leadsBracket)))
}

// cutAnchor reads the type, and the name that may stand before it.
func cutAnchor(text string) (name, typ, rest string) {
	if typ, rest, ok := cutType(text); ok {
		return "", typ, strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	if i := strings.IndexFunc(text, unicode.IsSpace); i > 0 && isName(text[:i]) {
		if typ, rest, ok := cutType(strings.TrimLeftFunc(text[i:], unicode.IsSpace)); ok {
			return text[:i], typ, strings.TrimLeftFunc(rest, unicode.IsSpace)
		}
	}
	return "", "", text
}

// parseProgress reads "N" or "N/M".
func parseProgress(text string) (done int, total *int, ok bool) {
	n, m, known := strings.Cut(text, "/")
	done, ok = parseCount(strings.TrimSpace(n))
	if known && ok {
		var of int
		of, ok = parseCount(strings.TrimSpace(m))
		total = &of
	}
	return done, total, ok
}

// maxCount is the most that a count or a part of a number may be.
const maxCount = 999_999_999

func parseCount(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err == nil && n <= maxCount
}

// body is a step whose body is being read.
type body struct {
	item           *form.Item // nil where there is none
	inputs, detail []string
}

// line takes a line of the body. It reports false for inputs that are no names,
// or too many, which it takes as a detail.
func (b *body) line(content string) bool {
	after, ok := strings.CutPrefix(content, inputArrow)
	if !ok {
		b.detail = append(b.detail, unescapeLead(content, leadsInputs))
		return true
	}
	names, ok := parseNames(after)
	if ok = ok && len(b.inputs)+len(names) <= maxNames; ok {
		b.inputs = append(b.inputs, names...)
	} else {
		b.detail = append(b.detail, content)
	}
	return ok
}

// end gives the step what was read, and gives the body of none.
func (b *body) end() (none body) {
	if b.item != nil {
		b.item.Say("inputs", b.inputs)
		SetDetail(b.item, b.detail)
	}
	return none
}
