package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// GatesAt reads the gates.yaml of a commit.
func (r *Repo) GatesAt(ctx context.Context, commit string) (validate.Gates, []diag.Diagnostic, error) {
	e, ok, err := r.Store.Lookup(ctx, commit, GatesFile)
	if err != nil || !ok {
		return validate.DefaultGates(), nil, err
	}
	return gatesOf(ctx, r, e)
}

// Gates reads the store's gates.yaml. Findings are errors in that file, for
// which the defaults hold.
func (s *Snapshot) Gates(ctx context.Context) (validate.Gates, []diag.Diagnostic, error) {
	i := slices.IndexFunc(s.root, func(e gitstore.Entry) bool { return e.Name == GatesFile })
	if i < 0 {
		return validate.DefaultGates(), nil, nil
	}
	return gatesOf(ctx, s.repo, s.root[i])
}

// gatesOf reads the gates.yaml that an entry is.
func gatesOf(ctx context.Context, r *Repo, e gitstore.Entry) (validate.Gates, []diag.Diagnostic, error) {
	if fileMode(e.Mode) != plan.Regular {
		return validate.DefaultGates(), []diag.Diagnostic{{
			Path: GatesFile, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig,
			Message: "it is no regular file",
		}}, nil
	}
	data, err := r.Store.Blob(ctx, e.Object, plan.MaxFile)
	var large *gitstore.TooLargeError
	if err != nil && !errors.As(err, &large) {
		return validate.Gates{}, nil, err
	}
	if large != nil {
		data = make([]byte, plan.MaxFile+1) // over the limit, which is what there is to say
	}
	gates, found := validate.ParseGates(GatesFile, data)
	return gates, found, nil
}

// publishAll sets `publish: auto`, where gates.yaml says nothing about it and can be
// edited; set reports whether it does.
func (s *Snapshot) publishAll(ctx context.Context) (c Candidate, set bool, err error) {
	old, err := s.ownFile(ctx, GatesFile)
	if err != nil {
		return c, false, err
	}
	gates, found, err := s.Gates(ctx)
	if err != nil || len(found) > 0 || gates.Publish != "" {
		return c, false, err
	}
	text, ok := withPublish(string(old))
	if !ok {
		return c, false, nil
	}
	return Candidate{Own: []gitstore.FileChange{{Path: GatesFile, Data: []byte(text)}}, Message: Message{Subject: "Publish each change as it is made"}}, true, nil
}

// withPublish gives a gates.yaml that says `publish: auto` besides what it says, in the
// format that knows of it; ok is false for one that cannot be edited so.
func withPublish(old string) (text string, ok bool) {
	text = old
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	format, line := regexp.MustCompile(`(?m)^format:.*$`), fmt.Sprintf("format: %d", validate.FormatVersion)
	if text = format.ReplaceAllString(text, line); !format.MatchString(text) {
		text += line + "\n"
	}
	text += "publish: auto\n"
	want, _ := validate.ParseGates(GatesFile, []byte(old))
	got, found := validate.ParseGates(GatesFile, []byte(text))
	want.Format, want.Publish = validate.FormatVersion, "auto"
	return text, len(found) == 0 && reflect.DeepEqual(got, want)
}

// newerGates is the finding about a gates.yaml that only a newer program understands.
func newerGates() diag.Diagnostic {
	return diag.Diagnostic{
		Path: GatesFile, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig,
		Message: "its format is newer than this program knows", Hint: "update git plan",
	}
}

// soundGates gives the gates by which something is to be written. What is wrong with
// them is a *[RejectedError] that says how to mend it: it is in no file of what is
// written.
func (s *Snapshot) soundGates(ctx context.Context, mend string) (validate.Gates, error) {
	gates, found, err := s.Gates(ctx)
	switch {
	case err != nil:
		return gates, err
	case gates.Newer():
		return gates, errNewerGates()
	case len(found) > 0:
		for i := range found {
			found[i].Hint = mend
		}
		return gates, &RejectedError{found}
	}
	return gates, nil
}

// errNewerGates refuses to write what such a gate could not judge.
func errNewerGates() error {
	return &UnsupportedError{"gates.yaml in the store is of a newer format: update git plan to write plans here"}
}

// fixGates says how to go on where what is published has a gate in error.
func fixGates(branch, theirs string) string {
	return fmt.Sprintf("in a worktree of %s: `git merge --no-commit %.10s`, fix %s, commit, then `git plan sync`", branch, theirs, GatesFile)
}

// Lowers says in what a commit asks for less than gates, or "". One that went
// on from an older gate is to be merged with what raised it since: it lowers
// only what it found.
func (r *Repo) Lowers(ctx context.Context, gates validate.Gates, v Verdict) (string, error) {
	if v.Gates == nil {
		return "", nil
	}
	lowered := v.Gates.Lowered(gates)
	for _, parent := range v.Parents {
		if len(lowered) == 0 {
			break
		}
		found, _, err := r.GatesAt(ctx, parent)
		if err != nil || len(v.Gates.Lowered(found)) == 0 {
			return "", err
		}
	}
	return strings.Join(lowered, ", "), nil
}
