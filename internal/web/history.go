package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
	// Changes leads from the timeline to what it changed.
	Changes string
}

// history gives the past of a plan, which is read once while the ref stays where
// it is. The id "" reads that of all plans in one walk.
func (s *state) history(ctx context.Context, id string) (*history, error) {
	s.past.Lock()
	defer s.past.Unlock()
	if s.histories[id] == nil {
		if len(s.histories) >= 100 {
			clear(s.histories)
		}
		if err := s.readPast(ctx, id); err != nil {
			return nil, err
		}
	}
	return cmp.Or(s.histories[id], &history{}), nil
}

// readPast reads the past of a plan, or of all for the id "".
func (s *state) readPast(ctx context.Context, id string) error {
	revisions, err := s.Revisions(ctx, id)
	if err != nil {
		return err
	}
	read := map[string]*history{}
	for rev, err := range revisions.All(ctx) {
		if err != nil {
			return err
		}
		for _, o := range rev.Changes {
			if read[o.ID] == nil {
				read[o.ID] = &history{}
			}
			read[o.ID].add(rev, o)
		}
		if h := read[id]; h != nil && h.cut {
			break
		}
	}
	maps.Copy(s.histories, read)
	return nil
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
		out = append(out, [2]string{list[i].Name(), list[i-1].Name()})
	}
	return out
}

// Name is what a version is called in addresses.
func (r revision) Name() string { return fmt.Sprintf("v%d", r.Version) }

// find gives the revision that a name of a side means: "v2" is the newest of
// that version, anything else begins a commit's name.
func (h *history) find(name string) (revision, bool) {
	for _, r := range h.revisions {
		if !r.Removed && (name == r.Name() || len(name) >= 7 && strings.HasPrefix(r.Commit, name)) {
			return r, true
		}
	}
	return revision{}, false
}

// pastPage is the timeline of a plan, or tells two revisions of it apart.
type pastPage struct {
	*view
	past *history
	// From and Until name the revisions Old and New, or those to compare next.
	From, Until string
	Old, New    revision
	Result      *diff.Part
}

// Sides are the revisions to choose from.
func (p *pastPage) Sides() []revision { return p.past.versions() }

// Action is where the form leads that asks what to compare.
func (p *pastPage) Action() string { return p.To(planPath(p.ID) + "changes") }

// Cut says that there are older revisions than those of the timeline.
func (p *pastPage) Cut() bool { return p.past.cut }

// version is a version of a plan with its revisions.
type version struct {
	Number    int
	Revisions []revision
	// Changes leads to what this version changed of the one before.
	Changes string
	Current bool
}

// Versions are the timeline.
func (p *pastPage) Versions() []version {
	var out []version
	changes := map[string]string{} // what each version changed
	for _, span := range p.past.spans() {
		changes[span[1]] = p.To(changesPath(p.ID, span[0]+".."+span[1]))
	}
	all := p.past.revisions
	for i, r := range all {
		if n := len(out); n == 0 || out[n-1].Number != r.Version {
			out = append(out, version{Number: r.Version, Current: n == 0, Changes: changes[r.Name()]})
			delete(changes, r.Name())
		}
		if i+1 < len(all) && !p.Static {
			r.Changes = p.To(changesPath(p.ID, all[i+1].Short+".."+r.Short))
		}
		last := &out[len(out)-1]
		last.Revisions = append(last.Revisions, r)
	}
	return out
}

// timeline makes the page of a plan's history.
func (v *Viewer) timeline(s *store.Stored, h *history, l links) *pastPage {
	p := &pastPage{view: v.view(s, "History", l), past: h}
	if list := h.versions(); len(list) > 1 {
		p.From, p.Until = list[1].Name(), list[0].Name()
	}
	return p
}

// compare makes the page that tells two revisions of a plan apart.
func (v *Viewer) compare(ctx context.Context, s *store.Stored, h *history, span string, l links) (*pastPage, error) {
	p := &pastPage{view: v.view(s, "History", l), past: h}
	var ok, okOld, okNew bool
	p.From, p.Until, ok = strings.Cut(span, "..")
	p.Old, okOld = h.find(p.From)
	p.New, okNew = h.find(p.Until)
	if !ok || !okOld || !okNew {
		return nil, errNotFound
	}
	old, err := v.sideOf(ctx, s.ID, p.Old, p.From)
	if err != nil {
		return nil, err
	}
	now, err := v.sideOf(ctx, s.ID, p.New, p.Until)
	if err != nil {
		return nil, err
	}
	p.Result = diff.NewPart(diff.Compare(old, now), p.taskLink)
	return p, nil
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
