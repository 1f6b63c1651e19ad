package main

import (
	"context"
	"fmt"
	"time"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// parkedDocument is a commit that could not be replayed, for programs.
type parkedDocument struct {
	Change  string   `json:"change"`
	Commit  string   `json:"commit"`
	Plans   []string `json:"plans"`
	Agent   string   `json:"agent"`
	At      string   `json:"at"`
	Subject string   `json:"subject"`
	Why     string   `json:"why"`
}

func parkedDocuments(all []store.Parked) []parkedDocument {
	out := []parkedDocument{}
	for _, p := range all {
		out = append(out, parkedDocument{p.Change, p.Commit, append([]string{}, p.Plans...), p.Agent, plan.FormatTime(p.At), p.Subject, p.Why()})
	}
	return out
}

// tellParked tells a person what is parked, a line each, with the command that opens it.
func (o *output) tellParked(all []store.Parked) {
	for _, p := range all {
		next := "git plan sync"
		switch {
		case p.Waits != "":
			next = p.Why()
		case p.Plans[0] != "":
			next = "git plan edit " + p.Plans[0]
		}
		o.say("parked: %s, by %s, %s: %s", diag.Printable(p.Subject), diag.Printable(p.Agent), plan.FormatTime(p.At), diag.Printable(next))
	}
}

// remoteDocument is what is known here of the remote's store, for programs.
type remoteDocument struct {
	Name        string `json:"name"`
	Unpublished int    `json:"unpublished"`
	SeenAt      string `json:"seen_at,omitempty"`
}

// remoteView is what is known of the remote's store, nil without one.
func (w *workspace) remoteView(ctx context.Context, at *store.Snapshot) (*remoteDocument, error) {
	if at.Ref == "" { // an older state
		return nil, nil
	}
	v, err := w.repo.Publisher().RemoteView(ctx, at)
	if err != nil || v == nil {
		return nil, err
	}
	doc := &remoteDocument{Name: v.Remote, Unpublished: v.Unpublished}
	if !v.Seen.IsZero() {
		doc.SeenAt = plan.FormatTime(v.Seen)
	}
	return doc, nil
}

// line says it to a person.
func (d *remoteDocument) line(now time.Time) string {
	seen, err := plan.ParseTime(d.SeenAt)
	if err != nil {
		return fmt.Sprintf("published: nothing; `git plan sync` publishes the plans to %s", diag.Printable(d.Name))
	}
	age := "just now"
	if d := now.Sub(seen); d >= time.Minute {
		age = render.Age(d) + " ago"
	}
	left := ""
	if d.Unpublished > 0 {
		left = " but " + count(d.Unpublished, "commit")
	}
	return fmt.Sprintf("published: all%s; %s was seen %s", left, diag.Printable(d.Name), age)
}

// news is the line, or "" where what is shown was published, and looked up, just now.
func (d *remoteDocument) news(now time.Time) string {
	if d == nil {
		return ""
	}
	if seen, err := plan.ParseTime(d.SeenAt); err == nil && d.Unpublished == 0 && now.Sub(seen) < time.Minute {
		return ""
	}
	return d.line(now)
}
