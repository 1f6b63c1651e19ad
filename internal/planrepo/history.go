package planrepo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// Revision is a commit that changed plans. What it did is derived from the
// content before and after it along first parents; the message only adds who
// and why.
type Revision struct {
	Commit *gitstore.Commit
	// Changes has an entry for each plan that the commit changed, by id.
	Changes []Outcome
	// Merge says that the commit has several parents.
	Merge bool
	// Number counts the plan's revisions from 1, the oldest; in the history of
	// all plans it counts the store's commits.
	Number int
}

// At is when the revision was written, by its author's clock.
func (r Revision) At() time.Time { return r.Commit.Author.When }

// Agent is who acted: the Plan-Agent trailer, else the author.
func (r Revision) Agent() string {
	if a := trailer(r.Commit.Message, "Plan-Agent"); a != "" {
		return a
	}
	return r.Commit.Author.Name
}

// Reason is the message's body without trailers.
func (r Revision) Reason() string {
	_, body, _ := strings.Cut(r.Commit.Message, "\n")
	paragraphs := strings.Split(strings.TrimSpace(body), "\n\n")
	if n := len(paragraphs) - 1; isTrailers(paragraphs[n]) {
		paragraphs = paragraphs[:n]
	}
	return strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
}

// Subject is the message's first line.
func (r Revision) Subject() string {
	subject, _, _ := strings.Cut(r.Commit.Message, "\n")
	return subject
}

func isTrailers(paragraph string) bool {
	for line := range strings.Lines(paragraph) {
		key, _, ok := strings.Cut(line, ": ")
		if !ok || strings.Contains(key, " ") {
			return false
		}
	}
	return true
}

// trailer gives the value of the first trailer of that key.
func trailer(message, key string) string {
	message = strings.TrimRight(message, "\n")
	block := message[strings.LastIndex(message, "\n\n")+1:]
	for line := range strings.Lines(block) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key+": "); ok {
			return value
		}
	}
	return ""
}

// History gives the revisions of a plan, newest first, at most limit of them
// (0 for all). An empty id asks for those of all plans.
func (s *Snapshot) History(ctx context.Context, id string, limit int) ([]Revision, error) {
	if !s.Exists() {
		return nil, nil
	}
	names, err := s.revisions(ctx, id)
	if err != nil {
		return nil, err
	}
	h := &historian{repo: s.repo, id: id, loaded: map[string]*plan.Plan{}}
	var out []Revision
	for i, name := range names {
		rev, err := h.revision(ctx, name)
		if err != nil {
			return nil, err
		}
		rev.Number = len(names) - i
		if len(rev.Changes) == 0 {
			continue
		}
		if out = append(out, rev); limit > 0 && len(out) == limit {
			break
		}
	}
	return out, nil
}

// revisions gives the commits along first parents that touched a plan, or all.
func (s *Snapshot) revisions(ctx context.Context, id string) ([]string, error) {
	if id == "" {
		return s.repo.Store.History(ctx, s.Commit, true, 0)
	}
	paths := []string{id}
	archived, err := s.Archive(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range archived {
		if l.ID == id {
			paths = append(paths, l.Path)
		}
	}
	return s.repo.Store.History(ctx, s.Commit, true, 0, paths...)
}

// lastRevision is the newest commit that changed what is at a location.
func (s *Snapshot) lastRevision(ctx context.Context, l Location) (string, error) {
	names, err := s.repo.Store.History(ctx, s.Commit, true, 1, l.Path)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return names[0], nil
}

// historian compares commits with their first parents. Neighbouring
// revisions share a plan's tree, so what was parsed is kept by tree.
type historian struct {
	repo   *Repo
	id     string
	loaded map[string]*plan.Plan
}

func (h *historian) revision(ctx context.Context, name string) (Revision, error) {
	c, err := h.repo.Store.Commit(ctx, name)
	if err != nil {
		return Revision{}, err
	}
	after, err := h.places(ctx, name)
	if err != nil {
		return Revision{}, err
	}
	var before map[string]Location
	if len(c.Parents) > 0 && !h.repo.isShallow(name) {
		if before, err = h.places(ctx, c.Parents[0]); err != nil {
			return Revision{}, err
		}
	}
	rev := Revision{Commit: c, Merge: len(c.Parents) > 1}
	for _, id := range changedIDs(before, after) {
		o, err := h.outcome(ctx, id, before, after)
		if err != nil {
			return Revision{}, fmt.Errorf("revision %.12s: %w", name, err)
		}
		rev.Changes = append(rev.Changes, o)
	}
	return rev, nil
}

// isShallow reports whether history was cut off at that commit: its parents
// are known by name only.
func (r *Repo) isShallow(commit string) bool {
	data, err := os.ReadFile(filepath.Join(r.CommonDir, "shallow"))
	return err == nil && strings.Contains(string(data), commit)
}

// places gives where each plan of interest is at a commit.
func (h *historian) places(ctx context.Context, commit string) (map[string]Location, error) {
	s, err := h.repo.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	out := map[string]Location{}
	if h.id != "" {
		l, ok, err := s.Locate(ctx, h.id)
		if ok {
			out[h.id] = l
		}
		return out, err
	}
	archived, err := s.Archive(ctx)
	for _, l := range append(archived, s.Locations()...) {
		out[l.ID] = l
	}
	return out, err
}

func changedIDs(before, after map[string]Location) []string {
	var ids []string
	for id, l := range after {
		if before[id] != l {
			ids = append(ids, id)
		}
	}
	for id := range before {
		if _, ok := after[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (h *historian) outcome(ctx context.Context, id string, before, after map[string]Location) (Outcome, error) {
	o := Outcome{ID: id}
	old, hadOld := before[id]
	now, hasNow := after[id]
	var err error
	if hadOld {
		if o.Before, err = h.load(ctx, old); err != nil {
			return o, err
		}
		o.Version = o.Before.Version()
	}
	if hasNow {
		if o.After, err = h.load(ctx, now); err != nil {
			return o, err
		}
		o.Version, o.Tasks = o.After.Version(), len(o.After.All())
	}
	o.Removed = !hasNow
	if hadOld && hasNow && old.Path != now.Path {
		event := plan.Archived
		if !now.Archived() {
			event = plan.Restored
		}
		o.Occurrences = append(o.Occurrences, plan.Occurrence{Event: event})
	}
	o.Occurrences = append(o.Occurrences, plan.Compare(o.Before, o.After)...)
	if len(o.Occurrences) == 0 {
		o.Occurrences = []plan.Occurrence{{Event: plan.Revised}}
	}
	o.Event = o.Occurrences[0].Event
	return o, nil
}

func (h *historian) load(ctx context.Context, l Location) (*plan.Plan, error) {
	if p, ok := h.loaded[l.Path+" "+l.Tree]; ok {
		return p, nil
	}
	s := &Snapshot{repo: h.repo}
	stored, err := s.LoadAt(ctx, l)
	if err != nil {
		return nil, err
	}
	h.loaded[l.Path+" "+l.Tree] = stored.Plan
	return stored.Plan, nil
}
