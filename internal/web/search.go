package web

import (
	"context"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// maxWords bounds what is kept of a plan for searches, in bytes.
const maxWords = 64 << 10

// queryOf splits what a person looks for into words, at most eight.
func queryOf(text string) []string {
	words := strings.Fields(strings.ToLower(text[:min(len(text), 200)]))
	return words[:min(len(words), 8)]
}

// hasAll reports whether a lower-case text holds every word.
func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// taskWords is what a search looks at of a task.
func taskWords(t *plan.Task) string {
	parts := append([]string{t.ID, t.Title(), t.Doc.Text("agent"), t.Doc.Text("executed_by")}, t.Doc.List("tags")...)
	return strings.ToLower(strings.Join(parts, " "))
}

// planWords is what a search looks at of a plan.
func planWords(p *plan.Plan) string {
	var b strings.Builder
	for _, text := range append([]string{p.ID, p.Title(), p.Goal()}, p.Doc.List("tags")...) {
		b.WriteString(strings.ToLower(text) + "\n")
	}
	for _, t := range p.All() {
		if b.Len() > maxWords {
			break
		}
		b.WriteString(taskWords(t) + "\n")
	}
	text := b.String()
	return text[:min(len(text), maxWords)]
}

// wordsOf gives what a search looks at of a plan; known is false while its tasks
// were not read.
func (r *reader) wordsOf(s store.Summary) (text string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, known = r.words[s.Tree]; known {
		return text, true
	}
	return strings.ToLower(s.ID + "\n" + s.Title + "\n" + s.Goal), false
}

// learn reads the plans whose tasks are not known to searches, until ctx ends, and
// drops what is known of plans that are gone.
func (r *reader) learn(ctx context.Context, s *state) error {
	plans, err := s.list(ctx)
	if err != nil {
		return err
	}
	there := make(map[string]string, len(plans))
	for _, sum := range plans {
		text, known := r.wordsOf(sum)
		if !known {
			// Not as pages read plans, which are kept for the next page: this is once.
			files, err := s.Files(ctx, sum.Location)
			if err != nil {
				return err
			}
			p, _ := plan.Read(sum.ID, sum.Path, files)
			text = planWords(p)
		}
		there[sum.Tree] = text
		r.mu.Lock()
		r.words[sum.Tree] = text
		r.mu.Unlock()
	}
	r.mu.Lock()
	r.words = there
	r.mu.Unlock()
	return nil
}
