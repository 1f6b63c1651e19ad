package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// FileResult is one merged file.
type FileResult struct {
	// Data is the file. With conflicts it has git's markers around what the
	// sides made differently, and only there.
	Data []byte
	// Conflicts are what the markers stand around; for a file that is none of
	// a plan's, its whole text is one.
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
	f := fileMerge{docMerge: docMerge{merger: m}}
	for i, data := range [][]byte{base, ours, theirs} {
		doc := parse(within, string(data))
		if i == 0 && len(data) == 0 {
			continue
		}
		if doc == nil || !wellFormed(doc) {
			return byLine(id, base, ours, theirs)
		}
		*[]**plan.Document{&f.base, &f.ours, &f.theirs}[i] = doc
	}
	f.task = f.ours.Text("id")
	text, ok := f.marked(within)
	if !ok {
		return byLine(id, base, ours, theirs)
	}
	return FileResult{[]byte(text), m.conflicts}
}

// Files merges a plan's files one by one, as git does with [File] for its driver,
// and reports whether none of them conflicts.
func Files(id string, base, ours, theirs map[string][]byte) (map[string][]byte, bool) {
	merged := map[string][]byte{}
	for _, side := range []map[string][]byte{ours, theirs} {
		for name := range side {
			b, inBase := base[name]
			o, inOurs := ours[name]
			t, inTheirs := theirs[name]
			was, here, there := blob{b, inBase}, blob{o, inOurs}, blob{t, inTheirs}
			switch {
			case here.equal(there), was.equal(there):
				there = here
			case was.equal(here):
			case !inOurs || !inTheirs:
				return nil, false
			default:
				r := File(id+"/"+name, b, o, t)
				if len(r.Conflicts) > 0 {
					return nil, false
				}
				there.data = r.Data
			}
			if there.there {
				merged[name] = there.data
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

// fileMerge is the merge of one file that shows its conflicts.
type fileMerge struct{ docMerge }

// marked gives the merged file, with markers where there are conflicts. It
// fails where those cannot be placed.
func (f *fileMerge) marked(within string) (text string, ok bool) {
	if strings.HasPrefix(within, "signals/") && f.ours.Text("task") == f.theirs.Text("task") && f.ours.Text("source") == f.theirs.Text("source") {
		id := strings.TrimSuffix(strings.TrimPrefix(within, "signals/"), ".md")
		d := f.oneSignal(id, f.base, f.ours, f.theirs)
		return d.Source, len(f.conflicts) == 0
	}
	if f.trivial() {
		return f.run().Source, true
	}
	f.decide()
	for _, c := range f.conflicts { // a field needs lines to put markers around
		if f.want[c.Field] == nil {
			f.want[c.Field] = cmp.Or(node(f.theirs, c.Field), node(f.ours, c.Field))
		}
	}
	delete(f.want, "body")
	decided := len(f.conflicts)
	doc := f.realise()
	if len(f.conflicts) > decided {
		return "", false
	}
	return f.withMarkers(doc)
}

func (f *fileMerge) trivial() bool {
	return f.ours.Source == f.theirs.Source || f.base != nil && (f.base.Source == f.ours.Source || f.base.Source == f.theirs.Source)
}

// withMarkers puts both sides' lines in place of each field that is a
// conflict.
func (f *fileMerge) withMarkers(doc *plan.Document) (text string, ok bool) {
	type splice struct {
		start, end int
		text       string
	}
	var splices []splice
	head := len(doc.Source) - len(doc.Body)
	for _, c := range f.conflicts {
		if c.Field == "body" {
			body := mergeText(bodyOf(f.base), f.ours.Body, f.theirs.Body, Neither)
			splices = append(splices, splice{head, len(doc.Source), body.text})
			continue
		}
		start, end, found := doc.Span(c.Field)
		if !found {
			return "", false
		}
		splices = append(splices, splice{start, end, marked(fieldLines(f.ours, c.Field), fieldLines(f.theirs, c.Field))})
	}
	slices.SortFunc(splices, func(a, b splice) int { return b.start - a.start })
	text = doc.Source
	for _, s := range splices {
		text = text[:s.start] + s.text + text[s.end:]
	}
	return text, true
}

func bodyOf(d *plan.Document) string {
	if d == nil {
		return ""
	}
	return d.Body
}

func fieldLines(d *plan.Document, key string) string {
	start, end, ok := d.Span(key)
	if !ok {
		return ""
	}
	return d.Source[start:end]
}
