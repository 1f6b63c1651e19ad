package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ownProgram is the short name of git plan's own processes.
const ownProgram = "git-plan"

// Processes is what the machine tells about who works in a repository at one
// moment. A git that waits for an editor, or for the end of a transaction,
// keeps a lock whose file it has closed; so besides the files that are open,
// each git that works in the repository counts.
type Processes struct {
	open  map[string]string // who has a file below the repository open, by path
	gits  []string          // gits at work in it that may hold a lock
	ours  map[int]string    // git plan's own, by id
	blind string            // why some cannot be looked at, or ""
}

// process is one as the system shows it.
type process struct {
	id      int
	program string   // its short name
	args    []string // its command line
	dir     string   // where it works
	env     []string
	files   []string // what it has open
	hidden  bool     // no more than id and program may be seen
}

func (p process) String() string {
	words := p.program
	if len(p.args) > 0 {
		words = strings.Join(p.args, " ")
	}
	if len(words) > 60 {
		words = words[:60] + "…"
	}
	return fmt.Sprintf("process %d (%s)", p.id, words)
}

// Processes looks at the living processes. It costs a few system calls for
// each, so ask only when something was found that may be left behind. On Linux
// /proc tells; elsewhere, and for a repository on a file system that other
// machines may share, nothing is known but ages.
func (s *Store) Processes(ctx context.Context) *Processes {
	p := s.processesNow(ctx)
	// One that only passes by, or is seen while it begins or ends, is no holder.
	for range 2 {
		if len(p.gits) == 0 && p.blind == "" || sleep(ctx, 100*time.Millisecond) != nil {
			break
		}
		p = s.processesNow(ctx)
	}
	return p
}

func (s *Store) processesNow(ctx context.Context) *Processes {
	roots := s.roots(ctx)
	p := &Processes{open: map[string]string{}, ours: map[int]string{}}
	if p.blind = sharedFileSystem(s.repo.CommonDir); p.blind != "" {
		return p
	}
	all, err := listProcesses()
	if err != nil {
		p.blind = err.Error()
		return p
	}
	for _, one := range all {
		p.add(one, roots)
	}
	return p
}

// add sorts in one process.
func (p *Processes) add(one process, roots []string) {
	// Another git plan holds no locks itself: its children do.
	isGit := one.program == "git" || strings.HasPrefix(one.program, "git-") && one.program != ownProgram
	if one.hidden {
		if isGit {
			p.blind = fmt.Sprintf("process %d (%s) belongs to someone else", one.id, one.program)
		}
		return
	}
	if one.program == ownProgram {
		p.ours[one.id] = one.String()
	}
	for _, path := range one.files {
		if within(path, roots) {
			p.open[path] = one.String()
		}
	}
	if isGit && !one.onlyReads() && one.worksIn(roots) {
		p.gits = append(p.gits, one.String())
	}
}

// onlyReads reports whether it is one of the gits that live long and take no
// locks.
func (p process) onlyReads() bool {
	return slices.ContainsFunc(p.args, func(arg string) bool {
		return arg == "cat-file" || arg == "fsmonitor--daemon" || arg == "daemon"
	})
}

// worksIn reports whether a git was started in one of the folders, or for it.
func (p process) worksIn(roots []string) bool {
	if within(p.dir, roots) {
		return true
	}
	for _, kv := range p.env {
		key, value, _ := strings.Cut(kv, "=")
		if (key == "GIT_DIR" || key == "GIT_WORK_TREE") && within(value, roots) {
			return true
		}
	}
	return slices.ContainsFunc(p.args, func(arg string) bool {
		_, value, ok := strings.Cut(arg, "=")
		return within(arg, roots) || ok && within(value, roots)
	})
}

// within reports whether path is one of the folders or lies in one.
func within(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return path == root || strings.HasPrefix(path, root+string(filepath.Separator))
	})
}

// roots gives the folders that make up the repository, by their true names.
func (s *Store) roots(ctx context.Context) []string {
	roots := []string{s.repo.CommonDir, s.repo.GitDir, s.repo.objectDir()}
	if out, err := s.repo.Git.Read(ctx, "worktree", "list", "--porcelain"); err == nil {
		for line := range strings.Lines(string(out)) {
			if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "worktree "); ok {
				roots = append(roots, path)
			}
		}
	}
	for i, root := range roots {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			roots[i] = real
		}
	}
	return roots
}

// Holder names a living process that has a file open, or "".
func (p *Processes) Holder(path string) string { return p.open[trueName(path)] }

// holderBelow names one that has a file in a folder open, or "".
func (p *Processes) holderBelow(dir string) string {
	roots := []string{trueName(dir)}
	for path, who := range p.open {
		if within(path, roots) {
			return who
		}
	}
	return ""
}

// trueName gives a path with the links on the way to it resolved.
func trueName(path string) string {
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return path
}

// abandoned reports whether nobody needs a file that git makes for the length
// of one command: it is older than age and no living process can hold it, or,
// where that cannot be known, older than blindAge. Otherwise why says what
// speaks against it.
func (p *Processes) abandoned(path string, old, age time.Duration) (yes bool, why string) {
	switch holder := p.Holder(path); {
	case holder != "":
		return false, "it is open in " + holder
	case old < age:
		return false, "it is new"
	case len(p.gits) > 0:
		return false, p.gits[0] + " is at work in the repository"
	case p.blind != "" && old < blindAge:
		return false, p.blind
	}
	return true, ""
}
