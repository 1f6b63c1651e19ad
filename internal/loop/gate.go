package loop

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// labels are what faults call tasks, by the paths of their files.
type labels struct {
	names map[string]string
	// faulty are the keys of an entry that could not be used: that they are
	// missing then is no news.
	faulty map[string]map[string]bool
}

func (l *labels) set(path, name string, faulty map[string]bool) {
	l.names[path], l.faulty[path] = name, faulty
}

// label names a task by its title.
func label(title string) string { return "Task '" + diag.OneLine(title, 120) + "'" }

// reject makes the error of a payload with faults, those of the gate included.
func (r *run) reject(ctx context.Context, s *store.Snapshot) error {
	if r.next.Doc == nil { // nothing of a plan that is too large is read
		return r.labels.rejection(r.faults, nil)
	}
	found, err := s.Findings(ctx, store.Write{ID: r.before.ID, Plan: r.next})
	if err != nil {
		return err
	}
	kept := found[:0]
	for _, d := range found {
		file := strings.TrimPrefix(d.Path, r.before.Prefix+"/")
		follows := r.crowded && (d.Rule == "sort-index" || d.Rule == plan.RuleLimits && strings.HasPrefix(d.Message, "more than "))
		if !r.large[file] && !follows {
			kept = append(kept, d)
		}
	}
	return r.labels.rejection(r.faults, kept)
}

// oversized tells of files, or a whole plan, that are too large to be read. What
// else the gate would say of them does not count.
func (r *run) oversized(files map[string][]byte, found []diag.Diagnostic) {
	r.large = map[string]bool{}
	for _, d := range found {
		file := strings.TrimPrefix(d.Path, r.before.Prefix+"/")
		switch {
		case d.Rule != plan.RuleLimits:
		case r.next.Doc == nil:
			r.faults.add(LimitExceeded, "%s: make several plans of it", d.Message)
		case len(files[file]) > plan.MaxFile:
			r.large[file] = true
			r.faults.add(LimitExceeded, "%s", r.labels.detail(d))
		}
	}
}

// rejection puts the gate's errors behind other faults.
func (l labels) rejection(others faults, found []diag.Diagnostic) *Rejection {
	r := &Rejection{Faults: others}
	for _, d := range found {
		if d.Severity != diag.Error || l.follows(d) {
			continue
		}
		r.Findings = append(r.Findings, d)
		r.Faults = append(r.Faults, Fault{ValidationFailed, l.detail(d)})
	}
	return r
}

// follows reports whether a finding only follows from a value of the payload
// that could not be used.
func (l labels) follows(d diag.Diagnostic) bool {
	bad := l.faulty[l.file(d)]
	switch d.Rule {
	case "type-missing":
		return bad["type"]
	case "hints-missing":
		return bad["context_hints"]
	case "paths-missing":
		return bad["relevant_file_paths"]
	case "path-exists", "hint-path":
		return bad["creates"] || bad["dependencies"]
	}
	return false
}

// file is the finding's file within the plan.
func (l labels) file(d diag.Diagnostic) string {
	_, file, _ := strings.Cut(d.Path, "/tasks/")
	return "tasks/" + file
}

// detail says a finding in the words of the loop: it begins with the task's
// title, in the place of the id where the message begins with that. What to do
// follows in brackets, but for the rules whose words agents know.
func (l labels) detail(d diag.Diagnostic) string {
	who, known := l.names[l.file(d)]
	if !known {
		return d.String()
	}
	text := who + ": " + strings.Replace(d.Message, "depends_on ", "`dependencies` ", 1)
	if rest, ok := strings.CutPrefix(d.Message, "task `"); ok {
		if _, rest, ok = strings.Cut(rest, "` "); ok {
			text = who + " " + rest
		}
	}
	switch d.Rule {
	case "type-missing", "hints-missing", "paths-missing", "path-exists", "hint-path":
		return text + "."
	}
	if d.Hint != "" {
		text += " (" + d.Hint + ")"
	}
	return text + "."
}

// explain makes a *[Rejection] of the gate's refusal; other errors stay as they
// are.
func (l labels) explain(err error) error {
	var refused *store.RejectedError
	if errors.As(err, &refused) {
		return l.rejection(nil, refused.Findings)
	}
	return err
}

// kindOf tells what an error of the plan is about.
func kindOf(err error) Kind {
	var moved *plan.TransitionError
	var held *plan.HeldError
	var edit *plan.EditError
	switch {
	case errors.As(err, &edit) && edit.Limit:
		return LimitExceeded
	case errors.As(err, &moved):
		return InvalidTransition
	case errors.As(err, &held):
		return Conflict
	}
	return Unsupported
}
