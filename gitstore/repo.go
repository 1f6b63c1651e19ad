// Package gitstore keeps named bytes on a ref of a git repository: it reads
// them at any commit and adds commits to the ref, each expected to follow the
// tip it was made for. It knows nothing of what the bytes mean.
//
// Begin with [Discover], which asks git where the repository is, and [Open].
// Read with [Store.Tip], [Store.Lookup] and [Store.Blob]; write with
// [Store.Update], the only way to move the ref. [Store.Close] ends what reading
// started.
//
// Objects are read by this process where their files lie in the ordinary shape,
// and by a git child elsewhere; [Store.Engine] tells which.
//
// Refs, configuration, identities and signatures are always git's own; object
// names are opaque strings. What is missing is an error of its own,
// [MissingObjectError], and is never taken for an absent file.
package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-plan/git-plan/internal/git"
)

// Repo is a repository as git sees it from one folder.
type Repo struct {
	// Git runs git where the repository was found. It does not change.
	Git git.Git
	// GitDir and CommonDir are absolute; they differ in a linked worktree.
	GitDir, CommonDir string
	// WorkTree is the top of the working tree; "" if the repository is bare or
	// the folder lies inside the git directory.
	WorkTree string
	// Prefix is the folder below WorkTree, with a slash at its end, or "".
	Prefix string
	// Bare says that the repository has no working tree.
	Bare bool
	// ObjectFormat is sha1 or sha256.
	ObjectFormat string
	// Seen are the refs that [Discover] was asked for, by full name, and what they
	// pointed at then, "" where that is not known.
	Seen map[string]string

	glance  atomic.Pointer[string] // taken once, by whichever goroutine comes first
	glanced string                 // the ref that it is of

	configuring sync.Mutex // guards the next two
	config      *Config
	configErr   error

	passwords string // see rememberPassword

	versionOnce sync.Once
	lazyGit     bool // see isFlushedByUs
}

// Discover asks git for the repository that g stands in. If there is none the
// error is a *[NotRepositoryError]; another refusal of git, such as that of a
// folder owned by someone else, is a *[git.Error].
//
// The configuration is asked for at the same time, and so is what ref points
// at, a full name or "": see [Repo.Glance]. The refs that match others, patterns as
// `git rev-parse --glob` takes them, are read along: see Repo.Seen.
func Discover(ctx context.Context, g git.Git, ref string, others ...string) (*Repo, error) {
	r := &Repo{Git: g, glanced: ref}
	go func() { _, _ = r.Config(ctx) }()
	err := r.ask(ctx, ref, others)
	if err != nil && ref != "" && git.Status(err) > 0 {
		err = r.ask(ctx, "", others) // most often because the ref does not exist
	}
	if err != nil {
		return nil, refusal(err)
	}
	return r, nil
}

// ask runs git rev-parse once. --show-toplevel comes last: it fails where
// there is no working tree, after all else has been answered.
func (r *Repo) ask(ctx context.Context, ref string, others []string) error {
	var refs []string
	if ref != "" {
		refs = append(refs, ref)
	}
	for _, pattern := range others {
		refs = append(refs, "--glob="+pattern)
	}
	args := slices.Concat([]string{"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
		"--show-object-format", "--is-bare-repository", "--is-inside-work-tree", "--show-prefix"},
		refs, []string{"--symbolic-full-name"}, refs, []string{"--show-toplevel"})
	out, err := r.Git.Read(ctx, args...)
	const fixed = 6
	answers := strings.SplitN(string(out), "\n", fixed+1)
	outside := git.Said(err, "must be run in a work tree") && len(answers) > fixed && answers[4] == "false"
	if err != nil && !outside {
		return err
	}
	if len(answers) <= fixed {
		return fmt.Errorf("git rev-parse gave %d answers: %q", len(answers), out)
	}
	r.GitDir, r.CommonDir, r.ObjectFormat = answers[0], answers[1], answers[2]
	r.Bare, r.Prefix = answers[3] == "true", answers[5]
	top := r.take(ref, answers[fixed])
	if !outside {
		r.WorkTree = strings.TrimSuffix(top, "\n")
	}
	if !strings.HasPrefix(r.ObjectFormat, "sha") || !outside && (!filepath.IsAbs(r.WorkTree) || strings.Contains(r.WorkTree, "\n")) { // an answer is not where it belongs
		return fmt.Errorf("a folder here has a line end in its name, which is not supported: rename it; git rev-parse gave %q", out)
	}
	return nil
}

// take reads what refs point at, all objects and then all names, and gives what
// follows. To git refs/heads/x may also be short for a branch that is named like
// that, and its name is missing where it could be both.
func (r *Repo) take(ref, answers string) (rest string) {
	var objects, names []string
	for {
		line, after, _ := strings.Cut(answers, "\n")
		switch {
		case r.isName(line):
			objects = append(objects, line)
		case strings.HasPrefix(line, "refs/"):
			names = append(names, line)
		default:
			if len(objects) != len(names) { // one has just come or gone, if it is not that
				objects = make([]string, len(names))
			}
			r.Seen = map[string]string{}
			for i, name := range names {
				r.Seen[name] = objects[i]
			}
			if at := r.Seen[ref]; at != "" && names[0] == ref {
				r.glance.Store(&at)
			}
			return answers
		}
		answers = after
	}
}

// Glance gives what the ref named to [Discover] pointed at then, once, and ""
// from then on, or if it did not exist or stands for another. It spares a reader that has just begun
// from asking again; who writes asks [Store.Tip].
func (r *Repo) Glance() string {
	if name := r.glance.Swap(nil); name != nil {
		return *name
	}
	return ""
}

// Recall lets the next [Repo.Glance] give what the ref points at for all that the
// caller knows, who has just read it. [Store.Update] begins there then, and finds
// out if it is no longer so.
func (r *Repo) Recall(commit string) { r.glance.Store(&commit) }

// refusal tells git's "not a git repository" from its other refusals. Something
// may stand before it, when git is traced for example.
func refusal(err error) error {
	const words = "not a git repository"
	var e *git.Error
	if errors.As(err, &e) {
		if _, rest, ok := strings.Cut("\n"+e.Stderr, "\nfatal: "+words); ok {
			return &NotRepositoryError{Words: strings.TrimSpace(words + rest)}
		}
	}
	return err
}

// nameLen is the length of an object name in hexadecimal.
func (r *Repo) nameLen() int {
	if r.ObjectFormat == "sha256" {
		return 64
	}
	return 40
}

// zeros is the object name that stands for "none".
func (r *Repo) zeros() string { return strings.Repeat("0", r.nameLen()) }

// EmptyTree is the name of the tree without entries.
func (r *Repo) EmptyTree() string {
	if r.ObjectFormat == "sha256" {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// isName reports whether s is a whole object name of this repository.
func (r *Repo) isName(s string) bool {
	if len(s) != r.nameLen() {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

// objectDir is where git writes objects.
func (r *Repo) objectDir() string {
	dir := r.Git.Getenv("GIT_OBJECT_DIRECTORY")
	switch {
	case dir == "":
		return filepath.Join(r.CommonDir, "objects")
	case !filepath.IsAbs(dir):
		return filepath.Join(r.Git.Dir, dir)
	}
	return dir
}
