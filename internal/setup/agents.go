package setup

import (
	"slices"
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
	files func(Setup) []file
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
	// remark is what the user is told beside it, "" for nothing.
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
	return runs(entry, func(hook map[string]any) bool { return !strings.ContainsAny(hook["command"].(string), ";&|<>()$`\n") })
}

// isEdited reports whether an entry that runs our commands is not as we write it any
// more: somebody has put something beside them, a time limit, say.
func isEdited(entry any) bool {
	return runs(entry, func(map[string]any) bool { return true }) && !(isOurs(entry) && hasNoMore(entry))
}

// runs reports whether an entry runs our commands, by itself or in a group, and each
// such hook is as wanted.
func runs(entry any, wanted func(hook map[string]any) bool) bool {
	m, ok := entry.(map[string]any)
	if !ok {
		return false
	}
	if command, ok := m["command"].(string); ok {
		return (strings.HasPrefix(command+" ", primeCommand+" ") || strings.HasPrefix(command+" ", guardCommand+" ")) && wanted(m)
	}
	hooks, ok := m["hooks"].([]any)
	for _, h := range hooks {
		if !runs(h, wanted) {
			return false
		}
	}
	return ok && len(hooks) > 0
}

// hasNoMore reports whether an entry has no other keys than those we write, and no
// other flags in its commands.
func hasNoMore(entry any) bool {
	m, _ := entry.(map[string]any)
	if command, ok := m["command"].(string); ok && !slices.Contains([]string{primeCommand, primeCommand + " --format cursor", primeCommand + " --format gemini", guardCommand}, command) {
		return false
	}
	for key := range m {
		if !slices.Contains([]string{"matcher", "hooks", "type", "command"}, key) {
			return false
		}
	}
	hooks, _ := m["hooks"].([]any)
	return !slices.ContainsFunc(hooks, func(h any) bool { return !hasNoMore(h) })
}

// claude: hooks are groups with a matcher; what SessionStart prints is read by
// the model; 2 from the others is a no, with the reason on stderr.
func claude(s Setup) []file {
	return []file{
		{path: "CLAUDE.md", edit: textEdit{style: marked.Markdown, parts: block(prompt.Text("block"))}},
		{path: ".claude/settings.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand)},
			{"hooks.PreToolUse", group("Edit|MultiEdit|Write|NotebookEdit|Bash", guardCommand)},
			{"hooks.PostToolUse", group("Edit|MultiEdit|Write", guardCommand)},
			{"hooks.Stop", group("", guardCommand)},
		}}, remark: linked(s.Project, `its sandbox must let commands write to git: add "`+s.Project.CommonDir+`" to sandbox.filesystem.allowWrite in .claude/settings.local.json`)},
		{path: ".mcp.json", edit: serverEdit(s)},
	}
}

// codex: hooks have the form of Claude Code's, in a file of their own. Its
// sandbox keeps the git directory read-only unless it is named as a root of its
// own; a relative path counts from the folder of the file. Servers of tools
// stand beside that setting, and run outside of the sandbox.
func codex(s Setup) []file {
	sandbox := part{
		text:  "# Reports to the plan are commits: the sandbox must let git write.\n[sandbox_workspace_write]\nwritable_roots = [\"../.git\"]",
		clash: func(line string) bool { return strings.Contains(line, "sandbox_workspace_write") },
		wants: "it sets `sandbox_workspace_write` already: add \"../.git\" to writable_roots in [sandbox_workspace_write]",
		stays: s.Project.Linked,
	}
	server := part{
		text:  "# The plan as tools.\n[mcp_servers." + serverName + "]\ncommand = \"git\"\nargs = [\"plan\", \"mcp\"]",
		clash: definesServer,
		wants: "there is a `mcp_servers." + serverName + "` of yours, which stays as it is: if it does not run `git plan mcp`, rename it",
	}
	config := textEdit{style: marked.Hash, parts: []part{sandbox}}
	if !s.NoMCP {
		config.parts = append(config.parts, server)
	}
	return []file{
		{path: "AGENTS.md", edit: textEdit{style: marked.Markdown, parts: block(prompt.Text("block"))}},
		{path: ".codex/hooks.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand)},
			{"hooks.PreToolUse", group("", guardCommand)},
			{"hooks.PostToolUse", group("", guardCommand)},
			{"hooks.Stop", group("", guardCommand)},
		}}},
		{path: ".codex/config.toml", edit: config,
			remark: linked(s.Project, `its sandbox must let git write: put writable_roots = ["`+s.Project.CommonDir+`"] below [sandbox_workspace_write] in ~/.codex/config.toml`)},
	}
}

// definesServer reports whether a line of TOML defines a server of our name, or
// all servers in one value, which no table can add to.
func definesServer(line string) bool {
	squeezed := strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(line)
	if squeezed = strings.TrimPrefix(squeezed, "["); strings.HasPrefix(squeezed, "mcp_servers=") {
		return true
	}
	rest, ours := strings.CutPrefix(strings.TrimPrefix(squeezed, "mcp_servers."), serverName)
	return ours && rest != "" && strings.ContainsAny(rest[:1], "].=")
}

// cursor: a rule that always applies; hooks are commands without groups, and
// what sessionStart prints is a document.
func cursor(s Setup) []file {
	return []file{
		{path: ".cursor/rules/git-plan.mdc", edit: textEdit{
			style: marked.Markdown, parts: block(prompt.Text("block")),
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
		}, remark: linked(s.Project, `its sandbox must let commands write to git: add "`+s.Project.CommonDir+`" to additionalReadwritePaths in .cursor/sandbox.json`)},
		{path: ".cursor/mcp.json", edit: serverEdit(s)},
	}
}

// gemini: what SessionStart prints is a document. It reads no file that git
// ignores, as the folder of drafts is; what .geminiignore takes back it reads.
func gemini(s Setup) []file {
	files := []file{
		{path: "GEMINI.md", edit: textEdit{style: marked.Markdown, parts: block(prompt.Text("block"))}},
		{path: ".gemini/settings.json", edit: jsonEdit{entries: []entry{
			{"hooks.SessionStart", group("", primeCommand+" --format gemini")},
			{"hooks.BeforeTool", group("write_file|replace|run_shell_command", guardCommand)},
			{"hooks.AfterTool", group("write_file|replace", guardCommand)},
			{"hooks.AfterAgent", group("", guardCommand)},
		}, members: serverEdit(s).members}},
	}
	if s.Project.Drafts == "" {
		return files
	}
	return append(files, file{path: ".geminiignore", edit: textEdit{
		style: marked.Hash,
		parts: block("# Drafts of plans are ignored by git, and must be read and written here.\n!/" + s.Project.Drafts + "/"),
	}})
}

// serverName is the name of our server of tools. It has no underscore: where
// agents make names of tools from it, that would end it.
const serverName = "git-plan"

// serverEdit puts the server of tools into a document that lists servers.
func serverEdit(s Setup) jsonEdit {
	server := jsonedit.Object{{Key: "command", Value: "git"}, {Key: "args", Value: jsonedit.List{"plan", "mcp"}}}
	return jsonEdit{members: []member{{path: "mcpServers." + serverName, value: server, out: s.NoMCP}}}
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
