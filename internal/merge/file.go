package merge

import (
	"maps"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// FileResult is one merged file.
type FileResult struct {
	// Data is the file. With conflicts that of [File] has git's markers around what
	// the sides made differently, and only there; that of [OwnFile] has their lines
	// there, and is nil for a file that is not there.
	Data []byte
	// Conflicts are what the sides made differently; in a file that is none of a
	// plan's, all that differs is one.
	Conflicts []Conflict
}

// File merges one file of a store by its path there, as a merge driver is
// asked to: a plan's file field by field, anything else by line. A base that
// is empty stands for a file that both sides made. What only shows when a
// plan's files are seen together, such as a number given twice, is left to
// [Plans] and to the gate.
func File(path string, base, ours, theirs []byte) FileResult {
	id, within := inPlan(path)
	m := &merger{id: id}
	d := &docMerge{merger: m}
	for i, data := range [][]byte{base, ours, theirs} {
		doc := parse(within, string(data))
		if i == 0 && len(data) == 0 {
			continue
		}
		if doc == nil || !wellFormed(doc) {
			return byLine(id, base, ours, theirs)
		}
		*[]**plan.Document{&d.base, &d.ours, &d.theirs}[i] = doc
	}
	if signal, ok := strings.CutPrefix(within, "signals/"); ok && sameSignal(d.ours, d.theirs) {
		return FileResult{Data: []byte(m.oneSignal(strings.TrimSuffix(signal, ".md"), d.base, d.ours, d.theirs).Source)}
	}
	d.task = d.ours.Text("id")
	merged, conflicts := d.run(), m.conflicts
	if len(conflicts) == 0 {
		return FileResult{Data: []byte(merged.Source)}
	}
	a, b := d.decidedBy(Ours), d.decidedBy(Theirs)
	if len(m.conflicts) > len(conflicts) || a.Source == b.Source {
		return byLine(id, base, ours, theirs)
	}
	return FileResult{[]byte(markDifferences(a.Source, b.Source, label{ours: "ours", theirs: "theirs"})), conflicts}
}

// decidedBy gives the merged file with each conflict decided by one side.
func (d *docMerge) decidedBy(side Side) *plan.Document {
	by := *d
	by.want = maps.Clone(d.want)
	for _, c := range d.conflicts {
		if c.Field == "body" {
			by.body = mergeText(bodyOf(d.base), d.ours.Body, d.theirs.Body, side).text
		} else {
			by.want[c.Field] = node(d.on(side), c.Field)
		}
	}
	return by.realise()
}

// Files merges a plan's files one by one, as git does with [File] for its driver,
// and reports whether none of them conflicts.
func Files(id string, base, ours, theirs map[string][]byte) (map[string][]byte, bool) {
	merged := map[string][]byte{}
	for _, side := range []map[string][]byte{ours, theirs} {
		for name := range side {
			b, o, t := base[name], ours[name], theirs[name]
			switch {
			case sameData(o, t), sameData(b, t):
				t = o
			case sameData(b, o):
			case o == nil || t == nil:
				return nil, false
			default:
				r := File(id+"/"+name, b, o, t)
				if len(r.Conflicts) > 0 {
					return nil, false
				}
				t = r.Data
			}
			if t != nil {
				merged[name] = t
			}
		}
	}
	return merged, true
}

// inPlan splits a path of the store into the plan's id and the path within its
// folder; both are empty where it is in no plan.
func inPlan(path string) (id, within string) {
	parts := strings.Split(path, "/")
	if parts[0] == "archive" && len(parts) > 3 {
		parts = parts[2:]
	}
	if len(parts) < 2 || !plan.IsKebab(parts[0]) {
		return "", ""
	}
	return parts[0], strings.Join(parts[1:], "/")
}

func byLine(id string, base, ours, theirs []byte) FileResult {
	text := mergeText(string(base), string(ours), string(theirs), Neither)
	r := FileResult{Data: []byte(text.text)}
	if !text.clean {
		r.Conflicts = []Conflict{{Plan: id, Field: "text", Ours: text.ours, Theirs: text.theirs}}
	}
	return r
}

func bodyOf(d *plan.Document) string {
	if d == nil {
		return ""
	}
	return d.Body
}
