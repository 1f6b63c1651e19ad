package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Address names a plan at some point of its history: "auth", "auth@v2" (the
// newest revision of that version), "auth@{3}" (three revisions back) or
// "<rev>:auth".
type Address struct {
	Plan string
	// Version is 0 where none is named.
	Version int
	// Back counts revisions, 0 for the newest.
	Back int
	// Rev is a git revision of the store, or empty.
	Rev string
}

// ParseAddress reads an address; ok is false for text that is none.
func ParseAddress(s string) (a Address, ok bool) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if id := s[i+1:]; plan.IsKebab(id) && !strings.HasPrefix(s, "-") {
			return Address{Plan: id, Rev: s[:i]}, true
		}
		return Address{}, false
	}
	id, suffix, dated := strings.Cut(s, "@")
	if !plan.IsKebab(id) {
		return Address{}, false
	}
	a = Address{Plan: id}
	switch {
	case !dated:
		return a, true
	case strings.HasPrefix(suffix, "v"):
		a.Version, ok = smallNumber(suffix[1:])
		return a, ok && a.Version > 0
	case strings.HasPrefix(suffix, "{") && strings.HasSuffix(suffix, "}"):
		a.Back, ok = smallNumber(suffix[1 : len(suffix)-1])
		return a, ok
	}
	return Address{}, false
}

// smallNumber reads a decimal number of at most six digits.
func smallNumber(s string) (int, bool) {
	if s == "" || len(s) > 6 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// String gives the address as it is typed.
func (a Address) String() string {
	switch {
	case a.Rev != "":
		return a.Rev + ":" + a.Plan
	case a.Version > 0:
		return fmt.Sprintf("%s@v%d", a.Plan, a.Version)
	case a.Back > 0:
		return fmt.Sprintf("%s@{%d}", a.Plan, a.Back)
	}
	return a.Plan
}

// Resolve finds the snapshot that an address names the plan in. The plan is
// known to be there.
func (s *Snapshot) Resolve(ctx context.Context, a Address) (*Snapshot, error) {
	at := s
	switch {
	case a.Rev != "":
		commit, err := s.repo.Store.Resolve(ctx, a.Rev)
		if err != nil {
			return nil, err
		}
		if at, err = s.repo.At(ctx, commit); err != nil {
			return nil, err
		}
	case a.Version > 0 || a.Back > 0:
		commit, err := s.revisionOf(ctx, a)
		if err != nil {
			return nil, err
		}
		if at, err = s.repo.At(ctx, commit); err != nil {
			return nil, err
		}
	}
	_, ok, err := at.Locate(ctx, a.Plan)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, at.unknownPlan(ctx, a.Plan)
	}
	return at, nil
}

// revisionOf finds the commit of a version or of a number of steps back.
func (s *Snapshot) revisionOf(ctx context.Context, a Address) (string, error) {
	history, err := s.Revisions(ctx, a.Plan)
	if err != nil {
		return "", err
	}
	if a.Version == 0 {
		return s.stepsBack(ctx, history, a)
	}
	var seen []string // newest first
	for rev, err := range history.All(ctx) {
		if err != nil {
			return "", err
		}
		o := rev.Changes[0]
		if !o.Removed && o.Version == a.Version {
			return rev.Commit.Name, nil
		}
		if v := strconv.Itoa(o.Version); !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	if len(seen) == 0 {
		return "", s.unknownPlan(ctx, a.Plan)
	}
	hint := "the newest is " + seen[0]
	if len(seen) > 1 { // some may have been squashed away
		hint = "there are " + words.Few(seen, 10)
	}
	return "", &NotFoundError{What: "version", Name: a.String(), Hint: hint}
}

func (s *Snapshot) stepsBack(ctx context.Context, history *Revisions, a Address) (string, error) {
	commit, total, err := history.Back(ctx, a.Back)
	switch {
	case err != nil:
		return "", err
	case commit != "":
		return commit, nil
	case total == 0:
		return "", s.unknownPlan(ctx, a.Plan)
	}
	return "", &NotFoundError{What: "revision", Name: a.String(), Hint: "the plan has " + words.Count(total, "revision")}
}
