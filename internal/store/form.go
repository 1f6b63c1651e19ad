package store

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// names refuses trees that no git makes: with two entries of one name, of which
// readers see one or the other, or with a name that looks like a path.
func (g *gate) names(differences []gitstore.Difference) {
	now, folders := map[string]bool{}, map[string]bool{".": true}
	for _, d := range differences {
		folders[d.Path] = folders[d.Path] || d.Old.IsFolder() || d.New.IsFolder()
		if d.New.Mode == 0 {
			continue
		}
		if now[d.Path] || !folders[path.Dir(d.Path)] {
			g.add(d.Path, plan.RuleStrayFile, "the tree is malformed: this name stands in it twice, or holds a slash", "make the commit with git, and look with `git fsck`")
		}
		now[d.Path] = true
	}
}

// form refuses a root that no git writes. Only where a name came can there be
// one that stands there twice, or in the wrong place.
func (g *gate) form(ctx context.Context, differences []gitstore.Difference) error {
	came := func(d gitstore.Difference) bool { return d.Old.Mode == 0 && !strings.Contains(d.Path, "/") }
	if !slices.ContainsFunc(differences, came) {
		return nil
	}
	s, err := g.repo.stateOf(ctx, g.verdict.Candidate)
	if err != nil {
		return err
	}
	g.malformed("", s.root)
	return nil
}

// archiveForm refuses folders of the archive that no git writes. Which names
// stand in the wrong place the differences do not show.
func (g *gate) archiveForm(ctx context.Context, differences []gitstore.Difference) error {
	for _, d := range differences {
		if d.Path != Archive && (path.Dir(d.Path) != Archive || !isYear(path.Base(d.Path))) {
			continue
		}
		entries, err := changes{g.repo}.entries(ctx, d.New)
		if err != nil {
			return err
		}
		g.malformed(d.Path, entries)
	}
	return nil
}

// malformed reports a folder that no git writes, once.
func (g *gate) malformed(dir string, entries []gitstore.Entry) {
	name, reason := gitstore.Malformed(entries)
	at := join(dir, name)
	told := slices.ContainsFunc(g.verdict.Findings, func(d diag.Diagnostic) bool { return d.Path == at })
	if reason != "" && !told {
		g.add(at, plan.RuleStrayFile, reason, "make the commit with git, and look with `git fsck`")
	}
}

// recoded reports the files that are not stored as they are read, with LF line ends
// and without a byte order mark, unless they were so before: whoever changes a word
// of one later would change every line.
func recoded(p, before *plan.Plan) []diag.Diagnostic {
	now := slices.DeleteFunc(p.Documents(), func(d *plan.Document) bool { return d.Recoded.Line == 0 })
	if len(now) == 0 {
		return nil // as nearly always: what was before need not be looked through
	}
	had := map[string]bool{}
	if before != nil {
		for _, d := range before.Documents() {
			had[d.Source] = had[d.Source] || d.Recoded.Line > 0
		}
	}
	var found []diag.Diagnostic
	for _, d := range now {
		if !had[d.Source] {
			found = append(found, diag.Diagnostic{
				Path: path.Join(p.Prefix, d.Path), Pos: d.Recoded, Rule: plan.RuleEncoding,
				Message: "what is stored has LF line ends and no byte order mark", Hint: "write it so: `git plan fmt` does, in a worktree",
			})
		}
	}
	return found
}

// ownFolder judges a folder of the store's own files, whatever is in them.
func (g *gate) ownFolder(ctx context.Context, dir string, e gitstore.Entry) error {
	type folder struct{ path, tree string }
	left := maxOwnFiles
	for folders := []folder{{dir, e.Object}}; len(folders) > 0; folders = folders[1:] {
		at := folders[0]
		entries, err := g.repo.Store.Tree(ctx, at.tree)
		if err != nil {
			return err
		}
		if left -= len(entries); left < 0 {
			g.add(dir, plan.RuleLimits, fmt.Sprintf("the folder holds more than %d files and folders", maxOwnFiles), "keep to what checks the plans")
			return nil
		}
		g.malformed(at.path, entries)
		for _, e := range entries {
			switch mode := fileMode(e.Mode); {
			case isUnsafe(e.Name):
				g.add(join(at.path, e.Name), plan.RuleStrayFile, "git checks no such name out", "remove it from the commit")
			case mode == plan.Symlink && g.staysInside(ctx, e):
			case !e.IsFolder() && mode != plan.Regular && mode != plan.Executable:
				g.add(join(at.path, e.Name), plan.RuleFileMode, "it leads elsewhere, and the store's own files are files", "remove it from the commit")
			}
			if e.IsFolder() {
				folders = append(folders, folder{join(at.path, e.Name), e.Object})
			}
		}
	}
	return nil
}

// staysInside reports whether a link leads no further up than the folder it is in.
func (g *gate) staysInside(ctx context.Context, e gitstore.Entry) bool {
	const longest = 4096 // bytes, of a path
	target, err := g.repo.Store.Blob(ctx, e.Object, longest)
	below := strings.TrimPrefix(string(target), "./")
	return err == nil && below != "" && !slices.ContainsFunc(strings.Split(below, "/"), isUnsafe)
}

// isUnsafe reports whether an entry of a tree has a name that git refuses to check
// out, here or on another file system: it would lead out of the worktree, or into
// the repository.
func isUnsafe(name string) bool {
	bare := strings.Map(func(c rune) rune { // HFS+ passes over some of these
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
	bare, _, _ = strings.Cut(bare, ":") // NTFS has streams behind it
	switch bare = strings.TrimRight(bare, ". "); {
	case bare == "" || len(name) > plan.MaxName || strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl):
		return true
	case bare == ".git":
		return true
	}
	short, cut := strings.CutPrefix(bare, "git~")
	return cut && strings.Trim(short, "0123456789") == ""
}

// maxOwnFiles bounds the store's own files in a folder.
const maxOwnFiles = 1000
