package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/git-plan/git-plan/internal/paths"
)

// manager is a program that has the hooks of a repository: git runs its files,
// and they run what its own configuration names. Nothing is written into what
// it owns.
type manager struct {
	name string
	// file is where it is told what to run for an event.
	file func(Event) string
	// snippet is what to put there.
	snippet func(Event) string
	// called reports whether the text of that file runs git plan.
	called func(text string, event Event) bool
	// missing says what to do where it is not set up here, or nothing.
	missing func(Event) string
}

// findManager tells husky, lefthook and pre-commit by the files they are
// configured by, or by what they put where git looks for hooks.
func (in *Installer) findManager() *manager {
	if in.repo.WorkTree == "" {
		return nil
	}
	for _, find := range []func() *manager{in.findHusky, in.findLefthook, in.findPreCommit} {
		if m := find(); m != nil {
			return m
		}
	}
	return nil
}

// has reports whether the manager runs hooks for an event.
func (m *manager) has(event Event) bool { return m.snippet(event) != "" }

// calls reports whether it runs git plan for an event.
func (m *manager) calls(event Event) bool { return m.called(readText(m.file(event)), event) }

// works reports whether git plan runs by it already.
func (m *manager) works(event Event) bool {
	return m.has(event) && m.calls(event) && m.missing(event) == ""
}

// install says what to tell the manager.
func (m *manager) install(event Event) Hook {
	row := Hook{Event: event, State: Unchanged, Path: m.file(event), Message: m.name + " runs it"}
	if !m.calls(event) {
		row.State, row.Snippet = Managed, m.snippet(event)
		row.Message = m.name + " has the hooks here: add the lines to this file"
	}
	return row
}

// status says whether the manager would run git plan. Its hooks are not run:
// they do other things, too.
func (m *manager) status(event Event) Hook {
	row := Hook{Event: event, State: Called, Path: m.file(event), Message: m.name + " runs it; not tested, as that would run all it runs"}
	switch missing := m.missing(event); {
	case !m.calls(event):
		row = m.install(event)
		row.State = NotInstalled
	case missing != "":
		row.State, row.Message = ManagerMissing, m.name+" is not set up here, and git runs nothing: "+missing
	}
	return row
}

func (in *Installer) findHusky() *manager {
	folder := filepath.Join(in.repo.WorkTree, ".husky")
	switch {
	case filepath.Base(in.dir) == ".husky":
		folder = in.dir
	case filepath.Base(in.dir) == "_" && filepath.Base(filepath.Dir(in.dir)) == ".husky":
		folder = filepath.Dir(in.dir)
	case !isFolder(folder):
		return nil
	}
	return &manager{
		name:    "husky",
		file:    func(event Event) string { return filepath.Join(folder, string(event)) },
		snippet: func(event Event) string { return fmt.Sprintf("git plan hooks run %s \"$@\"\n", event) },
		called:  callsUs,
		missing: func(event Event) string {
			if !paths.IsIn(folder, in.dir) {
				return "run `husky`, as `npm install` does"
			}
			if p, err := lookAt(in.file(event)); err != nil || !p.executable {
				return "run `husky` in this worktree, as `npm install` does"
			}
			return ""
		},
	}
}

func (in *Installer) findLefthook() *manager {
	file := in.managerFile("lefthook", "lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml", ".lefthook.toml",
		"lefthook.json", ".lefthook.json", ".config/lefthook.yml", ".config/lefthook.yaml")
	if file == "" {
		return nil
	}
	return &manager{
		name: "lefthook",
		file: func(Event) string { return file },
		snippet: func(event Event) string {
			text := fmt.Sprintf("%s:\n  commands:\n    git-plan:\n      run: git plan hooks run %s {0}\n", event, event)
			if event.readsInput() {
				text += "      use_stdin: true\n"
			}
			return text
		},
		called:  callsUs,
		missing: in.hookMissing("lefthook", "run `lefthook install`"),
	}
}

func (in *Installer) findPreCommit() *manager {
	file := in.managerFile("pre-commit.com", ".pre-commit-config.yaml", ".pre-commit-config.yml")
	if file == "" {
		return nil
	}
	return &manager{
		name: "pre-commit",
		file: func(Event) string { return file },
		snippet: func(event Event) string {
			if event == ReferenceTransaction || event == PreReceive {
				return "" // it has no such stage
			}
			return preCommitSnippet(event)
		},
		called: func(text string, event Event) bool { return callsUs(text, event) || namesPreCommitHook(text, event) },
		missing: func(event Event) string {
			return in.hookMissing("pre-commit", "run `pre-commit install --hook-type "+string(event)+"`")(event)
		},
	}
}

// preCommitSnippet is a hook of the repository's own: it needs no download.
// pre-commit reads what git feeds pre-push itself and tells it in variables.
func preCommitSnippet(event Event) string {
	id, files := preCommitID(event), "        pass_filenames: false\n"
	if event == CommitMsg || event == PrepareCommitMsg {
		files = "" // the message's file
	}
	return "  - repo: local\n    hooks:\n" +
		"      - id: " + id + "\n" +
		"        name: git plan, " + string(event) + "\n" +
		"        entry: " + preCommitEntry(event) + "\n" +
		"        language: system\n" +
		"        stages: [" + string(event) + "]\n" +
		"        always_run: true\n" + files
}

func preCommitEntry(event Event) string {
	if event != PrePush {
		return "git-plan hooks run " + string(event)
	}
	return `sh -c 'printf "%s %s %s %040d\n" "$PRE_COMMIT_LOCAL_BRANCH" "$(git rev-parse "$PRE_COMMIT_LOCAL_BRANCH")" "$PRE_COMMIT_REMOTE_BRANCH" 0 | ` +
		`git-plan hooks run pre-push "$PRE_COMMIT_REMOTE_NAME" "$PRE_COMMIT_REMOTE_URL"'`
}

// preCommitID is the name of an event's hook in .pre-commit-hooks.yaml.
func preCommitID(event Event) string {
	if event == PreCommit {
		return "git-plan"
	}
	return "git-plan-" + string(event)
}

func namesPreCommitHook(text string, event Event) bool {
	id := regexp.QuoteMeta(preCommitID(event))
	return regexp.MustCompile(`(?m)^[^#\n]*\bid:\s*["']?` + id + `(-system)?["']?\s*([,}#].*)?$`).MatchString(text)
}

// hookMissing makes a manager's missing from a word that its hooks contain.
func (in *Installer) hookMissing(word, remedy string) func(Event) string {
	return func(event Event) string {
		p, err := lookAt(in.file(event))
		if err == nil && p.executable && strings.Contains(strings.ToLower(p.text), word) {
			return ""
		}
		return remedy
	}
}

// managerFile gives the file that a manager is configured by: the first of these at
// the top of the working tree; or the usual one, if a hook that git would run
// contains the manager's word.
func (in *Installer) managerFile(word string, names ...string) string {
	for _, name := range names {
		path := filepath.Join(in.repo.WorkTree, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	for _, event := range Events() {
		if p, err := lookAt(in.file(event)); err == nil && !p.ours && strings.Contains(strings.ToLower(p.text), word) {
			return filepath.Join(in.repo.WorkTree, names[0])
		}
	}
	return ""
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readText gives a file's text, or nothing.
func readText(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}
