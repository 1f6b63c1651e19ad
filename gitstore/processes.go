package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// isOwnProgram reports whether a short name is that of git plan's own processes,
// of which some run the full program.
func isOwnProgram(name string) bool {
	return name == "git-plan" || strings.HasPrefix(name, "git-plan-")
}

// Processes is what the machine tells about who works in a repository at one
// moment. A git that waits for an editor, or for the end of a transaction,
// keeps a lock whose file it has closed; so besides the files that are open,
// each git that works in the repository counts.
type Processes struct {
	open  map[string]string // who has a file below the repository open, by path
	gits  []string          // gits at work in it that may hold a lock
	ours  map[int]string    // git plan's own, by id
	blind string            // why none can be looked at, or ""

	strangers []process // gits of other users, of which nobody tells where they work
	owned     bool      // a file here belongs to the user whose process made it
}

// process is one as the system shows it.
type process struct {
	id      int
	program string   // its short name
	args    []string // its command line
	dir     string   // where it works
	env     []string
	files   []string // what it has open
	hidden  bool     // no more than id, program, command line and users may be seen
	users   []int    // whom files that it makes may belong to, where it is hidden
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
		if len(p.gits) == 0 && len(p.strangers) == 0 || sleep(ctx, 100*time.Millisecond) != nil {
			break
		}
		p = s.processesNow(ctx)
	}
	return p
}

func (s *Store) processesNow(ctx context.Context) *Processes {
	roots := s.roots(ctx)
	p := &Processes{open: map[string]string{}, ours: map[int]string{}, owned: keepsOwners(s.repo.CommonDir)}
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
	if isOwnProgram(one.program) { // it holds no locks itself: its children do
		p.ours[one.id] = one.String()
	}
	isGit := !isOwnProgram(one.program) && (one.program == "git" || strings.HasPrefix(one.program, "git-"))
	if one.hidden {
		if isGit && !one.takesNoLocks() {
			p.strangers = append(p.strangers, one)
		}
		return
	}
	for _, path := range one.files {
		if within(path, roots) {
			p.open[path] = one.String()
		}
	}
	if isGit && !one.takesNoLocks() && one.worksIn(roots) {
		p.gits = append(p.gits, one.String())
	}
}

// takesNoLocks reports whether it is one of the gits that may live long, such as
// one whose pager is open, and hold no lock meanwhile. One that was asked for
// git plan waits for it, as for a viewer or a server of tools.
func (p process) takesNoLocks() bool {
	switch p.command() {
	case "plan", "cat-file", "fsmonitor--daemon", "daemon", "credential-cache--daemon", "upload-pack", "upload-archive",
		"log", "show", "blame", "annotate", "shortlog", "grep", "rev-list", "ls-files", "ls-tree", "for-each-ref", "archive":
		return true
	}
	return false
}

// command gives what a git was asked for, or "".
func (p process) command() string {
	if len(p.args) == 0 {
		return ""
	}
	if name, ok := strings.CutPrefix(filepath.Base(p.args[0]), "git-"); ok {
		return name
	}
	for i := 1; i < len(p.args); i++ {
		switch arg := p.args[i]; {
		case slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"}, arg):
			i++ // its value
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
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
	if who := p.stranger(path); who != "" && old < blindAge {
		return false, who + " belongs to someone else"
	}
	return true, ""
}

// stranger names a git of another user that may have made a file, or "".
func (p *Processes) stranger(path string) string {
	for _, one := range p.strangers {
		owner, known := ownerOf(path)
		if !p.owned || !known || len(one.users) == 0 || slices.Contains(one.users, owner) {
			return one.String()
		}
	}
	return ""
}
