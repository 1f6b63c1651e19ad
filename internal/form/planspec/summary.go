package planspec

import (
	"strconv"
	"strings"
	"unicode"
)

// stepLine reads the line of a step, and reports whether the line is one.
func (r *reader) stepLine(text string) bool {
	id, rest, ok := cutID(text)
	if !ok {
		return false
	}
	r.section = inSteps
	r.step = &Step{ID: id, Pos: r.at(text)}
	faults := 0
	readSummary(r.step, rest, func(off int, message, hint string) {
		if faults++; faults <= maxFaults {
			r.fail(r.at(rest[off:]), RuleSyntax, hint, "%s", message)
		}
	})
	r.place(r.step)
	return true
}

// place puts a step into the tree by its number.
func (r *reader) place(s *Step) {
	parent := parentID(s.ID)
	first, above := r.steps[s.ID], r.steps[parent]
	switch {
	case !isID(s.ID):
		r.fail(s.Pos, RuleID, "count from 1, without leading zeros", "%q is no number of a step", quoteShort(s.ID))
		return
	case first != nil:
		r.fail(s.Pos, RuleID, "give it a number of its own", "step %s is there twice, first on line %d", quoteShort(s.ID), first.Pos.Line)
		return
	case parent == "":
		r.plan.Steps = append(r.plan.Steps, s)
	case above != nil:
		above.Children = append(above.Children, s)
	default:
		r.fail(s.Pos, RuleID, "write step "+quoteShort(parent)+" above it, or give it another number",
			"step %s has no parent: no step %s stands above it", quoteShort(s.ID), quoteShort(parent))
	}
	r.steps[s.ID] = s // an orphan, too: its children have their parent
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

// parentID gives the number of the parent, empty for a step at the top.
func parentID(id string) string { return id[:max(0, strings.LastIndexByte(id, '.'))] }

// lastPart gives a step's number among its siblings.
func lastPart(id string) int {
	n, _ := parseCount(id[strings.LastIndexByte(id, '.')+1:])
	return n
}

// childID gives the number of the n-th child.
func childID(parent string, n int) string {
	if parent == "" {
		return strconv.Itoa(n)
	}
	return parent + "." + strconv.Itoa(n)
}

// maxFaults bounds how many faults of one line are told.
const maxFaults = 8

// readSummary reads what follows the number in a step's line. It calls fault with
// the offset of what is wrong.
func readSummary(s *Step, text string, fault func(off int, message, hint string)) {
	head, rest, more := cutBar(text)
	readHead(s, head)
	var result strings.Builder
	counted := false
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
		case counted:
			fault(at, "a second progress", "keep one")
		default:
			s.DoneCount, s.TotalCount, counted = done, total, true
		}
	}
	s.Result = result.String()
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
func readHead(s *Step, head string) {
	head = strings.TrimSpace(head)
	if i := lastArrow(head); i >= 0 {
		if names, ok := parseNames(head[i+len(outputArrow):]); ok {
			for _, name := range names {
				s.Outputs = append(s.Outputs, unescapeHead(name))
			}
			head = strings.TrimSpace(head[:i])
		}
	}
	if status, ok := cutStatus(head); ok {
		s.Status = status
		head = strings.TrimLeftFunc(head[len(status.Marker()):], unicode.IsSpace)
	}
	s.Name, s.Type, head = cutAnchor(head)
	s.Name = unescapeHead(unescapeLead(s.Name, leadsBracket))
	s.Description = unescapeHead(unescapeLead(head, leadsBracket))
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

// readBody takes a line of a step's body. It reports false for inputs that
// are no names, or too many, which it takes as a detail.
func readBody(s *Step, content string) bool {
	if after, ok := strings.CutPrefix(content, inputArrow); ok {
		names, ok := parseNames(after)
		if ok = ok && len(s.Inputs)+len(names) <= maxNames; ok {
			s.Inputs = append(s.Inputs, names...)
		} else {
			s.Detail = append(s.Detail, content)
		}
		return ok
	}
	s.Detail = append(s.Detail, unescapeLead(content, leadsInputs))
	return true
}
