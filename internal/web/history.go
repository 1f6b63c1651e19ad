package web

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// maxRevisions bounds the history of a plan that is shown.
const maxRevisions = 2000

// history is what is known of the past of a plan.
type history struct {
	revisions []revision // newest first
	// cut says that there are older ones.
	cut bool
}

// revision is a commit that changed the plan.
type revision struct {
	Commit, Short   string
	Version         int
	Event           string
	Subject, Reason string
	Agent           string
	At              when
	Tasks           []string
	// Removed says that the plan was taken away.
	Removed bool
}

// history reads the past of a plan, once while the ref stays where it is.
func (s *state) history(ctx context.Context, id string) (*history, error) {
	s.past.Lock()
	defer s.past.Unlock()
	if h := s.histories[id]; h != nil {
		return h, nil
	}
	revisions, err := s.Revisions(ctx, id)
	if err != nil {
		return nil, err
	}
	h := &history{}
	for rev, err := range revisions.All(ctx) {
		if err != nil {
			return nil, err
		}
		if h.add(rev, rev.Changes[0]); h.cut {
			break
		}
	}
	if len(s.histories) >= 100 {
		clear(s.histories)
	}
	s.histories[id] = h
	return h, nil
}

// add notes what a commit did to the plan, newer ones first, as far as there is
// room.
func (h *history) add(rev store.Revision, o store.Outcome) {
	if h.cut = len(h.revisions) == maxRevisions; !h.cut {
		h.revisions = append(h.revisions, revisionOf(rev, o))
	}
}

func revisionOf(rev store.Revision, o store.Outcome) revision {
	out := revision{
		Commit: rev.Commit.Name, Short: short(rev.Commit.Name), Version: o.Version, Removed: o.Removed, Event: strings.ReplaceAll(string(o.Event), "-", " "),
		Subject: strings.TrimPrefix(rev.Subject(), o.ID+": "), Reason: rev.Reason(), Agent: rev.Agent(), At: at(rev.At()),
	}
	if out.Event == "" {
		out.Event = string(plan.Revised)
	}
	for _, occ := range o.Occurrences {
		name := occ.Task
		if name == "" {
			name = occ.Signal
		}
		if occ.Event == o.Event && name != "" && len(out.Tasks) < 6 {
			out.Tasks = append(out.Tasks, name)
		}
	}
	return out
}

// versions gives the newest revision of each version, newest first.
func (h *history) versions() []revision {
	var out []revision
	seen := map[int]bool{}
	for _, r := range h.revisions {
		if !r.Removed && !seen[r.Version] {
			seen[r.Version] = true
			out = append(out, r)
		}
	}
	return out
}

// spans gives the names of each version and the one before it.
func (h *history) spans() [][2]string {
	var out [][2]string
	list := h.versions()
	for i := 1; i < len(list); i++ {
		out = append(out, [2]string{list[i].name(), list[i-1].name()})
	}
	return out
}

// name is what a version is called in addresses.
func (r revision) name() string { return fmt.Sprintf("v%d", r.Version) }

// find gives the revision that a name of a side means: "v2" is the newest of
// that version, anything else begins a commit's name.
func (h *history) find(name string) (revision, bool) {
	for _, r := range h.revisions {
		if !r.Removed && (name == r.name() || len(name) >= 7 && strings.HasPrefix(r.Commit, name)) {
			return r, true
		}
	}
	return revision{}, false
}

// historyPage is the timeline of a plan.
type historyPage struct {
	Head     head
	Versions []version
	Cut      bool
	Compare  compare
}

// version is a version of a plan with its revisions.
type version struct {
	Number    int
	Revisions []revisionRow
	// Changes leads to what this version changed of the one before.
	Changes string
	Current bool
}

// revisionRow is a revision in the timeline.
type revisionRow struct {
	revision
	// Changes leads to what it changed.
	Changes string
}

// compare is the form that asks what to compare.
type compare struct {
	Action   string
	From, To string
	Versions []choice
	Static   bool
}

// choice is a version to choose; Value stands in addresses.
type choice struct{ Value, Label string }

// historyPageOf makes the timeline of a plan.
func (v *Viewer) historyPageOf(s *store.Stored, h *history, l links) *historyPage {
	out := &historyPage{Head: headOf(s, "History", l), Cut: h.cut, Compare: h.compare(s.ID, l)}
	for i, r := range h.revisions {
		n := len(out.Versions) - 1
		if n < 0 || out.Versions[n].Number != r.Version {
			out.Versions = append(out.Versions, version{Number: r.Version, Current: n < 0})
			n++
		}
		row := revisionRow{revision: r}
		if i+1 < len(h.revisions) && !l.static {
			row.Changes = l.to(changesPath(s.ID, h.revisions[i+1].Short+".."+r.Short))
		}
		out.Versions[n].Revisions = append(out.Versions[n].Revisions, row)
	}
	for _, span := range h.spans() {
		for j := range out.Versions {
			if x := &out.Versions[j]; x.Changes == "" && fmt.Sprintf("v%d", x.Number) == span[1] {
				x.Changes = l.to(changesPath(s.ID, span[0]+".."+span[1]))
				break
			}
		}
	}
	return out
}

func (h *history) compare(id string, l links) compare {
	out := compare{Action: l.to(planPath(id) + "changes"), Static: l.static}
	for _, r := range h.versions() {
		out.Versions = append(out.Versions, choice{r.name(), fmt.Sprintf("version %d, %s", r.Version, r.At.Day)})
	}
	if n := len(out.Versions); n > 1 {
		out.From, out.To = out.Versions[1].Value, out.Versions[0].Value
	}
	return out
}

// changesPage tells two revisions of a plan apart.
type changesPage struct {
	Head     head
	From, To revision
	Result   *diff.Part
	Compare  compare
}

// changesPageOf compares two revisions of a plan.
func (v *Viewer) changesPageOf(ctx context.Context, s *store.Stored, h *history, from, to string, l links) (*changesPage, error) {
	a, okA := h.find(from)
	b, okB := h.find(to)
	if !okA || !okB {
		return nil, errNotFound
	}
	out := &changesPage{Head: headOf(s, "History", l), From: a, To: b, Compare: h.compare(s.ID, l)}
	out.Compare.From, out.Compare.To = from, to
	old, err := v.sideOf(ctx, s.ID, a, from)
	if err != nil {
		return nil, err
	}
	now, err := v.sideOf(ctx, s.ID, b, to)
	if err != nil {
		return nil, err
	}
	out.Result = diff.NewPart(diff.Compare(old, now), taskLink(s.Plan, l))
	return out, nil
}

func (v *Viewer) sideOf(ctx context.Context, id string, r revision, name string) (diff.State, error) {
	at, err := v.opts.Repo.At(ctx, r.Commit)
	if err != nil {
		return diff.State{}, err
	}
	stored, err := at.Load(ctx, id)
	if err != nil {
		return diff.State{}, err
	}
	return diff.State{Name: name, Plans: []diff.Entry{{ID: id, Plan: stored.Plan, Archived: stored.Archived()}}}, nil
}
