package setup_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/setup"
)

// servers are the files that name the server of tools, by agent.
func servers() map[string]string {
	return map[string]string{
		"claude": ".mcp.json", "codex": ".codex/config.toml", "cursor": ".cursor/mcp.json", "gemini": ".gemini/settings.json",
	}
}

// Without the server of tools a project is as it was before there was one, and
// so is one that had it; everything else stays.
func TestNoMCP(t *testing.T) {
	for name, before := range states() {
		for _, agent := range setup.Agents() {
			t.Run(agent.Name+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				fill(t, dir, before)
				with := setup.Setup{Agent: agent, Project: project(dir)}
				without := setup.Setup{Agent: agent, Project: project(dir), NoMCP: true}
				was := tree(t, dir)
				actions(t, without.Write)
				bare := tree(t, dir)
				if now := bare[servers()[agent.Name]]; strings.Contains(now, `"mcp"`) {
					t.Errorf("it has a server: %s", now)
				}
				all(t, actions(t, without.Write), setup.Unchanged)
				actions(t, with.Write)
				if now := tree(t, dir)[servers()[agent.Name]]; !strings.Contains(now, `"mcp"`) {
					t.Errorf("it has no server: %s", now)
				}
				actions(t, without.Write)
				if now := tree(t, dir); !maps.Equal(now, bare) {
					t.Errorf("left\n%q\nwas\n%q", now, bare)
				}
				actions(t, with.Remove)
				if now := tree(t, dir); !maps.Equal(now, was) {
					t.Errorf("removed to\n%q\nwas\n%q", now, was)
				}
			})
		}
	}
}

// A server of our name that a user wrote, or changed, outlasts both.
func TestServerOfOthers(t *testing.T) {
	const doc, table = `{"mcpServers": {"git-plan": {"command": "git", "args": ["plan", "mcp"], "env": {"A": "b"}}}}`, "[mcp_servers.\"git-plan\"]\ncommand = \"mine\"\n"
	for name, path := range servers() {
		dir := t.TempDir()
		theirs := doc
		if name == "codex" {
			theirs = table
		}
		fill(t, dir, map[string]string{path: theirs})
		was := tree(t, dir)
		s := setup.Setup{Agent: find(t, name), Project: project(dir)}
		for _, do := range []func() ([]setup.File, error){s.Write, s.Write} {
			files, err := do()
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(files, func(f setup.File) bool { return f.Path == path })
			if f := files[i]; !strings.Contains(f.Note, "git-plan` of yours, which stays as it is: if it does not run `git plan mcp`, rename it") || !strings.Contains(f.Snippet, `"mcp"`) {
				t.Errorf("%s: %+v", path, f)
			}
		}
		if now := tree(t, dir)[path]; strings.Count(now, "git-plan") != strings.Count(theirs, "git-plan") || !strings.Contains(now, "\"mine\"") && !strings.Contains(now, `"env"`) {
			t.Errorf("%s is now %s", path, now)
		}
		actions(t, s.Remove)
		if now := tree(t, dir); !maps.Equal(now, was) {
			t.Errorf("left %q", now)
		}
	}
}

// What is said again in TOML is an error there, however it was written.
func TestTablesOfOthers(t *testing.T) {
	for line, theirs := range map[string]bool{
		"[mcp_servers.git-plan]":              true,
		"[ mcp_servers . 'git-plan' ]":        true,
		"[mcp_servers.git-plan.env]":          true,
		"mcp_servers.git-plan.command = 'x'":  true,
		"[mcp_servers]\ngit-plan = {}":        true,
		"mcp_servers = {}":                    true,
		"[mcp_servers]":                       false,
		"[mcp_servers.git-plan-2]":            false,
		"[mcp_servers.other]\ncwd='git-plan'": false,
		"# [mcp_servers.git-plan]":            false,
	} {
		dir := t.TempDir()
		fill(t, dir, map[string]string{".codex/config.toml": line + "\n"})
		actions(t, setup.Setup{Agent: find(t, "codex"), Project: project(dir)}.Write)
		if written := strings.Contains(tree(t, dir)[".codex/config.toml"], "# The plan as tools."); written == theirs {
			t.Errorf("%s: written is %v", line, written)
		}
	}
}

// In a linked worktree the server is written, and the setting of the sandbox
// that a shared file has already stays.
func TestServerInLinkedWorktree(t *testing.T) {
	dir := t.TempDir()
	main := setup.Setup{Agent: find(t, "codex"), Project: project(dir)}
	linked := main
	linked.Project.Linked = true
	actions(t, linked.Write)
	if now := tree(t, dir)[".codex/config.toml"]; strings.Contains(now, "sandbox") || !strings.Contains(now, "mcp_servers") {
		t.Errorf("wrote %s", now)
	}
	actions(t, main.Write)
	was := tree(t, dir)
	all(t, actions(t, linked.Write), setup.Unchanged)
	if now := tree(t, dir); !maps.Equal(now, was) || !strings.Contains(now[".codex/config.toml"], "sandbox") {
		t.Errorf("left %q", now)
	}
	linked.NoMCP = true
	actions(t, linked.Remove)
	if got := actions(t, linked.Write); got[".codex/config.toml"] != setup.Left || tree(t, dir)[".codex/config.toml"] != "" {
		t.Errorf("did %v", got)
	}
}
