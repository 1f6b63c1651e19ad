package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// files makes a plan of paths and content in turn. A path that does not end in
// .md stands for the task tasks/<path>.md, and its content for the frontmatter.
func files(pairs ...string) *plan.Plan {
	list := []plan.File{}
	described := false
	for i := 0; i < len(pairs); i += 2 {
		name, text := pairs[i], pairs[i+1]
		if !strings.HasSuffix(name, ".md") {
			name, text = "tasks/"+name+".md", "---\n"+text+"\n---\nDo it.\n"
		}
		described = described || name == "plan.md"
		list = append(list, plan.File{Path: name, Data: []byte(text)})
	}
	if !described {
		list = append(list, plan.File{Path: "plan.md", Data: []byte("---\ntitle: A plan\n---\nWhy.\n")})
	}
	p, _ := plan.Read("demo", "", list)
	return p
}

// state is a side that holds a plan, or none.
func state(name string, p *plan.Plan) State {
	s := State{Name: name}
	if p != nil {
		s.Plans = []Entry{{ID: "demo", Plan: p}}
	}
	return s
}

func compare(before, after *plan.Plan) *Result {
	return Compare(state("old", before), state("new", after))
}

// brief writes what changed in tasks: "+a -b ~c(title,body) >d", then edges.
func brief(r *Result) string {
	var out []string
	for _, p := range r.Plans {
		var signals []string
		for _, f := range p.Fields {
			if id, ok := strings.CutPrefix(f.Name, signalPrefix); ok {
				signals = append(signals, "signal:"+id)
			} else {
				out = append(out, f.Name)
			}
		}
		for _, t := range p.Tasks {
			mark := map[Change]string{Added: "+", Removed: "-", Changed: "~", Moved: ">"}[t.Change]
			names := []string{}
			if t.Change == Changed {
				for _, f := range t.Fields {
					names = append(names, f.Name)
				}
				out = append(out, mark+t.ID+"("+strings.Join(names, ",")+")")
				continue
			}
			out = append(out, mark+t.ID)
		}
		out = append(out, signals...)
		for _, e := range p.Edges.Added {
			out = append(out, fmt.Sprintf("+%s>%s", e[0], e[1]))
		}
		for _, e := range p.Edges.Removed {
			out = append(out, fmt.Sprintf("-%s>%s", e[0], e[1]))
		}
		for _, path := range p.Spelling {
			out = append(out, "="+path)
		}
	}
	return strings.Join(out, " ")
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got  %q\n want %q", what, got, want)
	}
}
