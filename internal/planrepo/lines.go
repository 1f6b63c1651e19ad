package planrepo

import (
	"context"

	"github.com/git-plan/git-plan/gitstore"
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
func (s *Snapshot) Graph(ctx context.Context, id string, limit int) ([]GraphLine, error) {
	if !s.Exists() {
		return nil, nil
	}
	var paths []string
	if id != "" {
		paths = []string{id, ":(top,glob)" + Archive + "/*/" + id + "/**"}
	}
	drawn, err := s.repo.Store.Graph(ctx, s.Commit, limit, paths...)
	if err != nil {
		return nil, err
	}
	h := &Revisions{historian: historian{repo: s.repo, id: id, latest: map[string]loaded{}}}
	for _, l := range drawn {
		if l.Step.Commit != "" {
			h.steps = append(h.steps, l.Step)
		}
	}
	passages, err := h.passagesOf(ctx, 0, len(h.steps))
	if err != nil {
		return nil, err
	}
	known := map[string]passage{}
	for _, p := range passages {
		known[p.step.Commit] = p
	}
	return h.drawn(ctx, drawn, known)
}

// drawn puts revisions on the lines.
func (h *Revisions) drawn(ctx context.Context, lines []gitstore.GraphLine, known map[string]passage) ([]GraphLine, error) {
	var out []GraphLine
	for _, l := range lines {
		line := GraphLine{Art: l.Art, Joins: l.Merge}
		if l.Step.Commit != "" {
			p := known[l.Step.Commit]
			p.step = l.Step
			rev, err := h.revision(ctx, p)
			if err != nil {
				return nil, err
			}
			line.Revision = &rev
		}
		out = append(out, line)
	}
	return out, nil
}
