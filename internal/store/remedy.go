package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// remedy is the way to push what would be refused.
func (s *syncing) remedy(ctx context.Context, got Reception) string {
	switch {
	case len(got.Reasons) > 0: // which are about the gate that is published
		return s.repo.mendGates(got.Old)
	case got.Old == "": // the tip was judged as a whole, by which history it came about or not
		return fmt.Sprintf("what is new at %s has to pass the gate as a whole: in a worktree of %s mend that, and commit", s.remote.Name, s.repo.Branch())
	case got.Lowering != "" && !s.isOnto(ctx, got):
		return fmt.Sprintf("commit %.12[1]s asks for less in %[2]s, which holds once it is published with what is there: `git worktree add --detach DIR %.12[1]s`, in DIR `git merge %.12[3]s` and `git push %[4]s HEAD:%[5]s`, then `git plan sync`",
			got.Lowering, GatesFile, got.Old, s.remote.Name, s.repo.Ref)
	case got.Lowering != "":
		return fmt.Sprintf("commit %.12s asks for less in %s, which holds once it is published: `git push %s %.12s:%s`, then `git plan sync`", got.Lowering, GatesFile, s.remote.Name, got.Lowering, s.repo.Ref)
	}
	return "commits that do not pass the gate as it is published now cannot be pushed: `git plan sync --rewrite` makes them anew, in one with what mends them"
}

// mergeOwnFiles says how files of the store that are in no plan are merged, if they
// conflict with what the remote has.
func (s *syncing) mergeOwnFiles(theirs, then string) {
	var files []string
	for _, c := range s.out.Conflicts {
		if c.Plan == "" {
			file, _, _ := strings.Cut(c.Field, " ") // the key of a setting follows
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return
	}
	slices.Sort(files)
	s.out.Details = append(s.out.Details, fmt.Sprintf("settle %s with git, in a worktree of %s: `git merge %.10s`, commit, then `%s`",
		strings.Join(slices.Compact(files), ", "), s.repo.Branch(), theirs, then))
}

// isOnto reports whether the commit that lowers the gate goes on from what is there.
func (s *syncing) isOnto(ctx context.Context, got Reception) bool {
	onto, err := s.repo.Store.IsAncestor(ctx, got.Old, got.Lowering)
	return onto || err != nil
}

// adviseRewriting says what to do about commits that cannot be made anew.
func (s *syncing) adviseRewriting(ctx context.Context, theirs string) error {
	var found []diag.Diagnostic
	var err error
	if theirs != "" {
		_, found, err = s.repo.GatesAt(ctx, theirs)
	}
	advice := s.repo.mendGates(theirs)
	if len(found) == 0 {
		advice = fmt.Sprintf("made one they do not pass either: in a worktree of %s mend that, or take it back with `git revert`; commit, and run `git plan sync --rewrite` again", s.repo.Branch())
	}
	s.out.Details = append(s.out.Details, advice)
	return err
}

// mendGates says how to go on where what is published has a gate in error.
func (r *Repo) mendGates(theirs string) string {
	return fmt.Sprintf("in a worktree of %s: `git merge %.10s`, mend %s, commit, then `git plan sync`", r.Branch(), theirs, GatesFile)
}
