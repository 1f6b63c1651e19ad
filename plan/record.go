package plan

import "slices"

// Span gives the range of bytes of Source that are the whole lines of a field,
// its line feed included, and whether the field has such lines.
func (d *Document) Span(key string) (start, end int, ok bool) {
	f := d.Field(key)
	if f == nil || d.flow {
		return 0, 0, false
	}
	e := d.extent(f)
	return e.start, e.end, true
}

// Unrecorded gives the document without the fields that record what happened:
// what was planned, before anybody worked on it. Where a field cannot be taken
// out it stays.
func (d *Document) Unrecorded() *Document {
	for _, spec := range specs(d.kind) {
		if !spec.Runtime {
			continue
		}
		if next, err := d.Delete(spec.Name); err == nil {
			d = next
		}
	}
	return d
}

// Summarize brings a container's status up to date with its children, stamped
// with the first start and the last completion among them. A status that
// follows from the children's already is left as it is written.
func (t *Task) Summarize() error {
	if len(t.Children) == 0 || !stale(t) {
		return nil
	}
	want := derivedStatus(t)
	e := t.edit()
	e.set("status", string(want))
	if want == Pending {
		e.drop("started_at")
	} else if !t.Doc.Has("started_at") {
		e.set("started_at", t.stamp("started_at", slices.Min[[]string]))
	}
	if want == Done {
		e.set("completed_at", t.stamp("completed_at", slices.Max[[]string]))
	} else {
		e.drop("completed_at")
	}
	return e.done()
}

// Decide skips what a decision leaves over: beside a done alternative the
// unsettled ones, with what is below them, as of when that one was done. It gives
// them, none where t is no decision or nothing is left over.
func (t *Task) Decide() (skipped []*Task, err error) {
	done := slices.IndexFunc(t.Children, func(c *Task) bool { return c.Status == Done })
	if t.Kind != "decide" || done < 0 {
		return nil, nil
	}
	t.walk(func(u *Task) {
		if u != t && !u.Status.Settled() && !t.Children[done].IsAncestorOf(u) {
			skipped = append(skipped, u)
		}
	})
	for _, u := range skipped {
		e := u.edit()
		e.set("status", string(Skipped))
		e.set("completed_at", t.Children[done].Doc.Text("completed_at"))
		e.drop("lease_until")
		if err := e.done(); err != nil {
			return nil, err
		}
	}
	return skipped, nil
}

// stamp gives one of the children's times by choose, or "".
func (t *Task) stamp(key string, choose func([]string) string) string {
	var times []string
	for _, c := range t.Children {
		if at, err := ParseTime(c.Doc.Text(key)); err == nil {
			times = append(times, FormatTime(at))
		}
	}
	if len(times) == 0 {
		return ""
	}
	return choose(times)
}
