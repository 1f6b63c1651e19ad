package store

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
)

// takenIDs are the plans of this clone that got another id, by the one that was taken:
// until somebody says which plan the old id means, it is ambiguous here.
type takenIDs map[string]string

func takenFile(r *Repo) string { return filepath.Join(r.CommonDir, "git-plan", "taken.json") }

// readTaken gives what is noted; a file that cannot be read notes nothing.
func readTaken(r *Repo) takenIDs {
	ids := takenIDs{}
	if data, err := os.ReadFile(takenFile(r)); err == nil && json.Unmarshal(data, &ids) != nil {
		return takenIDs{}
	}
	return ids
}

func writeTaken(r *Repo, ids takenIDs) error {
	data, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(takenFile(r)), 0o777); err != nil {
		return err
	}
	return WriteFile(takenFile(r), data)
}

// noteTaken notes that plans of this clone got other ids. One without a working tree
// has no session that could mean the old one.
func noteTaken(r *Repo, plans map[string]string) error {
	if len(plans) == 0 || r.WorkTree == "" {
		return nil
	}
	ids := readTaken(r)
	for old, now := range plans {
		for was, is := range ids {
			if is == old {
				ids[was] = now
			}
		}
		ids[old] = now
	}
	return writeTaken(r, ids)
}

// Mean says that an id means the plan that has it now, see [Snapshot.MustMean].
func (r *Repo) Mean(id string) error {
	ids := readTaken(r)
	if ids[id] == "" {
		return nil
	}
	delete(ids, id)
	return writeTaken(r, ids)
}

// MustMean refuses an id that was that of another plan here: a session that goes on
// with it would work on the other's plan. The error is an *[AmbiguousPlanError].
func (s *Snapshot) MustMean(id string) error {
	now := readTaken(s.repo)[id]
	if _, there := s.plans[now]; there {
		return &AmbiguousPlanError{Taken: id, Candidates: []string{now, id}}
	}
	return nil
}

// meant is a mutation of plans that a caller named.
func meant(mutate Mutation) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		c, err := mutate(ctx, s)
		for i := 0; err == nil && i < len(c.Writes); i++ {
			err = s.MustMean(c.Writes[i].ID)
		}
		for i := 0; err == nil && i < len(c.Moves); i++ {
			err = s.MustMean(c.Moves[i].ID)
		}
		return c, err
	}
}
