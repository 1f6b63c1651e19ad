package draft

import (
	"context"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
)

// Resolve puts changes that were parked into drafts, with conflict markers where they
// do not fit what is published. A plan whose draft has edits is left out. It gives the
// files that hold markers.
func (d *Drafts) Resolve(ctx context.Context, parked []store.Parked) (files []string, err error) {
	if len(parked) == 0 {
		return nil, nil
	}
	now, err := d.repo.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	err = d.state.change(ctx, func(s *State) error {
		for _, p := range parked {
			if p.Waits != "" {
				continue
			}
			for _, id := range p.Plans {
				if id == "" {
					continue // the store's own files
				}
				if t := s.of(id); t != nil {
					if free, err := d.isFree(ctx, *t, p.Change); err != nil || !free {
						files = append(files, d.folders.markedIn(*t)...)
						continue
					}
				}
				t, err := d.place(s, id, EditOptions{})
				if err != nil {
					return err
				}
				marked, err := d.fillParked(ctx, t, now, p, id)
				if err != nil {
					return err
				}
				files = append(files, marked...)
			}
		}
		return nil
	})
	return files, err
}

// isParked reports whether a change was parked when the repository was opened.
func (d *Drafts) isParked(change string) bool { return d.repo.Seen[store.ParkedPrefix+change] != "" }

// isFree reports whether a draft holds no edits and not this change yet.
func (d *Drafts) isFree(ctx context.Context, t Draft, change string) (bool, error) {
	if t.Change == change && isDir(t.Dir) {
		return false, nil
	}
	p, found, err := d.folders.read(t)
	if err != nil || d.folders.isBlank(t, p, found) {
		return err == nil, err
	}
	base, err := d.bases.plan(ctx, t)
	return err == nil && base != nil && sameFiles(base.Files(), p.Files()), err
}

// Decided fills drafts again whose parked changes were decided, where they still hold
// the conflict.
func (d *Drafts) Decided(ctx context.Context, commit string, plans []string) error {
	now, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	return d.state.change(ctx, func(s *State) error {
		for _, id := range plans {
			t := s.of(id)
			if t == nil || t.Change == "" || len(d.folders.markedIn(*t)) == 0 {
				continue
			}
			stored, err := find(ctx, now, id)
			if err == nil && stored != nil {
				err = (&filler{drafts: d, now: now, stored: stored, force: true}).fill(ctx, s, t)
			} else if err == nil {
				p, _, _ := d.folders.read(*t)
				err = d.release(s, *t, p.Files(), now.Commit)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// fillParked fills a draft with a plan as a parked change has it, merged with what is
// published.
func (d *Drafts) fillParked(ctx context.Context, t *Draft, now *store.Snapshot, p store.Parked, id string) ([]string, error) {
	labels, err := labelsFor(ctx, now, id)
	if err != nil {
		return nil, err
	}
	var sides [3]*store.Mended
	archived := merge.Neither // who archived the plan
	for i, commit := range []string{p.Base, p.Commit, now.Commit} {
		if commit == "" {
			continue
		}
		at, err := d.repo.At(ctx, commit)
		if err != nil {
			return nil, err
		}
		if sides[i], err = find(ctx, at, id); err == nil && sides[i] == nil && i > 0 {
			if sides[i], err = inArchive(ctx, at, id); sides[i] != nil {
				archived = []merge.Side{merge.Ours, merge.Theirs}[i-1]
			}
		}
		if err != nil {
			return nil, err
		}
	}
	base, ours, theirs := sides[0], planOrNone(sides[1]), planOrNone(sides[2])
	var marked map[string][]byte
	if archived != merge.Neither && ours != nil && theirs != nil {
		marked = markedArchived(base, ours, theirs, merge.Options{}, labels, archived)
	} else {
		marked = merge.Marked(planOrNone(base), ours, theirs, merge.Options{}, labels)
	}
	var onDisk map[string][]byte
	if isDir(t.Dir) {
		had, _, err := d.folders.read(*t)
		if err != nil {
			return nil, err
		}
		onDisk = had.Files()
	}
	left, err := d.folders.write(t.Dir, onDisk, marked)
	if err != nil || len(left) > 0 {
		return nil, err
	}
	t.Plan, t.Base, t.Next, t.Change = id, now.Commit, "", p.Change
	return markedFiles(d.folders.prefix(t.Dir), marked), nil
}

// parkedFor gives the parked change of a plan that a draft is to be filled with.
func (d *Drafts) parkedFor(ctx context.Context, s *State, id string) (*store.Parked, error) {
	all, err := d.repo.Publisher().Parked(ctx)
	i := slices.IndexFunc(all, func(p store.Parked) bool { return slices.Contains(p.Plans, id) })
	if err != nil || i < 0 {
		return nil, err
	}
	if t := s.of(id); t != nil {
		if free, err := d.isFree(ctx, *t, all[i].Change); err != nil || !free {
			return nil, err
		}
	}
	return &all[i], nil
}
