package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// maxRequest bounds the id of a request.
const maxRequest = 64

// CheckRequest says why a text cannot be the id of a request, "" if it can: it is a
// word in the message of a commit.
func CheckRequest(id string) string {
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || len(id) > maxRequest {
		return fmt.Sprintf("the id of a request has at most %d letters, digits, dots, hyphens and underscores", maxRequest)
	}
	return ""
}

// Answered gives the result of the request that [Repo.Request] names, where the
// store's or the remote's history has its change; ok is false where none has.
func (r *Repo) Answered(ctx context.Context) (result Result, ok bool, err error) {
	if r.Request == "" || r.answered {
		return result, false, nil
	}
	tip, err := r.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
		return result, false, err
	}
	return answerAt(ctx, r, tip.Commit)
}

// answerAt is [Repo.Answered] for a store whose tip is known.
func answerAt(ctx context.Context, r *Repo, tip string) (result Result, ok bool, err error) {
	if r.Request == "" || r.answered {
		return result, false, nil
	}
	there, _, err := r.Publisher().remoteBase(ctx)
	if err != nil {
		return result, false, err
	}
	for _, from := range []string{tip, there} {
		if from == "" {
			continue
		}
		commit, err := r.Ancestry().FindChange(ctx, from, "", r.Request)
		if err != nil {
			return result, false, err
		}
		if commit != "" {
			if result, err = resultOf(ctx, r, commit); err != nil {
				return result, false, err
			}
			gates, _, err := r.GatesAt(ctx, from)
			result.publish = gates.Publishes()
			return result, err == nil, err
		}
	}
	return result, false, nil
}

// resultOf gives the result of a commit as its command gave it.
func resultOf(ctx context.Context, r *Repo, commit string) (Result, error) {
	result := Result{Commit: commit, Repeated: true}
	c, err := r.Store.Commit(ctx, commit)
	if err != nil {
		return result, err
	}
	parent := ""
	if len(c.Parents) > 0 {
		parent = c.Parents[0]
	}
	h := &Revisions{historian: historian{repo: r, latest: map[string]loaded{}}, steps: []gitstore.Step{{Commit: commit, Parent: parent}}}
	passages, err := h.passagesOf(ctx, 0, 1)
	if err != nil || len(passages) == 0 {
		return result, err
	}
	rev, err := h.revision(ctx, passages[0])
	for _, o := range rev.Changes {
		if o.Removed {
			o.Version = 0
		}
		o.Replaces = planTrailer(c.Message, o.ID, trailerReplaces)
		result.Plans = append(result.Plans, o)
	}
	return result, err
}

// repeatAnswer answers a request that was carried out before. The mutation runs once
// more on the state that it ran on then, at the time of then, so that its caller
// learns what it learned then; nothing of it is kept.
func repeatAnswer(ctx context.Context, r *Repo, result Result, mutate Mutation) (Result, error) {
	c, err := r.Store.Commit(ctx, result.Commit)
	if err != nil {
		return result, err
	}
	s, err := r.At(ctx, cmp.Or(strings.Join(c.Parents[:min(1, len(c.Parents))], ""), result.Commit))
	if err != nil {
		return result, err
	}
	now := r.opts.Now
	r.opts.Now = func() time.Time { return c.Author.When }
	defer func() { r.opts.Now = now }()
	again, err := mutate(ctx, s)
	if err == nil && !again.concerns(result) {
		err = errors.New("it changed other plans")
	}
	if err != nil {
		return result, &ConflictError{Plan: planOf(result), Since: "the request was first made", Details: []string{fmt.Sprintf("commit %.12s carried out another request of that id: %v", result.Commit, err)},
			Hint: "give each request an id of its own"}
	}
	return result, nil
}

// concerns reports whether the candidate is about a plan that a result is about.
func (c Candidate) concerns(result Result) bool {
	ids := map[string]bool{}
	for _, o := range result.Plans {
		ids[o.ID] = true
	}
	for _, id := range c.ids() {
		if ids[id] {
			return true
		}
	}
	return len(ids) == 0
}

func planOf(result Result) string {
	if len(result.Plans) == 0 {
		return ""
	}
	return result.Plans[0].ID
}

// ids are those of the plans that the candidate writes or moves.
func (c Candidate) ids() (out []string) {
	for _, w := range c.Writes {
		out = append(out, w.ID)
	}
	for _, m := range c.Moves {
		out = append(out, m.ID)
	}
	return out
}
