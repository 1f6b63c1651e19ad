package setup_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/setup"
)

func find(t *testing.T, name string) setup.Agent {
	t.Helper()
	agent, ok := setup.Find(name)
	if !ok {
		t.Fatalf("there is no agent %s", name)
	}
	return agent
}

func project(dir string) setup.Project {
	return setup.Project{Dir: dir, CommonDir: filepath.Join(dir, ".git"), Drafts: ".plans"}
}

// tree reads all files below a folder; of a link it gives where it leads.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, p)
		if d.Type()&fs.ModeSymlink != 0 {
			files[name], err = os.Readlink(p)
			return err
		}
		if d.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(p)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fill(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func actions(t *testing.T, do func() ([]setup.File, error)) map[string]setup.Action {
	t.Helper()
	files, err := do()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]setup.Action{}
	for _, f := range files {
		got[f.Path] = f.Action
	}
	return got
}

func all(t *testing.T, got map[string]setup.Action, want setup.Action) {
	t.Helper()
	for path, action := range got {
		if action != want {
			t.Errorf("%s was %s, not %s", path, action, want)
		}
	}
}

// states are what a project may hold before it is set up.
func states() map[string]map[string]string {
	texts := []string{"CLAUDE.md", "AGENTS.md", "GEMINI.md", ".geminiignore", ".cursor/rules/git-plan.mdc", ".codex/config.toml"}
	docs := []string{".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json", ".mcp.json", ".cursor/mcp.json"}
	with := func(text, doc string) map[string]string {
		files := map[string]string{}
		for _, name := range texts {
			files[name] = text
		}
		for _, name := range docs {
			files[name] = doc
		}
		return files
	}
	return map[string]map[string]string{
		"nothing":    {},
		"texts":      with("model = 1\n\n", "{\n  \"model\": \"x\"\n}\n"),
		"open lines": with("x", "{}"),
		"crlf":       with("a\r\nb\r\n", "{\r\n\t\"hooks\": {\r\n\t}\r\n}"),
		"empty":      with("", "{\"hooks\": { } }\n"),
		"hooks": with("\n", `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo hi"}]}],
 "sessionStart": [], "Stop": [ ]}, "version": 1 // mine
}`),
		"servers":      with("[mcp_servers.other]\ncommand = \"git-plan\"\n", "\ufeff{\"mcpServers\": {\n    \"other\": {\"command\": \"x\"} // mine\n}, \"b\": {}, \"a\": []}"),
		"no servers":   with("\ufeff[mcp_servers]\r\n", "{\n\t\"mcpServers\": {\n\t}\n}\n"),
		"version only": with("# x\n", "{\n  \"version\": 1\n}\n"),
	}
}

// What setting up did, removing undoes: to the byte, files and folders.
func TestRemoveUndoesWrite(t *testing.T) {
	for name, before := range states() {
		for _, agent := range setup.Agents() {
			t.Run(agent.Name+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				fill(t, dir, before)
				was := tree(t, dir)
				s := setup.Setup{Agent: agent, Project: project(dir)}
				first := actions(t, s.Write)
				for path, action := range first {
					if _, there := before[path]; there && action != setup.Changed || !there && action != setup.Created {
						t.Errorf("%s was %s", path, action)
					}
				}
				written := tree(t, dir)
				all(t, actions(t, s.Write), setup.Unchanged)
				if !maps.Equal(tree(t, dir), written) {
					t.Error("a second time changed files")
				}
				actions(t, s.Remove)
				if now := tree(t, dir); !maps.Equal(now, was) {
					t.Errorf("left\n%q\nwas\n%q", now, was)
				}
				all(t, actions(t, s.Remove), setup.Unchanged)
			})
		}
	}
}

// All agents in one project are in each other's way nowhere.
func TestAllAgentsAtOnce(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, map[string]string{"AGENTS.md": "# Rules\n"})
	was := tree(t, dir)
	for _, agent := range setup.Agents() {
		actions(t, setup.Setup{Agent: agent, Project: project(dir)}.Write)
	}
	for _, agent := range setup.Agents() {
		s := setup.Setup{Agent: agent, Project: project(dir)}
		all(t, actions(t, s.Write), setup.Unchanged)
		actions(t, s.Remove)
	}
	if now := tree(t, dir); !maps.Equal(now, was) {
		t.Errorf("left %q", now)
	}
}

