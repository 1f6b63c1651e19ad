// Package store is where plans meet the store: read, check, write.
//
// [Open] finds the repository, [Repo.Snapshot] reads the store as it is now,
// and [Repo.Commit] is the only way from a mutation to the ref: it runs the
// gate on every plan it writes, and there is no way around it.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// DefaultRef is the store's ref where plan.ref does not name another.
const DefaultRef = "refs/heads/plans"

// Options are what [Open] needs to know of the process.
type Options struct {
	Git    git.Git
	Getenv func(string) string
	Now    func() time.Time
	// Agent is the name given on the command line, or empty.
	Agent string
	// Push asks to publish each change, whatever plan.push and the policy say.
	Push bool
	// Progress is told, if it is set, how far the reading of many plans has come.
	// It is called from several goroutines.
	Progress func(done, total int)
	// Warn is told, if it is set, what of a history is left out because it cannot
	// be read. It may be called from several goroutines.
	Warn func(format string, args ...any)
}

// Repo is a repository and its store of plans.
type Repo struct {
	*gitstore.Repo
	Store  *gitstore.Store
	Config *gitstore.Config
	Ref    string
	// FileMode says whether the executable bit of files means anything here.
	FileMode bool
	// Publish says when changes are published: what [Options] ask for, else plan.push.
	Publish Publishing
	// Request is the id that the caller gave its change, or empty. A change that the
	// store's or the remote's history has is not made again.
	Request string
	// Approve asks a judge about a plan, which may take minutes; nil where there
	// is none. It is set before the first commit.
	Approve func(ctx context.Context, p *plan.Plan) (validate.Opinion, error)
	// Renamed is told of plans here that a merge gave another id, by the old one; nil
	// where nobody remembers plans.
	Renamed func(ctx context.Context, plans map[string]string) error

	opts     Options
	answered bool // the request, by this process
	files    *plan.Cache
	named    named
	opinions opinions
	unread   sync.Map // what Warn was told of
}

// Open finds the repository git would use in the current folder and reads the
// configuration. The store need not exist yet. Close it after use.
func Open(ctx context.Context, opts Options) (*Repo, error) {
	found, err := gitstore.Discover(ctx, opts.Git, DefaultRef, ParkedPrefix, "refs/remotes/*/"+strings.TrimPrefix(DefaultRef, "refs/heads/"))
	if err != nil {
		return nil, err
	}
	if err := refuseEmbedded(ctx, opts.Git, found); err != nil {
		return nil, err
	}
	config, err := found.Config(ctx)
	if err != nil {
		return nil, err
	}
	ref, ok := config.Get("plan.ref")
	switch {
	case !ok || ref == "":
		ref = DefaultRef
	case !strings.HasPrefix(ref, "refs/"):
		ref = "refs/heads/" + ref
	}
	if err := checkRef(ref); err != nil {
		return nil, err
	}
	if ref != DefaultRef {
		found.Glance() // not what will be asked for
	}
	fileMode, err := config.Bool("core.fileMode", true)
	if err != nil {
		return nil, err
	}
	publish, err := publishingOf(config, opts.Push)
	if err != nil {
		return nil, err
	}
	r := &Repo{
		Publish: publish,
		Repo:    found, Store: gitstore.Open(found, ref), Config: config, Ref: ref, FileMode: fileMode, opts: opts, files: plan.NewCache(),
	}
	if publish != PublishAsked && r.Remote() == "" {
		r.Publish = PublishOff
	}
	return r, nil
}

// Publishing says when changes are published.
type Publishing int

// The ways to publish.
const (
	// PublishByPolicy publishes each change where gates.yaml says `publish: auto`.
	PublishByPolicy Publishing = iota
	// PublishOff publishes none, as plan.push says or as there is no remote.
	PublishOff
	// PublishAll publishes each change.
	PublishAll
	// PublishAsked is PublishAll, and an error without a remote.
	PublishAsked
)

