package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/atomicfile"
	"github.com/git-plan/git-plan/validate"
)

// InitResult says what [Repo.Init] found or made.
type InitResult struct {
	// Commit is the tip.
	Commit string
	// Created, Adopted: a new store was made, or a remote's was taken over.
	// Neither: it was there.
	Created, Adopted bool
	// Gate is the store's gate.
	Gate validate.Gate
}

// Init makes the store: a root commit that is the same in every clone, then a
// commit with the store's own files. A store that is there is left as it is,
// and one that a remote is known to have is adopted.
func (r *Repo) Init(ctx context.Context, gate validate.Gate) (InitResult, error) {
	r.Glance() // it may be out of date in a moment
	var result InitResult
	_, err := r.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) {
		if result, err = createStore(ctx, r, gate); err != nil {
			return InitResult{}, err
		}
	}
	if err != nil {
		return InitResult{}, err
	}
	s, err := r.Snapshot(ctx)
	if err != nil {
		return InitResult{}, err
	}
	gates, _, err := s.Gates(ctx)
	result.Commit, result.Gate = s.Commit, gates.Gate
	return result, err
}

func createStore(ctx context.Context, r *Repo, gate validate.Gate) (InitResult, error) {
	remote, ref, err := r.Publisher().remoteBase(ctx)
	if err != nil {
		return InitResult{}, err
	}
	if remote != "" {
		theirs, err := r.At(ctx, remote)
		if err != nil {
			return InitResult{}, err
		}
		if err := theirs.MustBeStore(ctx, ""); err != nil {
			return InitResult{}, err
		}
		return InitResult{Adopted: true}, adoptStore(ctx, r, remote, ref)
	}
	created := false
	_, err = r.Store.Update(ctx, "plan: init", func(tip gitstore.Tip) ([]gitstore.Change, error) {
		if created = tip.Commit == ""; !created {
			return nil, nil // another process was first
		}
		return []gitstore.Change{rootChange(), filesChange(gate)}, nil
	})
	return InitResult{Created: created}, err
}

// adoptStore makes the local ref from the remote-tracking one and lets native git
// know where it comes from.
func adoptStore(ctx context.Context, r *Repo, commit, tracking string) error {
	zero := strings.Repeat("0", len(commit))
	_, err := r.Git.Write(ctx, nil, "update-ref", "--create-reflog", "-m", "plan: init, from "+tracking, r.Ref, commit, zero)
	if tip, tipErr := r.Store.Tip(ctx); err != nil && (tipErr != nil || tip.Commit != commit) {
		return err // else another process was first, with the same
	}
	if _, ok := r.Config.Get("branch." + r.Branch() + ".remote"); ok {
		return nil
	}
	if _, err := r.Git.Write(ctx, nil, "config", "branch."+r.Branch()+".remote", r.Remote()); err != nil {
		return err
	}
	_, err = r.Git.Write(ctx, nil, "config", "branch."+r.Branch()+".merge", r.Ref)
	return err
}

// rootChange is the first commit of every store. It must never change: two
// clones that both begin meet in it.
func rootChange() gitstore.Change {
	who := &gitstore.Ident{Name: "git plan", Email: "git-plan@localhost", When: time.Unix(1136239445, 0).UTC()}
	return gitstore.Change{Root: true, Author: who, Committer: who, Unsigned: true, Message: "Begin the plans\n"}
}

// isRoot reports whether a commit is that first one, in either format of objects.
func isRoot(commit string) bool {
	return commit == "beac3d0c50fdd2f258714bc47075dc2f359b8384" ||
		commit == "74f79bc4aecb1d005686d92c2ce61c724bbcdbb5bbbbcb6c1fbc0650be91e81c"
}

// setupChange is the identity of the commit that sets a store up: of two clones that
// both do, one is enough.
const setupChange = "setup"

func filesChange(gate validate.Gate) gitstore.Change {
	return gitstore.Change{
		Parents: []string{gitstore.Previous}, Base: gitstore.Previous,
		Message: "Set up the plan store\n\n" + trailerChange + ": " + setupChange + "\n",
		Files: []gitstore.FileChange{
			{Path: "README.md", Data: []byte(storeReadme)},
			{Path: ".gitattributes", Data: []byte("*.md text eol=lf merge=plan diff=plan\ngates.yaml text eol=lf\n")},
			{Path: GatesFile, Data: fmt.Appendf(nil, storeGates, gate)},
		},
	}
}

const storeReadme = `# Plans

This branch holds work plans. Each folder is a plan: ` + "`plan.md`" + ` says what is to be
reached and why, and each file in ` + "`tasks/`" + ` is one task. Every commit is a set of
plans that passed the gate in ` + "`gates.yaml`" + `.

Read and change plans with ` + "`git plan`" + `: ` + "`git plan list`" + `, ` + "`git plan show <plan>`" + `,
` + "`git plan next`" + `. The branch has no history in common with the code and is never
merged into it.
`

const storeGates = `# What a plan must be to land on this branch; see "git plan explain".
format: 1
gate: %s
`

// Exclude keeps the folder of drafts out of git's sight through info/exclude,
// unless plan.draftExclude says not to. It reports whether it added the line.
func (r *Repo) Exclude(pattern string) (added bool, err error) {
	if on, err := r.Config.Bool("plan.draftExclude", true); err != nil || !on {
		return false, err
	}
	file := filepath.Join(r.CommonDir, "info", "exclude")
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	for line := range bytes.Lines(data) {
		if strings.TrimSpace(string(line)) == pattern {
			return false, nil
		}
	}
	text := "# drafts of git plan\n" + pattern + "\n"
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		text = "\n" + text
	}
	if err := appendTo(r, file, text); err != nil {
		return false, &gitstore.ReadOnlyError{Path: file, Err: err}
	}
	return true, nil
}

// appendTo adds text to the end of a file by one write: what others add at the
// same time stays.
func appendTo(r *Repo, file, text string) error {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		defer r.Share(file)
		defer r.Share(filepath.Dir(file))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// WriteFile replaces a file as a whole: a reader sees the old content or the
// new, and a crash leaves one of them. A symbolic link is followed.
func WriteFile(file string, data []byte) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(file)
	return atomicfile.Write(root, name, fmt.Sprintf("%s.tmp%d", name, os.Getpid()), string(data))
}
