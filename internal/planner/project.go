package planner

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/suggest"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// How much of a project a model is shown, in bytes.
const (
	maxListing = 46_000
	maxFiles   = 30_000  // of contents, all files together
	maxSample  = 110_000 // the same, where the project is searched for work
	maxFile    = 12_000
	overhead   = 300     // of a part, with fences and title
	minFile    = 1_000   // what is worth beginning a file for
	maxText    = 1 << 20 // of a file that is read at all
)

// Project is what a model is shown of a project.
type Project struct {
	// Listing names files, a line each, and says in Note which it leaves out.
	Listing, Note string
	// Files are contents.
	Files []prompt.Part

	size int // of the files in bytes, with their titles
}

// Add shows what a file holds, as far as there is room.
func (p *Project) Add(name, text string, room int) {
	f := prompt.Part{Title: "File " + code(name), Text: text}
	if f.Max = min(maxFile, room-p.size-len(f.Title)-overhead); f.Max > 0 {
		p.size += min(len(text), f.Max) + len(f.Title) + overhead
		p.Files = append(p.Files, f)
	}
}

// Around is what a judge is told of the project: the names of the files.
func (p Project) Around() []prompt.Part {
	return []prompt.Part{{Title: "Files of the project" + p.Note, Text: p.Listing, Max: maxListing}}
}

// parts show a model the project.
func (p Project) parts() []prompt.Part { return append(p.Around(), p.Files...) }

// Sources are the files of a project, in the working tree, or in a bare
// repository in the commit HEAD names.
type Sources struct {
	repo   *store.Repo
	commit string
	// Names are the paths of the files, sorted.
	Names []string
}

// Options say which files are looked at.
type Options struct {
	// LeaveOut is a folder, or empty.
	LeaveOut string
	// Tracked leaves out files that git does not track yet.
	Tracked bool
}

