package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// OwnFileEdit says what one of the store's own files is to become. It gets what
// is there, nil where there is nothing, and gives the new content and the
// commit's message; the same content, or nil, changes nothing. It runs again
// when the store moved, so it must be free of side effects other than values
// that it sets anew each time.
type OwnFileEdit func(old []byte) (data []byte, message string)

// EditOwnFile changes one of the store's own files, such as a workflow, by a
// commit that touches nothing else, and gives the tip and notes of what went
// wrong after it landed. What plans are and how they are judged is none of its
// business: only [Repo.Commit] changes plans. It is published as a change of plans is. It is a *[NotFoundError] without a
// store, and an *[ExistsError] where something other than a file of moderate
// size has the name.
func (r *Repo) EditOwnFile(ctx context.Context, path string, edit OwnFileEdit) (commit string, notes []string, err error) {
	if path == GatesFile || !isOwnFile(path) && !strings.HasPrefix(path, ".github/") {
		return "", nil, fmt.Errorf("%s is none of the files that belong to the store and not to its plans: commit it as part of a plan", path)
	}
	result, err := r.CommitOnce(ctx, func(ctx context.Context, s *Snapshot) (Candidate, error) {
		old, err := s.ownFile(ctx, path)
		if err != nil {
			return Candidate{}, err
		}
		data, message := edit(old)
		if data == nil || old != nil && bytes.Equal(data, old) {
			return Candidate{}, nil
		}
		return Candidate{Own: []gitstore.FileChange{{Path: path, Data: data}}, Message: Message{Subject: message}}, nil
	})
	if len(result.Unpublished) > 0 {
		result.Notes = append(result.Notes, "not published: "+strings.Join(result.Unpublished, "; "))
	}
	return result.Commit, result.Notes, err
}

// ownFile reads one of the store's own files; it is nil where there is none.
func (s *Snapshot) ownFile(ctx context.Context, path string) ([]byte, error) {
	gates, _, err := s.Gates(ctx)
	if err != nil {
		return nil, err
	}
	if gates.Newer() {
		return nil, errNewerGates()
	}
	e, ok, err := s.repo.Store.Lookup(ctx, s.Commit, path)
	if err != nil || !ok {
		return nil, err
	}
	taken := &ExistsError{fmt.Sprintf("%s on branch %s is no plain file: move it away first", path, s.repo.Branch())}
	if fileMode(e.Mode) != plan.Regular {
		return nil, taken
	}
	data, err := s.repo.Store.Blob(ctx, e.Object, plan.MaxFile)
	var large *gitstore.TooLargeError
	if errors.As(err, &large) {
		return nil, taken
	}
	if data == nil {
		data = []byte{} // there, and empty
	}
	return data, err
}
