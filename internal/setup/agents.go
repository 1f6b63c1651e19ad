package setup

import (
	"strings"

	"github.com/git-plan/git-plan/internal/jsonedit"
	"github.com/git-plan/git-plan/internal/marked"
	"github.com/git-plan/git-plan/internal/prompt"
)

// Agent is a coding agent that a project can be set up for.
type Agent struct {
	// Name is what people call it on the command line, Title its own name.
	Name, Title string
	// files are what is written for it.
	files func(Project) []file
}

// Agents are all that there are, sorted by name.
func Agents() []Agent {
	return []Agent{
		{"claude", "Claude Code", claude},
		{"codex", "Codex", codex},
		{"cursor", "Cursor", cursor},
		{"gemini", "Gemini CLI", gemini},
	}
}

// file is one file and what of ours belongs into it.
type file struct {
	path string
	edit edit
	// remark is what the user is told beside it, "" for nothing. Where there is
	// no edit it is all there is.
	remark string
}

// The commands that hooks run. By their beginnings our entries are known.
const (
	primeCommand = "git plan prime"
	guardCommand = "git plan agent-hook"
)

// isOurs reports whether an entry in a list of hooks is ours: one that runs our
// commands and no other, by itself or in a group.
func isOurs(entry any) bool {
	m, ok := entry.(map[string]any)
	if !ok {
		return false
	}
	if command, ok := m["command"].(string); ok {
		return strings.HasPrefix(command+" ", primeCommand+" ") || strings.HasPrefix(command+" ", guardCommand+" ")
	}
	hooks, ok := m["hooks"].([]any)
	for _, h := range hooks {
		if !isOurs(h) {
			return false
		}
	}
	return ok && len(hooks) > 0
}

// claude: hooks are groups with a matcher; what SessionStart prints is read by
// the model; 2 from the others is a no, with the reason on stderr.
func claude(p Project) []file {
	return []file{
		{path: "CLAUDE.md", edit: textEdit{style: marked.Markdown, block: prompt.Block()}},
		{path: ".claude/settings.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand)},
			{"hooks.PreToolUse", group("Edit|MultiEdit|Write|NotebookEdit|Bash", guardCommand)},
			{"hooks.PostToolUse", group("Edit|MultiEdit|Write", guardCommand)},
			{"hooks.Stop", group("", guardCommand)},
		}}, remark: linked(p, `its sandbox must let commands write to git: add "`+p.CommonDir+`" to sandbox.filesystem.allowWrite in .claude/settings.local.json`)},
	}
}

// codex: hooks have the form of Claude Code's, in a file of their own. Its
// sandbox keeps the git directory read-only unless it is named as a root of its
// own; a relative path counts from the folder of the file.
func codex(p Project) []file {
	sandbox := file{path: ".codex/config.toml", edit: textEdit{
		style: marked.Hash,
		block: "# Reports to the plan are commits: the sandbox must let git write.\n[sandbox_workspace_write]\nwritable_roots = [\"../.git\"]",
		clash: "sandbox_workspace_write",
		wants: `add "../.git" to writable_roots in [sandbox_workspace_write]`,
	}}
	if p.Linked {
		sandbox.edit = nil
		sandbox.remark = linked(p, `its sandbox must let git write: put writable_roots = ["`+p.CommonDir+`"] below [sandbox_workspace_write] in ~/.codex/config.toml`)
	}
	return []file{
		{path: "AGENTS.md", edit: textEdit{style: marked.Markdown, block: prompt.Block()}},
		{path: ".codex/hooks.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand)},
			{"hooks.PreToolUse", group("", guardCommand)},
			{"hooks.PostToolUse", group("", guardCommand)},
			{"hooks.Stop", group("", guardCommand)},
		}}},
		sandbox,
	}
}

// cursor: a rule that always applies; hooks are commands without groups, and
// what sessionStart prints is a document.
func cursor(p Project) []file {
	return []file{
		{path: ".cursor/rules/git-plan.mdc", edit: textEdit{
			style: marked.Markdown, block: prompt.Block(),
			head: "---\ndescription: How work is planned and reported in this project\nglobs:\nalwaysApply: true\n---\n",
		}},
		{path: ".cursor/hooks.json", edit: jsonEdit{
			entries: []entry{
				{"hooks.sessionStart", command(primeCommand + " --format cursor")},
				{"hooks.preToolUse", command(guardCommand)},
				{"hooks.afterFileEdit", command(guardCommand)},
				{"hooks.stop", command(guardCommand)},
			},
			fresh: jsonedit.Member{Key: "version", Value: 1},
		}, remark: linked(p, `its sandbox must let commands write to git: add "`+p.CommonDir+`" to additionalReadwritePaths in .cursor/sandbox.json`)},
	}
}

// gemini: what SessionStart prints is a document. It reads no file that git
// ignores, as the folder of drafts is; what .geminiignore takes back it reads.
func gemini(p Project) []file {
	files := []file{
		{path: "GEMINI.md", edit: textEdit{style: marked.Markdown, block: prompt.Block()}},
		{path: ".gemini/settings.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand+" --format gemini")},
			{"hooks.BeforeTool", group("write_file|replace|run_shell_command", guardCommand)},
			{"hooks.AfterTool", group("write_file|replace", guardCommand)},
			{"hooks.AfterAgent", group("", guardCommand)},
		}}},
	}
	if p.Drafts == "" {
		return files
	}
	return append(files, file{path: ".geminiignore", edit: textEdit{
		style: marked.Hash,
		block: "# Drafts of plans are ignored by git, and must be read and written here.\n!/" + p.Drafts + "/",
	}})
}

// linked is a remark for linked worktrees, whose git directory is elsewhere on
// the machine: no setting that is shared can name it.
func linked(p Project, remark string) string {
	if !p.Linked {
		return ""
	}
	return "this is a linked worktree: " + remark
}

// command is a hook that runs a command.
func command(run string) jsonedit.Object {
	return jsonedit.Object{{Key: "command", Value: run}}
}

// group is a hook that runs a command, in a group with a matcher, if any.
func group(matcher, run string) jsonedit.Object {
	hook := append(jsonedit.Object{{Key: "type", Value: "command"}}, command(run)...)
	g := jsonedit.Object{{Key: "hooks", Value: jsonedit.List{hook}}}
	if matcher != "" {
		g = append(jsonedit.Object{{Key: "matcher", Value: matcher}}, g...)
	}
	return g
}
