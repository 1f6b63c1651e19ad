package plan

import (
	"strings"
	"testing"
)

func TestSpanAndUnrecorded(t *testing.T) {
	const text = "---\nid: one # who\nstatus: done\nresult: |\n  It works.\n\n  Well.\nnotes:\n  - a\n# end\n---\n\nDo it.\n"
	d, _ := parseDocument(taskDoc, "tasks/01-one.md", []byte(text))
	for key, want := range map[string]string{"id": "id: one # who\n", "result": "result: |\n  It works.\n\n  Well.\n", "notes": "notes:\n  - a\n"} {
		if start, end, ok := d.Span(key); !ok || text[start:end] != want {
			t.Errorf("%s stands on %q, want %q", key, text[start:end], want)
		}
	}
	if _, _, ok := d.Span("title"); ok {
		t.Error("a field that is not set has lines")
	}
	if got := d.Unrecorded().Source; got != "---\nid: one # who\n# end\n---\n\nDo it.\n" {
		t.Errorf("without a record: %q", got)
	}
	flow, _ := parseDocument(taskDoc, "tasks/01-one.md", []byte("---\n{id: one, status: done}\n---\n\nDo it.\n"))
	if _, _, ok := flow.Span("id"); ok {
		t.Error("the fields of one `{…}` have no lines of their own")
	}
	if got := flow.Unrecorded().Source; got != "---\nid: one\n---\n\nDo it.\n" {
		t.Errorf("without a record: %q", got)
	}
}

func TestSummarize(t *testing.T) {
	const early, late = "2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z"
	rows := []struct{ box, one, two, want, not string }{
		{"", "status: done\nstarted_at: " + late + "\ncompleted_at: " + late + "\n", "status: skipped\nstarted_at: " + early + "\n", "status: done\nstarted_at: " + early + "\ncompleted_at: " + late + "\n", ""},
		{"status: done\ncompleted_at: " + late + "\n", "status: done\n", "", "status: in_progress\n", "completed_at"},
		{"status: in_progress\nstarted_at: " + early + "\n", "", "", "status: pending\n", "started_at"},
		{"status: cancelled\n", "status: cancelled\n", "status: cancelled\n", "status: cancelled\n", "completed_at"},
	}
	for _, row := range rows {
		p, _ := Read("auth", "", []File{
			{Path: "tasks/01-box.md", Data: []byte("---\nid: box\n" + row.box + "---\n\nDo it.\n")},
			{Path: "tasks/01-box/01-one.md", Data: []byte("---\nid: one\n" + row.one + "---\n\nDo it.\n")},
			{Path: "tasks/01-box/02-two.md", Data: []byte("---\nid: two\n" + row.two + "---\n\nDo it.\n")},
		})
		box := p.Task("box")
		if err := box.Summarize(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(box.Doc.Source, row.want) || row.not != "" && strings.Contains(box.Doc.Source, row.not) {
			t.Errorf("over %q and %q: %q, want %q", row.one, row.two, box.Doc.Source, row.want)
		}
		before := p.Task("one").Doc.Source
		if err := p.Task("one").Summarize(); err != nil || p.Task("one").Doc.Source != before {
			t.Error("a leaf was changed")
		}
	}
}