// The hooks are in the form that each agent reads.
func TestHooks(t *testing.T) {
	dir := t.TempDir()
	for _, agent := range setup.Agents() {
		actions(t, setup.Setup{Agent: agent, Project: project(dir)}.Write)
	}
	files := tree(t, dir)
	for name, want := range map[string][]string{
		".claude/settings.json": {"hooks.SessionStart.0.hooks.0.command=git plan prime", "hooks.Stop.0.hooks.0.command=git plan agent-hook", "hooks.Stop.0.hooks.0.type=command"},
		".codex/hooks.json":     {"hooks.SessionStart.0.hooks.0.command=git plan prime", "hooks.Stop.0.hooks.0.command=git plan agent-hook"},
		".cursor/hooks.json":    {"version=1", "hooks.sessionStart.0.command=git plan prime --format cursor", "hooks.stop.0.command=git plan agent-hook"},
		".mcp.json":             {"mcpServers.git-plan.command=git", "mcpServers.git-plan.args=[\"plan\",\"mcp\"]"},
		".cursor/mcp.json":      {"mcpServers.git-plan.command=git", "mcpServers.git-plan.args=[\"plan\",\"mcp\"]"},
		".gemini/settings.json": {"mcpServers.git-plan.command=git", "mcpServers.git-plan.args=[\"plan\",\"mcp\"]", "hooks.SessionStart.0.hooks.0.command=git plan prime --format gemini", "hooks.AfterAgent.0.hooks.0.command=git plan agent-hook"},
	} {
		var doc any
		if err := json.Unmarshal([]byte(files[name]), &doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, w := range want {
			path, value, _ := strings.Cut(w, "=")
			if got := at(doc, strings.Split(path, ".")); got != value {
				t.Errorf("%s: %s is %q, not %q", name, path, got, value)
			}
		}
	}
	for name, want := range map[string]string{
		".codex/config.toml":         "[sandbox_workspace_write]\nwritable_roots = [\"../.git\"]\n\n# The plan as tools.\n[mcp_servers.git-plan]\ncommand = \"git\"\nargs = [\"plan\", \"mcp\"]\n",
		".geminiignore":              "\n!/.plans/\n",
		".cursor/rules/git-plan.mdc": "alwaysApply: true\n---\n",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s has no %q:\n%s", name, want, files[name])
		}
	}
}

func at(v any, path []string) string {
	for _, key := range path {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			if len(c) == 0 {
				return ""
			}
			v = c[key[0]-'0']
		}
	}
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// A file that cannot be edited safely is left as it is, and the rest is done.
func TestLeft(t *testing.T) {
	for _, c := range []struct{ agent, path, text, note string }{
		{"claude", ".claude/settings.json", "{\"a\": 1,}", "line 1, column 8: a comma follows the last item"},
		{"claude", ".claude/settings.json", "", "line 1, column 2: "},
		{"claude", ".claude/settings.json", "{\"hooks\": 1}", "`hooks` is not an object"},
		{"claude", "CLAUDE.md", "<!-- git plan: begin -->\nx\n", "line 1: a block of git plan begins here that does not end"},
		{"claude", "CLAUDE.md", "a\x00b", "it is no UTF-8 text"},
		{"claude", "CLAUDE.md", strings.Repeat("x", 1<<20+1), "it is larger than"},
		{"claude", ".mcp.json", "{\"mcpServers\": []}", "`mcpServers` is not an object"},
		{"claude", ".mcp.json", "{\"mcpServers\": {\"git-plan\": {\"command\": \"mine\"}}}", "there is a `mcpServers.git-plan` of yours, which stays as it is: if it does not run `git plan mcp`, rename it"},
		{"cursor", ".cursor/mcp.json", "{\"mcpServers\": {\"git-plan\": {\"command\": \"git\", \"args\": [\"plan\", \"mcp\", \"--tools\", \"loop\"]}}}", "there is a `mcpServers.git-plan` of yours"},
		{"codex", ".codex/config.toml", "[sandbox_workspace_write]\nnetwork_access = true\n[mcp_servers]\n'git-plan' = {command = \"mine\"}\n", "it sets `sandbox_workspace_write` already: add \"../.git\" to writable_roots in [sandbox_workspace_write]; there is a `mcp_servers.git-plan` of yours"},
	} {
		dir := t.TempDir()
		fill(t, dir, map[string]string{c.path: c.text})
		files, err := setup.Setup{Agent: find(t, c.agent), Project: project(dir)}.Write()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f setup.File) bool { return f.Path == c.path })
		if f := files[i]; f.Action != setup.Left || !strings.HasPrefix(f.Note, c.note) || f.Snippet == "" {
			t.Errorf("%s: %s, %s", c.path, f.Action, f.Note)
		}
		for j, f := range files {
			if j != i && f.Action != setup.Created {
				t.Errorf("%s was %s", f.Path, f.Action)
			}
		}
		if got := tree(t, dir)[c.path]; got != c.text {
			t.Errorf("%s is now %.80q", c.path, got)
		}
	}
}

