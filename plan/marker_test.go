package plan

import (
	"slices"
	"strings"
	"testing"
)

func TestConflictMarkers(t *testing.T) {
	const fence = "```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n```\n"
	tests := []struct {
		name, text string
		lines      []int  // of the markers
		title      string // as our side has it
	}{
		{"none", "---\ntitle: A\n---\n\nx\n", nil, "A"},
		{"in the frontmatter", "---\n<<<<<<< ours\ntitle: A\n=======\ntitle: B\n>>>>>>> bob, 1a2b3c4\n---\n\nx\n", []int{2}, "A"},
		{"with the base between", "---\n<<<<<<< ours\ntitle: A\n||||||| base\ntitle: C\n=======\ntitle: B\n>>>>>>> theirs\n---\n\nx\n", []int{2}, "A"},
		{"two", "---\ntitle: A\n---\n\n<<<<<<< o\nx\n=======\ny\n>>>>>>> t\n\n<<<<<<< o\nx\n=======\n>>>>>>> t\n", []int{5, 11}, "A"},
		{"around the file", "<<<<<<< ours\n---\ntitle: A\n---\n\nx\n=======\n(removed by bob, 1a2b3c4)\n>>>>>>> bob, 1a2b3c4\n", []int{1}, "A"},
		{"around their file", "<<<<<<< ours\n(removed by me)\n=======\n---\ntitle: B\n---\n\nx\n>>>>>>> bob, 1a2b3c4\n", []int{1}, "B"},
		{"in fenced code", "---\ntitle: A\n---\n\n" + fence, nil, "A"},
		{"around fenced code", "---\ntitle: A\n---\n\n<<<<<<< o\n```\na\n```\n=======\n```\nb\n>>>>>>> t\n", []int{5}, "A"},
		{"without labels", "---\ntitle: A\n---\n\n<<<<<<<\nx\n=======\ny\n>>>>>>>\n", nil, "A"},
		{"a part of one", "---\ntitle: A\n---\n\n<<<<<<< o\nx\n=======\ny\n", nil, "A"},
		{"an underlined heading", "---\ntitle: A\n---\n\nx\n=======\n", nil, "A"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, found := Read("a", "", []File{{Path: "plan.md", Data: []byte(test.text)}})
			var lines []int
			for _, d := range found {
				if d.Rule == RuleConflictMarker {
					lines = append(lines, d.Pos.Line)
				} else {
					t.Errorf("found %v", d)
				}
			}
			if !slices.Equal(lines, test.lines) || p.Title() != test.title || p.Doc.Source != test.text {
				t.Errorf("markers in lines %v, want %v; title %q, want %q; source %q", lines, test.lines, p.Title(), test.title, p.Doc.Source)
			}
			if f := p.Doc.Field("title"); f == nil || strings.Split(test.text, "\n")[f.KeyPos.Line-1] != "title: "+test.title {
				t.Errorf("the title is said to be in line %v", f)
			}
		})
	}
}

// Our side of a text has the length of the text, and each of its lines where it was.
func FuzzConflictMarkers(f *testing.F) {
	f.Add("<<<<<<< a\n---\nid: x\n---\n=======\n>>>>>>> b\n")
	f.Add("---\n<<<<<<< a\nt: 1\n||||||| c\n=======\nt: 2\n>>>>>>> b\n---\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		markers, ours := markersIn(text)
		if len(ours) != len(text) || strings.Count(ours, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q became %q", text, ours)
		}
		for _, m := range markers {
			if !strings.Contains(text, m.Text) || m.Line < 1 || m.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: marker %+v", text, m)
			}
		}
		if len(markers) == 0 && ours != text {
			t.Fatalf("%q became %q", text, ours)
		}
	})
}
