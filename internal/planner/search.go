package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/suggest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds on what a search gives: suggestions, and characters of their texts.
const (
	maxSuggestions = 50
	maxReason      = 300
)

// Search is what a model is told that looks for work.
type Search struct {
	// Plans hold the tasks that there are.
	Plans []*plan.Plan
	// Marks are what was found without a model.
	Marks   []suggest.Suggestion
	Project Project
}

// Question is the prompt.
func (s Search) Question() string {
	var tasks, marks []string
	for _, p := range s.Plans {
		for _, t := range p.All() {
			tasks = append(tasks, fmt.Sprintf("%s (%s)", diag.OneLine(t.Title(), 120), t.Status))
		}
	}
	for _, m := range s.Marks {
		marks = append(marks, fmt.Sprintf("%s:%d: %s", m.Path, m.Line, diag.OneLine(m.Title, 120)))
	}
	text, _ := prompt.Assemble(prompt.Text("suggest"), append([]prompt.Part{
		{Title: "Tasks there are", Text: prompt.Items(tasks), Max: 16_000},
		{Title: "What a search for marks found", Text: prompt.Items(marks), Max: 16_000},
	}, s.Project.parts()...)...)
	return text
}

// ReadSuggestions reads the answer to the prompt `suggest`. What is wrong with
// its form is told at once; whether the places are there is not looked at.
func ReadSuggestions(object []byte) ([]suggest.Suggestion, error) {
	var out []suggest.Suggestion
	err := llm.Decode(object, func(d *form.Decoder) []form.Key {
		return []form.Key{{Name: "suggestions", Required: true, Take: func(n plan.Node) {
			if n.Kind != plan.List {
				d.Wrong("suggestions", n, "a list")
				return
			}
			if len(n.Items) > maxSuggestions {
				d.Add(n.Pos, plan.RuleLimits, "keep the most useful", "there are %d suggestions, and %d are the most", len(n.Items), maxSuggestions)
				return
			}
			for _, it := range n.Items {
				out = append(out, readSuggestion(d, it))
			}
		}}}
	})
	return out, err
}

func readSuggestion(d *form.Decoder, n plan.Node) (s suggest.Suggestion) {
	if n.Kind != plan.Map {
		d.Wrong("a suggestion", n, "an object")
		return s
	}
	d.Object("a suggestion", n.Pos, n.Fields, []form.Key{
		d.Line("title", &s.Title).Must(), d.Word("type", &s.Type, types()).Must(), d.Line("path", &s.Path).Must(),
		d.Number("line", &s.Line, 0, -1).Must(), d.Filled("reason", &s.Reason).Must(),
	})
	s.Title, s.Reason = diag.OneLine(s.Title, suggest.MaxTitle), diag.OneLine(s.Reason, maxReason)
	return s
}

// types are the types that tasks have.
func types() []string {
	for _, f := range plan.TaskFields() {
		if f.Name == "type" {
			return f.Values
		}
	}
	return nil
}

// Real keeps the suggestions whose places are in the project, and says of how
// many that is not so. A line beyond the end of its file is none; a path is
// compared with names, and only a file of the project is read.
func (s *Sources) Real(ctx context.Context, found []suggest.Suggestion) (kept []suggest.Suggestion, made int, err error) {
	lines := map[string]int{}
	for _, f := range found {
		if !s.Has(f.Path) || len(s.there([]string{f.Path})) == 0 {
			made++
			continue
		}
		if _, known := lines[f.Path]; !known {
			text, err := s.Text(ctx, f.Path)
			var none *NoFileError
			if err != nil && !errors.As(err, &none) {
				return nil, 0, err
			}
			lines[f.Path] = strings.Count(text, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				lines[f.Path]++
			}
		}
		if f.Line > lines[f.Path] {
			made++
			continue
		}
		kept = append(kept, f)
	}
	return kept, made, nil
}

// Sample is what a model is shown that looks for work: the names of files and,
// with their lines numbered, what the first of those hold that are named and are
// text of the project's own, as far as there is room.
func (s *Sources) Sample(ctx context.Context, first []string) (Project, error) {
	p := Project{}
	p.Listing, p.Note = s.Listing(nil)
	seen := map[string]bool{}
	for _, name := range slices.Concat(first, s.Names) {
		if maxSample-p.size < 500 || len(seen) > 1000 {
			break
		}
		if seen[name] || !s.Has(name) || suggest.IsForeign(name) {
			continue
		}
		seen[name] = true
		text, err := s.Text(ctx, name)
		var none *NoFileError
		switch {
		case errors.As(err, &none) || strings.TrimSpace(text) == "":
			continue
		case err != nil:
			return p, err
		}
		p.Add(name, numbered(text), maxSample)
	}
	return p, nil
}

// numbered puts a number before each line of what of a text can be shown.
func numbered(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; b.Len() > 2*maxFile {
			b.WriteString("and more\n")
			break
		}
		fmt.Fprintf(&b, "%d\t%s\n", n, strings.TrimRight(line, "\r\n"))
	}
	return b.String()
}
