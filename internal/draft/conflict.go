package draft

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// mark gives a part its files with git's conflict markers, where what was edited does
// not fit what changed in the store.
func (p *part) mark(ctx context.Context, s *store.Snapshot, base, stored *store.Mended) error {
	labels, err := labelsFor(ctx, s, p.id)
	if err != nil {
		return err
	}
	p.marked = merge.Marked(planOrNone(base), p.plan, stored.Plan, merge.Options{Draft: true}, labels)
	return nil
}

// mergeDraft brings what was edited in a draft together with what is stored now. What
// every stored plan says of its beginning an edit may not take away.
func mergeDraft(base *store.Mended, ours, stored *plan.Plan) (merge.Result, error) {
	if base != nil && base.Plan.Doc != nil && ours.Doc != nil && ours.Doc.Readable {
		stamped := *ours
		for _, key := range []string{"created_at", "created_by"} {
			if f := base.Plan.Doc.Field(key); f != nil && !stamped.Doc.Has(key) {
				doc, err := stamped.Doc.Set(key, f.Value)
				if err != nil {
					return merge.Result{}, err
				}
				stamped.Doc = doc
			}
		}
		ours = &stamped
	}
	return merge.Plans(planOrNone(base), ours, stored, merge.Options{Draft: true}), nil
}

// markGone gives a part conflict markers where its plan was edited here and removed or
// archived in the store. What was changed before it was archived is brought in.
func (p *part) markGone(ctx context.Context, s *store.Snapshot, base *store.Mended) error {
	labels, err := labelsFor(ctx, s, p.id)
	if err != nil {
		return err
	}
	if labels.Gone, err = goneAs(ctx, s, p.id); err != nil {
		return err
	}
	theirs, err := inArchive(ctx, s, p.id)
	if err != nil {
		return err
	}
	p.why = []string{fmt.Sprintf("%s: edited here, %s by %s", p.id, labels.Gone, labels.Theirs("plan.md"))}
	p.marked = p.plan.Files()
	switch doc := p.plan.Doc; {
	case len(p.plan.Conflicts()) > 0 || doc == nil:
	case theirs == nil:
		p.marked["plan.md"] = merge.MarkedFile(doc.Path, doc.Source, merge.Theirs, labels)
	default:
		p.marked = markedArchived(base, p.plan, theirs.Plan, merge.Options{Draft: true}, labels, merge.Theirs)
	}
	return nil
}

// markedArchived is [merge.Marked] for a plan that one side archived. If all else fits,
// the markers are around plan.md.
func markedArchived(base *store.Mended, ours, theirs *plan.Plan, opts merge.Options, labels merge.Labels, by merge.Side) map[string][]byte {
	named := labels
	if by == merge.Ours {
		named.Ours += ", archived"
	} else {
		named.Theirs = func(file string) string { return labels.Theirs(file) + ", archived" }
	}
	marked := merge.Marked(planOrNone(base), ours, theirs, opts, named)
	if text, ok := marked["plan.md"]; ok && len(markedFiles("", marked)) == 0 {
		labels.Gone = "archived"
		marked["plan.md"] = merge.MarkedFile("plan.md", string(text), by, labels)
	}
	return marked
}

// inArchive gives a plan as the archive has it, nil where it is not there.
func inArchive(ctx context.Context, s *store.Snapshot, id string) (*store.Mended, error) {
	stored, err := s.Find(ctx, id)
	if err != nil || stored == nil || !stored.Archived() {
		return nil, err
	}
	return s.Mend(ctx, stored)
}

// goneAs says why a plan is not among those at work.
func goneAs(ctx context.Context, s *store.Snapshot, id string) (string, error) {
	_, archived, err := s.Locate(ctx, id)
	if archived {
		return "archived", err
	}
	return "removed", err
}

// maxLooked bounds how many revisions of a plan are looked at for who changed a file.
const maxLooked = 50

// labelsFor names, for each file of a plan, the newest change of it in the store: who made
// it, and the commit.
func labelsFor(ctx context.Context, s *store.Snapshot, id string) (merge.Labels, error) {
	revisions, err := s.History(ctx, id, maxLooked)
	theirs := func(file string) string {
		newest := "theirs"
		for i, r := range revisions {
			label := fmt.Sprintf("%s, %.7s", strings.Join(strings.Fields(r.Agent()), " "), r.Commit.Name)
			if i == 0 {
				newest = label
			}
			c := r.Changes[0]
			if c.Event == plan.Archived || look(planFiles(c.Before), file) != look(planFiles(c.After), file) {
				return label
			}
		}
		return newest
	}
	return merge.Labels{Ours: "ours", Theirs: theirs}, err
}

func planFiles(p *plan.Plan) map[string][]byte {
	if p == nil {
		return nil
	}
	return p.Files()
}

// details tells conflicts in words; ours is the draft's side.
func details(conflicts []merge.Conflict) []string {
	var out []string
	for _, c := range conflicts {
		out = append(out, c.String())
	}
	return out
}

// markedFiles names the files that hold conflict markers.
func markedFiles(prefix string, marked map[string][]byte) []string {
	var out []string
	for _, name := range names(marked) {
		p, _ := plan.Read("marked", "", []plan.File{{Path: name, Data: marked[name]}})
		if len(p.Conflicts()) > 0 {
			out = append(out, path.Join(prefix, name))
		}
	}
	return out
}

// showConflicts writes the markers of a commit that conflicts into the folders.
func (c *committer) showConflicts(ctx context.Context) error {
	return c.rebase(ctx, func(p *part) map[string][]byte { return p.marked })
}

// showMerged writes what the gate refused, where it is not what was edited, into the
// folders: the findings are about that.
func (c *committer) showMerged(ctx context.Context) error {
	return c.rebase(ctx, func(p *part) map[string][]byte {
		if p.merged == nil || p.draft.isNew() || sameFiles(p.merged.Files(), p.onDisk) {
			return nil
		}
		return p.merged.Files()
	})
}

// rebase fills the folders of parts with files that the store's newest state went
// into, which is their base then.
func (c *committer) rebase(ctx context.Context, want func(*part) map[string][]byte) error {
	if c.opts.DryRun {
		return nil
	}
	return c.drafts.state.change(ctx, func(s *State) error {
		for _, p := range c.parts {
			t, files := s.draft(p.draft.ID), want(p)
			if t == nil || files == nil {
				continue
			}
			if err := c.drafts.state.begin(s, t, p.parent); err != nil {
				return err
			}
			left, err := c.drafts.folders.write(t.Dir, p.onDisk, files)
			if err != nil {
				return err
			}
			if len(left) == 0 {
				t.Base, t.Next = p.parent, ""
			}
		}
		return nil
	})
}

func sameFiles(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name, data := range a {
		if other, ok := b[name]; !ok || string(other) != string(data) {
			return false
		}
	}
	return true
}

// content is a file's text, or that it is not there.
type content struct {
	text  string
	there bool
}

func look(files map[string][]byte, name string) content {
	data, ok := files[name]
	return content{string(data), ok}
}
