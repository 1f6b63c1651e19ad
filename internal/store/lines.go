package store

import (
	"context"
	"iter"
)

// GraphLine is a line of a drawing of history.
type GraphLine struct {
	// Art is the drawing on the line.
	Art string
	// Revision is what stands on the line, or nil where lines only go on. It has
	// no changes where a commit changed no plan, such as some merges.
	Revision *Revision
	// Joins says that lines of history come together in the revision.
	Joins bool
}

// Graph draws the revisions of a plan, or of all plans for "", with the lines of
// history that they stand on, newest first; at most limit of them, or all for 0.
// What a revision did is worked out when its line is visited. An error ends it.
func (s *Snapshot) Graph(ctx context.Context, id string, limit int) iter.Seq2[GraphLine, error] {
	return func(yield func(GraphLine, error) bool) {
		if !s.Exists() {
			return
		}
		if err := s.draw(ctx, id, limit, yield); err != nil {
			yield(GraphLine{}, err)
		}
	}
}

// draw visits the lines of a drawing.
func (s *Snapshot) draw(ctx context.Context, id string, limit int, yield func(GraphLine, error) bool) error {
	var paths []string
	if id != "" {
		paths = []string{id, ":(top,glob)" + Archive + "/*/" + id + "/**"}
	}
	lines, err := s.repo.Store.Graph(ctx, s.Commit, limit, paths...)
	if err != nil {
		return err
	}
	h := &Revisions{historian: historian{repo: s.repo, id: id, latest: map[string]loaded{}}}
	for _, l := range lines {
		if l.Step.Commit != "" {
			h.steps = append(h.steps, l.Step)
		}
	}
	passages, err := h.passagesOf(ctx, 0, len(h.steps))
	if err != nil {
		return err
	}
	known := map[string]passage{}
	for _, p := range passages {
		known[p.step.Commit] = p
	}
	for _, l := range lines {
		line := GraphLine{Art: l.Art, Joins: l.Merge}
		if l.Step.Commit != "" {
			p := known[l.Step.Commit]
			p.step = l.Step
			rev, err := h.revision(ctx, p)
			if err != nil {
				return err
			}
			line.Revision = &rev
		}
		if !yield(line, nil) {
			return nil
		}
	}
	return nil
}
