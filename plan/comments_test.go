package plan

import "testing"

func TestHasComments(t *testing.T) {
	for front, want := range map[string]bool{
		"id: a\n": false, "id: a # why\n": true, "# above\nid: a\n": true, "id: a\nresult: \"# no\"\n": false,
		"id: a\nresult: |\n  # heading\n  text\n": false, "id: a\nresult: a#b\n": false, "tags: [a, # one\n  b]\nid: a\n": true,
	} {
		p, _ := Read("p", "", []File{{Path: "tasks/01-a.md", Data: []byte("---\n" + front + "---\n\n# A\n")}})
		if got := p.Tasks[0].Doc.HasComments(); got != want {
			t.Errorf("%q: %v", front, got)
		}
	}
}