// A link is followed within the project and stays one; out of it, it is not.
func TestLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	fill(t, dir, map[string]string{"AGENTS.md": "# Rules\n"})
	fill(t, outside, map[string]string{"settings.json": "{}"})
	for link, to := range map[string]string{"CLAUDE.md": "AGENTS.md", ".claude": outside, "GEMINI.md": "nowhere", ".gemini": "/"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	was := tree(t, dir)
	claude := setup.Setup{Agent: find(t, "claude"), Project: project(dir)}
	got := actions(t, claude.Write)
	if got["CLAUDE.md"] != setup.Changed || got[".claude/settings.json"] != setup.Left {
		t.Errorf("did %v", got)
	}
	gemini := actions(t, setup.Setup{Agent: find(t, "gemini"), Project: project(dir)}.Write)
	if gemini["GEMINI.md"] != setup.Left || gemini[".gemini/settings.json"] != setup.Left {
		t.Errorf("did %v", gemini)
	}
	if now := tree(t, dir); now["CLAUDE.md"] != "AGENTS.md" || !strings.Contains(now["AGENTS.md"], "git plan status") {
		t.Errorf("the link was not followed: %q", now)
	}
	if got := tree(t, outside)["settings.json"]; got != "{}" {
		t.Errorf("outside of the project there is now %s", got)
	}
	actions(t, claude.Remove)
	actions(t, setup.Setup{Agent: find(t, "gemini"), Project: project(dir)}.Remove)
	if now := tree(t, dir); !maps.Equal(now, was) {
		t.Errorf("left %q", now)
	}
}

// In a linked worktree no shared file names the git directory; the user is told.
func TestLinkedWorktree(t *testing.T) {
	dir := t.TempDir()
	p := setup.Project{Dir: dir, CommonDir: "/elsewhere/.git", Linked: true}
	for _, name := range setup.Names() {
		files, err := setup.Setup{Agent: find(t, name), Project: p}.Write()
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(files, func(f setup.File) bool { return strings.Contains(f.Note, "/elsewhere/.git") })
		if told != (name != "gemini") {
			t.Errorf("%s: %+v", name, files)
		}
	}
	for name, text := range tree(t, dir) {
		if strings.Contains(text, "elsewhere") {
			t.Errorf("%s names a folder of this machine", name)
		}
	}
}

// A file keeps its mode, and nothing is left beside it; a dry run does nothing.
func TestModesAndDryRun(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, map[string]string{"CLAUDE.md": "x\n"})
	if err := os.Chmod(filepath.Join(dir, "CLAUDE.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	was := tree(t, dir)
	s := setup.Setup{Agent: find(t, "claude"), Project: project(dir), Dry: true}
	if got := actions(t, s.Write); got["CLAUDE.md"] != setup.Changed || !maps.Equal(tree(t, dir), was) {
		t.Errorf("a dry run did %v and left %v", got, tree(t, dir))
	}
	s.Dry = false
	actions(t, s.Write)
	if info, _ := os.Stat(filepath.Join(dir, "CLAUDE.md")); info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(found) > 0 {
		t.Errorf("left %v", found)
	}
}

// The file that status keeps the rules in gets no block, and loses none.
func TestInstructionsFile(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, map[string]string{"AGENTS.md": "<!-- git plan: begin -->\nThe rules.\n<!-- git plan: end -->\n"})
	was := tree(t, dir)
	p := project(dir)
	p.Instructions = "AGENTS.md"
	s := setup.Setup{Agent: find(t, "codex"), Project: p}
	if got := actions(t, s.Write); got["AGENTS.md"] != setup.Unchanged || got[".codex/hooks.json"] != setup.Created {
		t.Errorf("did %v", got)
	}
	actions(t, s.Remove)
	if now := tree(t, dir); !maps.Equal(now, was) {
		t.Errorf("left %q", now)
	}
}

// The manual tells of every file and every moment that an agent is set up for.
func TestManualTellsAll(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "setup.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, agent := range setup.Agents() {
		files, err := setup.Setup{Agent: agent, Project: project(dir)}.Write()
		if err != nil {
			t.Fatal(err)
		}
		_, row, _ := strings.Cut(string(manual), "\n| `"+agent.Name+"`, "+agent.Title+" |")
		row, _, _ = strings.Cut(row, "\n")
		for _, f := range files {
			if !strings.Contains(row, "`"+f.Path+"`") {
				t.Errorf("the row of %s lacks %s", agent.Name, f.Path)
			}
			var doc struct {
				Hooks map[string]any `json:"hooks"`
			}
			if json.Unmarshal([]byte(tree(t, dir)[f.Path]), &doc) == nil {
				for moment := range doc.Hooks {
					if !strings.Contains(row, "`"+moment+"`") {
						t.Errorf("the row of %s lacks %s", agent.Name, moment)
					}
				}
			}
		}
	}
}
