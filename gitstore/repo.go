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

	glance  atomic.Pointer[string] // taken once, by whichever goroutine comes first
	glanced string                 // the ref that it is of
	below   []string               // the refs below a prefix, when the repository was found

	configuring sync.Mutex // guards the next two
	config      *Config
	configErr   error

	versionOnce sync.Once
	lazyGit     bool // see isFlushedByUs
}

// Discover asks git for the repository that g stands in. If there is none the
// error is a *[NotRepositoryError]; another refusal of git, such as that of a
// folder owned by someone else, is a *[git.Error].
//
// The configuration is asked for at the same time, and so is what ref points
// at, a full name or "": see [Repo.Glance]. The refs below a prefix, if one is given,
// are listed along: see [Repo.Below].
func Discover(ctx context.Context, g git.Git, ref string, below ...string) (*Repo, error) {
	r := &Repo{Git: g, glanced: ref}
	go func() { _, _ = r.Config(ctx) }()
	err := r.ask(ctx, ref, below)
	if err != nil && ref != "" && git.Status(err) > 0 {
		err = r.ask(ctx, "", below) // most often because the ref does not exist
	}
	if err != nil {
		return nil, refusal(err)
	}
	return r, nil
}

// ask runs git rev-parse once. --show-toplevel comes last: it fails where
// there is no working tree, after all else has been answered.
func (r *Repo) ask(ctx context.Context, ref string, below []string) error {
	args := []string{"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
		"--show-object-format", "--is-bare-repository", "--is-inside-work-tree", "--show-prefix"}
	want := 7
	if ref != "" {
		args, want = append(args, ref, "--symbolic-full-name", ref), want+1
	}
	if len(below) > 0 {
		args = append(args, "--symbolic-full-name", "--glob="+below[0])
	}
	out, err := r.Git.Read(ctx, append(args, "--show-toplevel")...)
	answers := strings.SplitN(string(out), "\n", want)
	outside := git.Said(err, "must be run in a work tree") && len(answers) == want && answers[4] == "false"
	if err != nil && !outside {
		return err
	}
	if len(answers) < want {
		return fmt.Errorf("git rev-parse gave %d answers of %d: %q", len(answers), want, out)
	}
	r.GitDir, r.CommonDir, r.ObjectFormat = answers[0], answers[1], answers[2]
	r.Bare, r.Prefix = answers[3] == "true", answers[5]
	top := answers[want-1]
	isBelow := func() bool { return len(below) > 0 && strings.HasPrefix(top, below[0]) }
	if ref != "" && !isBelow() {
		var exact bool
		if exact, top = isExact(ref, top); exact {
			r.glance.Store(&answers[6])
		}
	}
	for isBelow() {
		name, rest, _ := strings.Cut(top, "\n")
		r.below, top = append(r.below, name), rest
	}
	if !outside {
		r.WorkTree = strings.TrimSuffix(top, "\n")
	}
	if !strings.HasPrefix(r.ObjectFormat, "sha") || !outside && (!filepath.IsAbs(r.WorkTree) || strings.Contains(r.WorkTree, "\n")) { // an answer is not where it belongs
		return fmt.Errorf("a folder here has a line end in its name, which is not supported: rename it; git rev-parse gave %q", out)
	}
	return nil
}

// isExact reports whether git took a ref by its full name, from the answer to
// --symbolic-full-name and what follows it, and gives what follows. To git
// refs/heads/x may also be short for a branch that is named like that, and the
// answer is missing where it could be both.
func isExact(ref, answers string) (exact bool, rest string) {
	name, rest, _ := strings.Cut(answers, "\n")
	if !strings.HasPrefix(name, "refs/") { // the folder, which is absolute
		return false, answers
	}
	return name == ref, rest
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

// Below gives the full names of the refs below the prefix named to [Discover], as
// they were then.
func (r *Repo) Below() []string { return r.below }

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