// Look lists the files of the project that git tracks or would track. Names
// that no plan could hold are left out.
func Look(ctx context.Context, repo *store.Repo, opts Options) (*Sources, error) {
	s := &Sources{repo: repo}
	args := []string{"ls-files", "-z", "--full-name", "--cached"}
	if !opts.Tracked {
		args = append(args, "--others", "--exclude-standard")
	}
	if args = append(args, "--", ":/"); opts.LeaveOut != "" {
		args = append(args, ":(exclude,top,literal)"+opts.LeaveOut)
	}
	if repo.WorkTree == "" {
		commit, err := repo.Store.Resolve(ctx, "HEAD")
		if err != nil {
			return s, nil // there is nothing to look at
		}
		s.commit, args = commit, []string{"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit}
	}
	listed, err := repo.Git.Read(ctx, args...)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(string(listed), "\x00") {
		if name != "" && plan.CheckPath(name) == "" && plan.CheckText(name) == nil && utf8.ValidString(name) {
			s.Names = append(s.Names, name)
		}
	}
	slices.Sort(s.Names)
	s.Names = slices.Compact(s.Names) // a file in conflict stands there three times
	return s, nil
}

// Has reports whether a path is that of a file of the project.
func (s *Sources) Has(name string) bool {
	_, ok := slices.BinarySearch(s.Names, name)
	return ok
}

// Project is what a model is shown: the files by name, those that are named and
// in folders that are before others, and what the named ones hold, as far as
// there is room. What of these is not shown is told in notes.
func (s *Sources) Project(ctx context.Context, named []string) (p Project, notes []string, err error) {
	p.Listing, p.Note = s.Listing(named)
	for _, name := range named {
		files, out := []string{name}, 0
		folder := s.isFolder(name)
		if folder {
			files = s.below(name)
		}
		for _, f := range files {
			if maxFiles-p.size < minFile {
				out++
				continue
			}
			text, err := s.Text(ctx, f)
			var none *NoFileError
			switch {
			case errors.As(err, &none):
				if !folder {
					notes = append(notes, err.Error())
				}
				continue
			case err != nil:
				return p, notes, err
			}
			p.Add(f, text, maxFiles)
		}
		if out > 0 {
			notes = append(notes, fmt.Sprintf("%s: there is no room for what %s of it hold", name, words.Count(out, "file")))
		}
	}
	return p, notes, nil
}

// below gives the files in a folder that are the project's own text, by their
// names.
func (s *Sources) below(folder string) []string {
	var out []string
	for _, n := range s.Names {
		if (folder == "." || strings.HasPrefix(n, path.Clean(folder)+"/")) && !suggest.IsForeign(n) {
			out = append(out, n)
		}
	}
	return out
}

// isFolder reports whether files of the project are in a folder of that name.
func (s *Sources) isFolder(name string) bool {
	name = path.Clean(name)
	i, _ := slices.BinarySearch(s.Names, name+"/")
	return name == "." || i < len(s.Names) && strings.HasPrefix(s.Names[i], name+"/")
}

// Listing names as many files as there is room for: those that are named first,
// or in a folder that is, then those higher up. The note tells of the others.
func (s *Sources) Listing(first []string) (listing, note string) {
	chosen, size := slices.Clone(s.Names), 0
	for _, n := range s.Names {
		size += len(n) + 1
	}
	if size > maxListing {
		chosen = s.choose(first)
		note = fmt.Sprintf(" (%d of %d; the others are left out)", len(chosen), len(s.Names))
	}
	return strings.Join(s.there(chosen), "\n"), note
}

// About is what a model is shown of the project beside a plan: the files by name,
// those that its tasks name before others.
func (s *Sources) About(p *plan.Plan) (out Project) {
	var first []string
	for _, t := range p.All() {
		first = append(first, t.Doc.List("relevant_file_paths")...)
	}
	out.Listing, out.Note = s.Listing(first)
	return out
}

// there leaves out files that are tracked and gone from the working tree, which
// the gate would not find.
func (s *Sources) there(names []string) []string {
	root, err := os.OpenRoot(s.repo.WorkTree)
	if s.repo.WorkTree == "" || err != nil {
		return names
	}
	defer root.Close()
	return slices.DeleteFunc(names, func(n string) bool {
		_, err := root.Lstat(filepath.FromSlash(n))
		return err != nil
	})
}

func (s *Sources) choose(first []string) []string {
	rank := make(map[string]int, len(s.Names))
	for _, n := range s.Names {
		rank[n] = strings.Count(n, "/")
		for _, f := range first {
			f = strings.TrimSuffix(f, "/")
			if n == f || f == "." || strings.HasPrefix(n, f+"/") {
				rank[n] = -1
			}
		}
	}
	ordered := slices.Clone(s.Names)
	slices.SortStableFunc(ordered, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	size, n := 0, 0
	for ; n < len(ordered) && size+len(ordered[n])+1 <= maxListing; n++ {
		size += len(ordered[n]) + 1
	}
	chosen := ordered[:n]
	slices.Sort(chosen)
	return chosen
}

// NoFileError is returned when a file that the user named cannot be shown to
// the model.
type NoFileError struct{ Path, Reason string }

func (e *NoFileError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

// Text reads a file of the project as text. One that is none is a
// *[NoFileError]: a folder, something outside that a link leads to, bytes that
// are no UTF-8, more than a model could be shown.
func (s *Sources) Text(ctx context.Context, name string) (string, error) {
	read := s.inTree
	if s.repo.WorkTree == "" {
		read = s.inCommit
	}
	data, err := read(ctx, path.Clean(name))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxText:
		return "", &NoFileError{name, fmt.Sprintf("it is larger than %d bytes", maxText)}
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return "", &NoFileError{name, "it is no text in UTF-8"}
	}
	return string(data), nil
}

// inTree reads below the top folder, where links lead no further.
func (s *Sources) inTree(_ context.Context, name string) ([]byte, error) {
	root, err := os.OpenRoot(s.repo.WorkTree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	local := filepath.FromSlash(name)
	info, err := root.Stat(local)
	switch {
	case err != nil:
		return nil, &NoFileError{name, "it is missing, or a link leads out of the project"}
	case !info.Mode().IsRegular(): // reading a pipe would wait for its writer
		return nil, &NoFileError{name, "it is no file"}
	}
	f, err := root.Open(local)
	if err != nil {
		return nil, &NoFileError{name, "it cannot be read: look at its permissions"}
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxText+1))
}

func (s *Sources) inCommit(ctx context.Context, name string) ([]byte, error) {
	if s.commit == "" {
		return nil, &NoFileError{name, "there is no commit to look in"}
	}
	entry, ok, err := s.repo.Store.Lookup(ctx, s.commit, name)
	switch {
	case err != nil:
		return nil, err
	case !ok || entry.IsFolder() || entry.Mode&0o170000 != 0o100000:
		return nil, &NoFileError{name, "it is no file"}
	}
	data, err := s.repo.Store.Blob(ctx, entry.Object, maxText)
	var large *gitstore.TooLargeError
	if errors.As(err, &large) {
		return make([]byte, maxText+1), nil // which is told like any other that is too large
	}
	return data, err
}