// publishingOf reads plan.push.
func publishingOf(config *gitstore.Config, asked bool) (Publishing, error) {
	how := PublishByPolicy
	switch wish, _ := config.Get("plan.push"); wish {
	case "":
	case "off", "never":
		how = PublishOff
	case "auto":
		how = PublishAll
	default:
		return how, fmt.Errorf("bad value of plan.push: %q: set it to auto or off, or unset it", wish)
	}
	if asked {
		how = PublishAsked
	}
	return how, nil
}

// checkRef refuses refs that have another use, and names that git gives to none:
// a server that watched over such a one would let everything pass.
func checkRef(ref string) error {
	if err := gitstore.CheckRef(ref); err != nil {
		return fmt.Errorf("bad value of plan.ref: %w", err)
	}
	for _, taken := range []string{"refs/tags/", "refs/remotes/", "refs/notes/", "refs/replace/", "refs/stash/", "refs/heads/HEAD/", "refs/heads/-", "refs/bisect/", ProposalPrefix, "refs/git-plan/", ParkedPrefix} {
		if strings.HasPrefix(ref+"/", taken) {
			return &UnsupportedError{fmt.Sprintf("plan.ref names %s, which cannot hold plans: name a branch of its own", ref)}
		}
	}
	return nil
}

// Close ends what reading started.
func (r *Repo) Close() error { return r.Store.Close() }

// Now is the time that stamps get, in UTC to the second.
func (r *Repo) Now() time.Time { return r.opts.Now().UTC().Truncate(time.Second) }

// ReadPlan is [plan.Read] that remembers files: the same text is parsed once,
// whether it comes from a draft or from several revisions.
func (r *Repo) ReadPlan(id, prefix string, files []plan.File) (*plan.Plan, []diag.Diagnostic) {
	return r.files.Read(id, prefix, files)
}

// Branch is the ref's short name, for messages.
func (r *Repo) Branch() string { return strings.TrimPrefix(r.Ref, "refs/heads/") }

// Remote is the name of the remote that the store is shared through:
// plan.remote, else that of the branch, else origin, else the only one, else
// empty.
func (r *Repo) Remote() string {
	for _, key := range []string{"plan.remote", "branch." + r.Branch() + ".remote"} {
		if name, ok := r.Config.Get(key); ok && name != "" && name != "." {
			return name
		}
	}
	var names []string
	for _, key := range r.Config.Keys("remote.") {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url"); ok {
			if name == "origin" {
				return name
			}
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// trackingRef is where the remote's store was last seen, or empty.
func (pub Publisher) trackingRef() string {
	if !strings.HasPrefix(pub.repo.Ref, "refs/heads/") {
		return ""
	}
	return Tracking(pub.repo.Remote(), pub.repo.Ref)
}

// Tracking names the ref that remembers where a remote's ref was last seen. It is
// "" without a remote, and for an address, of which nothing is remembered.
func Tracking(remote, ref string) string {
	tracking := "refs/remotes/" + remote + "/" + strings.TrimPrefix(ref, "refs/heads/")
	if remote == "" || gitstore.CheckRef(tracking) != nil {
		return ""
	}
	return tracking
}

// Shared reports whether the store was seen at its remote, which only a sync or a
// push of git brings together with what is here.
func (pub Publisher) Shared(ctx context.Context) bool {
	there, _, err := pub.remoteBase(ctx)
	return err == nil && there != ""
}

// remoteBase gives where the remote's store was last seen, and the ref that says so;
// both are empty where there is none.
func (pub Publisher) remoteBase(ctx context.Context) (commit, ref string, err error) {
	tracking := pub.trackingRef()
	if tracking == "" {
		return "", "", nil
	}
	commit, err = pub.repo.Store.TipOf(ctx, tracking)
	if errors.Is(err, gitstore.ErrNoRef) {
		return "", "", nil
	}
	return commit, tracking, err
}

// Known gives the states of the store that others know, what is known most
// widely first: the remote's as it was last seen, then that of this repository.
func (r *Repo) Known(ctx context.Context) ([]*Snapshot, error) {
	there, _, err := r.Publisher().remoteBase(ctx)
	if err != nil {
		return nil, err
	}
	tip, err := r.tip(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Snapshot
	for _, commit := range []string{there, cmp.Or(tip, there)} {
		s, err := r.At(ctx, commit)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
