package gitstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// history follows commits to their parents and compares them.
type history struct{ objects }

// Step is a commit of a history and what it is compared with.
type Step struct {
	Commit string
	// Parent is the commit before it, or "" where history begins. In a history
	// of paths it is the next older commit there, which has the same content at
	// these paths as the first parent.
	Parent string
}

// Difference is an entry of a tree that a [Step] changed.
type Difference struct {
	// Path has slashes and is relative to the root.
	Path string
	// Old and New are the entries before and after; their modes are 0 and their
	// names "" where there is none.
	Old, New Entry
}

// maxDifferences bounds how many entries of the root one commit may change: far
// more than any store has to, and few enough to be kept in memory.
const maxDifferences = 500_000

// History gives the commits along first parents that lead to from, newest
// first, at most limit of them if limit > 0. With paths, which are pathspecs
// without magic of their own unless they begin with ":(", only those that
// changed one of them, as "git log -- path" has it.
func (s *history) History(ctx context.Context, from string, limit int, paths ...string) ([]Step, error) {
	if !s.repo.isName(from) {
		name, err := s.Resolve(ctx, from)
		if err != nil {
			return nil, err
		}
		from = name
	}
	args := []string{"rev-list", "--first-parent", "--parents"}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	args = append(args, from, "--")
	out, err := s.repo.Git.Read(ctx, append(args, literal(paths)...)...)
	if len(paths) > 0 && gaveUp(ctx, err) {
		return s.ownHistory(ctx, from, limit, paths)
	}
	if err != nil {
		return nil, err
	}
	var steps []Step
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		step := Step{Commit: names[0]}
		if len(names) > 1 {
			step.Parent = names[1]
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// GraphLine is a line of a drawing of history.
type GraphLine struct {
	// Art is what git draws: "*" for a commit, lines to its parents.
	Art string
	// Step is the commit on the line; its name is empty where lines only go on.
	Step Step
	// Merge says that the commit has several parents in the drawing.
	Merge bool
}

// Graph gives the commits reachable from one that changed anything at the paths,
// or all of them without paths, drawn by git with the lines between them,
// newest first; at most limit of them, or all for 0. Unlike [Store.History] it
// goes down every parent, unless git cannot compare a commit: then it is the
// history along first parents.
func (s *history) Graph(ctx context.Context, from string, limit int, paths ...string) ([]GraphLine, error) {
	args := []string{"rev-list", "--graph", "--parents", "--no-color"}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	args = append(args, "--end-of-options", from, "--")
	out, err := s.repo.Git.Read(ctx, append(args, literal(paths)...)...)
	if len(paths) > 0 && gaveUp(ctx, err) {
		return s.ownGraph(ctx, from, limit, paths)
	}
	if err != nil {
		return nil, err
	}
	var lines []GraphLine
	for text := range strings.Lines(string(out)) {
		l := GraphLine{Art: strings.TrimRight(text, "\n")}
		if at := strings.IndexAny(text, "0123456789abcdef"); at >= 0 { // no line is drawn with these
			names := strings.Fields(text[at:])
			l.Art, l.Step.Commit, l.Merge = text[:at], names[0], len(names) > 2
			if len(names) > 1 {
				l.Step.Parent = names[1]
			}
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// Lineage is a commit with all of its parents.
type Lineage struct {
	Commit  string
	Parents []string
}

// Between gives the commits that are reachable from tip and from none of known,
// each after its parents.
func (s *history) Between(ctx context.Context, tip string, known ...string) ([]Lineage, error) {
	var in strings.Builder
	fmt.Fprintln(&in, tip)
	for _, name := range known {
		fmt.Fprintln(&in, "^"+name)
	}
	out, err := s.repo.Git.ReadInput(ctx, strings.NewReader(in.String()), "rev-list", "--topo-order", "--reverse", "--parents", "--stdin")
	if err != nil {
		return nil, err
	}
	var all []Lineage
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		all = append(all, Lineage{names[0], names[1:]})
	}
	return all, nil
}

// literal makes paths mean themselves, from wherever git runs.
func literal(paths []string) []string {
	var specs []string
	for _, path := range paths {
		if !strings.HasPrefix(path, ":(") {
			path = ":(top,literal)" + path
		}
		specs = append(specs, path)
	}
	return specs
}

// Differences gives the entries of the root that each of steps changed. What is
// below them is not looked at, so that it costs the same whatever is there: one
// child of git for all steps.
func (s *history) Differences(ctx context.Context, steps []Step) ([][]Difference, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	if _, ok := s.unwritten(steps[len(steps)-1].Commit); ok { // git does not see it
		return s.ownDifferences(ctx, steps)
	}
	child, err := s.repo.Git.Start(ctx, "diff-tree", "--stdin", "--raw", "-z", "--root", "--always", "--no-renames", "--no-relative", "--")
	if err != nil {
		return nil, err
	}
	go func() {
		defer child.Stdin.Close()
		in := bufio.NewWriter(child.Stdin)
		for _, step := range steps {
			fmt.Fprintln(in, strings.TrimSpace(step.Commit+" "+step.Parent)) // a failure ends in an early end of the answer
		}
		_ = in.Flush()
	}()
	all, err := readDifferences(child.Stdout, steps)
	closed := child.Close()
	if gaveUp(ctx, closed) {
		return s.ownDifferences(ctx, steps)
	}
	if closed != nil {
		return nil, closed
	}
	return all, err
}

// readDifferences reads the answer of diff-tree: the name of each commit, then
// the entries that differ.
func readDifferences(r *bufio.Reader, steps []Step) ([][]Difference, error) {
	all := make([][]Difference, len(steps))
	at := -1
	for {
		field, err := r.ReadString(0)
		if errors.Is(err, io.EOF) && field == "" {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("git diff-tree ended early: %w", err)
		}
		field = strings.TrimSuffix(field, "\x00")
		if !strings.HasPrefix(field, ":") {
			if at++; at == len(steps) || field != steps[at].Commit {
				return nil, fmt.Errorf("git diff-tree answered %q", field)
			}
			continue
		}
		if at < 0 {
			return nil, fmt.Errorf("git diff-tree answered %q", field)
		}
		d, err := readDifference(r, field)
		if err != nil {
			return nil, err
		}
		if all[at] = append(all[at], d); len(all[at]) > maxDifferences {
			return nil, &TooManyError{Commit: steps[at].Commit, Limit: maxDifferences}
		}
	}
	if at != len(steps)-1 {
		return nil, errors.New("git diff-tree ended early")
	}
	return all, nil
}

// DifferencesOfTree gives the entries of the root that differ between a commit, or
// nothing for "", and a tree.
func (s *history) DifferencesOfTree(ctx context.Context, from, tree string) ([]Difference, error) {
	before, err := s.rootOf(ctx, from)
	if err != nil {
		return nil, err
	}
	after, err := s.tree(ctx, tree)
	if err != nil {
		return nil, err
	}
	return differingEntries(before, after), nil
}

// rootOf gives the entries of a commit's root; "" stands for nothing.
func (s *history) rootOf(ctx context.Context, commit string) ([]Entry, error) {
	if commit == "" {
		return nil, nil
	}
	c, err := s.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	entries, err := s.tree(ctx, c.Tree)
	if err != nil {
		return nil, fmt.Errorf("commit %.12s: %w", commit, err)
	}
	return entries, nil
}

// readDifference reads the path that follows what differs there.
func readDifference(r *bufio.Reader, field string) (Difference, error) {
	d, err := parseDifference(field)
	if err != nil {
		return d, fmt.Errorf("git diff-tree answered %q", field)
	}
	path, err := r.ReadString(0)
	if err != nil {
		return d, fmt.Errorf("git diff-tree ended early: %w", err)
	}
	d.Path = strings.TrimSuffix(path, "\x00")
	return d, nil
}

// parseDifference reads ":<mode> <mode> <object> <object> <status>".
func parseDifference(field string) (Difference, error) {
	parts := strings.Fields(strings.TrimPrefix(field, ":"))
	if len(parts) != 5 {
		return Difference{}, errors.New("not five fields")
	}
	before, errOld := parseSide(parts[0], parts[2])
	after, errNew := parseSide(parts[1], parts[3])
	return Difference{Old: before, New: after}, errors.Join(errOld, errNew)
}

// parseSide reads one side of a difference; mode 0 stands for no entry.
func parseSide(mode, object string) (Entry, error) {
	bits, err := strconv.ParseUint(mode, 8, 32)
	if bits == 0 {
		return Entry{}, err
	}
	return Entry{Mode: uint32(bits), Object: object}, err
}

// Resolve gives the commit that a revision, in any form git knows, names. It is
// a *[NotFoundError] if there is none.
func (s *history) Resolve(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.ContainsAny(rev, "\x00\n") {
		return "", &NotFoundError{rev}
	}
	peel := "^{commit}"
	if strings.HasPrefix(rev, ":/") { // all that follows is looked for in messages
		peel = ""
	}
	name, err := s.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+peel)
	if err == nil && s.repo.isName(name) {
		return name, nil
	}
	var refused *git.Error
	if err == nil || errors.As(err, &refused) {
		return "", &NotFoundError{rev}
	}
	return "", err
}

// IsAncestor reports whether commit is tip or one of its ancestors.
func (s *history) IsAncestor(ctx context.Context, commit, tip string) (bool, error) {
	if tip == "" || tip == commit {
		return tip == commit, nil
	}
	_, err := s.repo.Git.Read(ctx, "merge-base", "--is-ancestor", commit, tip)
	// A commit that was never written, or was pruned since, did not land.
	if git.IsMissing(err) || git.Said(err, "Not a valid") {
		return false, nil
	}
	return err == nil, err
}
