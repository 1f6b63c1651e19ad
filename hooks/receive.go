package hooks

import (
	"cmp"
	"context"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

// What a pusher does about a refusal.
const (
	mendAndPush = "mend what is named, and push again"
	mendAndSync = "mend what is named in a further commit, then `git plan sync` publishes them as one"
)

// preReceive judges a push on the server, before any of it lands. Refs that do
// not hold plans pass unseen.
func (r Run) preReceive(ctx context.Context) error {
	lines, err := r.lines(3)
	if err != nil {
		return err
	}
	server, err := r.Repo.Server()
	if err != nil {
		return err
	}
	home, err := r.Repo.RefEnd(ctx, r.Repo.Ref)
	if err != nil {
		return err
	}
	var updates []store.RefUpdate
	for _, line := range lines {
		u := store.RefUpdate{Old: named(line[0]), New: named(line[1]), Ref: line[2]}
		if u.Ref, err = r.moved(ctx, u.Ref, home); err != nil {
			return err
		}
		updates = append(updates, u)
	}
	if server.CodeRef, err = r.codeAfter(ctx, server.CodeRef, updates); err != nil {
		return err
	}
	remedy, t := "", newTeller(r)
	for _, u := range updates {
		mend, err := r.receive(ctx, u, server, t)
		if err != nil {
			return err
		}
		remedy = cmp.Or(remedy, mend)
	}
	if remedy != "" {
		return &Refusal{"the push is refused as a whole: " + remedy}
	}
	return nil
}

// codeAfter gives the revision in which rules look paths up: where the push itself
// moves the ref that rev names, what it moves it to, as plans may come together
// with the code that they are of. That one ref does not move without the other is
// what --atomic is for.
func (r Run) codeAfter(ctx context.Context, rev string, updates []store.RefUpdate) (string, error) {
	if rev == "" {
		return "", nil
	}
	ref, err := r.refOf(ctx, rev)
	if err != nil {
		return "", err
	}
	for _, u := range updates {
		if u.Ref == ref && u.New != "" {
			return u.New, nil
		}
	}
	return rev, nil
}

// refOf gives the full name of the ref that a revision is, be it there or not, or
// "" if it is something else, such as a parent.
func (r Run) refOf(ctx context.Context, rev string) (string, error) {
	if rev == "HEAD" {
		return r.Repo.Head(ctx)
	}
	name := rev
	if gitstore.CheckRef(rev) != nil {
		var err error
		name, err = r.Repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", "--symbolic-full-name", "--end-of-options", rev)
		if git.Status(err) == 1 { // the push may make it
			name, err = "refs/heads/"+rev, nil
		}
		if err != nil || gitstore.CheckRef(name) != nil {
			return "", err
		}
	}
	return r.Repo.RefEnd(ctx, name)
}

// receive judges what a push brings to one ref, and tells of it. What may not land
// has a remedy.
func (r Run) receive(ctx context.Context, u store.RefUpdate, server store.Server, t *teller) (remedy string, err error) {
	if !r.Repo.Governs(u.Ref) {
		if !r.shadows(u.Ref) {
			return "", nil
		}
		r.Say("%s: this server does not tell it from %s", diag.Printable(u.Ref), r.Repo.Ref)
		return mendAndPush, nil
	}
	got, err := r.Repo.Receive(ctx, u, server)
	if err != nil {
		return "", err
	}
	if err := t.tell(ctx, got); err != nil {
		return "", err
	}
	t.advise(got.Advised)
	switch {
	case got.OK():
		return "", nil
	case u.Ref == r.Repo.Ref && u.Old != "" && len(got.Refused) > 0: // each of its commits has to pass
		return mendAndSync, nil
	}
	return mendAndPush, nil
}

// moved gives the ref that a push to ref moves. A symbolic ref of the server,
// such as an old name of the plans branch, leads to another; home is where the
// store's own leads to, itself mostly.
func (r Run) moved(ctx context.Context, ref, home string) (string, error) {
	end, err := r.Repo.RefEnd(ctx, ref)
	if end == home {
		return r.Repo.Ref, err
	}
	return end, err
}

// shadows reports whether a ref is written to the same file as the store's,
// where the file system does not tell upper from lower case.
func (r Run) shadows(ref string) bool {
	blind, err := r.Repo.Config.Bool("core.ignoreCase", false)
	return err == nil && blind && ref != r.Repo.Ref && strings.EqualFold(ref, r.Repo.Ref)
}
