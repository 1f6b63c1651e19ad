package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// RewoundError is returned where a remote no longer has commits that it had.
type RewoundError struct {
	Remote, Branch string
	// Had is the last commit that it had, Has what it has now, "" for nothing.
	Had, Has string
}

func (e *RewoundError) Error() string {
	if e.Has == "" {
		return fmt.Sprintf("branch %[2]s was deleted at %[1]s, which had %.10[3]s: bring it back with `git push %[1]s %[2]s`, or keep the plans in this clone with `git config plan.push off`",
			e.Remote, e.Branch, e.Had)
	}
	return fmt.Sprintf("%[1]s has dropped commits of %[2]s that were published, up to %.10[3]s: bring them back with `git push --force-with-lease=%[2]s:%.12[4]s %[1]s %.12[3]s:refs/heads/%[2]s`, or drop them here too with `git plan sync --accept-rewind`",
		e.Remote, e.Branch, e.Had, e.Has)
}

// unpublished gives the commits here that the remote never had, oldest first, and
// those that it had and has no more, as its remote-tracking ref remembers.
func (p *publishing) unpublished(ctx context.Context, tip, theirs string) (never []gitstore.Lineage, dropped []string, err error) {
	all, err := p.repo.Store.Between(ctx, tip, theirs)
	if err != nil || len(all) == 0 || !strings.HasPrefix(p.remote.Tracking, "refs/remotes/") {
		return all, nil, err
	}
	const most = 256 // earlier states are in the history of these
	here := map[string]bool{}
	for _, l := range all {
		here[l.Commit] = true
	}
	log := reflog(ctx, p.repo, p.remote.Tracking, most)
	had := p.agreed()
	if had == "" { // the log begins with what the ref was before, as a clone made it
		had, _ = p.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", fmt.Sprintf("%s@{%d}", p.remote.Tracking, len(log)))
	}
	known := []string{theirs}
	for _, l := range append(log, logged{commit: had}) {
		if here[l.commit] {
			known = append(known, l.commit)
		}
	}
	if len(known) == 1 {
		return all, nil, nil
	}
	never, err = p.repo.Store.Between(ctx, tip, known...)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range never {
		delete(here, l.Commit)
	}
	for _, l := range all {
		if here[l.Commit] {
			dropped = append(dropped, l.Commit)
		}
	}
	return never, dropped, nil
}

// agreedNote is the file that remembers the last commit that was both here and at the
// remote. A reflog may be missing, and a remote-tracking ref be pruned.
func agreedNote(r *Repo) string { return filepath.Join(r.CommonDir, "git-plan", "agreed") }

// agree keeps that the remote has a commit which is here as well.
func (p *publishing) agree(commit string) {
	if p.remote.Tracking == p.repo.Publisher().trackingRef() && p.agreed() != commit {
		_ = os.WriteFile(agreedNote(p.repo), []byte(p.remote.Tracking+" "+commit+"\n"), 0o666)
		p.repo.Share(agreedNote(p.repo))
	}
}

// agreed gives that commit, "" where none is known.
func (p *publishing) agreed() string {
	text, _ := os.ReadFile(agreedNote(p.repo))
	tracking, commit, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if tracking != p.remote.Tracking {
		return ""
	}
	return commit
}

// elsewhere takes those commits out of unpublished ones that another remote-tracking ref
// has, of a proposal or of another remote's plans: they are merged and never made again.
// Tips are the last of them.
func (p *publishing) elsewhere(ctx context.Context, tip, theirs string, unpublished []gitstore.Lineage) (rest []gitstore.Lineage, tips []string, err error) {
	if len(unpublished) == 0 {
		return unpublished, nil, nil
	}
	out, err := p.repo.Git.Read(ctx, "for-each-ref", "--format=%(objectname) %(refname)", "refs/remotes/*/proposals/**", "refs/remotes/*/"+p.repo.Branch())
	var refs []string
	for line := range strings.Lines(string(out)) {
		commit, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		if ref != p.remote.Tracking {
			refs = append(refs, commit)
		}
	}
	if err != nil || len(refs) == 0 {
		return unpublished, nil, err
	}
	apart, err := p.repo.Store.Between(ctx, tip, append(refs, theirs)...)
	if err != nil {
		return nil, nil, err
	}
	has := map[string]bool{}
	for _, l := range apart {
		has[l.Commit] = true
	}
	for _, l := range unpublished {
		if has[l.Commit] {
			rest = append(rest, l)
			continue
		}
		tips = slices.DeleteFunc(tips, func(tip string) bool { return slices.Contains(l.Parents, tip) })
		tips = append(tips, l.Commit)
	}
	return rest, tips, nil
}

// fetch asks where a remote is. Where history is cut off here, it brings the whole
// of the plans' if that is what it takes to tell from where the store here and the
// remote's went on.
func (pub Publisher) fetch(ctx context.Context, remote gitstore.Remote) (theirs string, err error) {
	begun := time.Now()
	theirs, err = pub.repo.Store.Fetch(ctx, remote)
	if err == nil {
		noteFetch(pub.repo, remote, begun)
	}
	if err != nil || theirs == "" || !pub.repo.Ancestry().isCutOff() {
		return theirs, err
	}
	tip, err := pub.repo.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) || tip.Commit == theirs {
		return theirs, nil
	}
	if err == nil {
		_, err = pub.repo.Ancestry().Fork(ctx, tip.Commit, theirs)
	}
	if cut := new(CutOffError); errors.As(err, &cut) {
		theirs, err = pub.repo.Store.FetchWhole(ctx, remote)
	}
	return theirs, err
}
