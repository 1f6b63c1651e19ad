package main

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// content is what somebody writes into a plan, or beside plans on the branch,
// to make the program do what it must not.
type content struct {
	name string
	// files are those of the plan; plan.md and a first task are there where it
	// has none.
	files map[string]string
	// beside are files at the root of the branch.
	beside map[string]string
	// needs are files of the project that it builds upon, as for link.
	links map[string]string
}

// plain is the plan that content is added to.
func plain() map[string]string {
	return map[string]string{
		"plan.md":         "---\ntitle: Plain\n---\n\nA plan.\n",
		"tasks/01-one.md": "---\nid: one\n---\n\nDo it.\n",
	}
}

func (c content) whole() map[string]string {
	files := plain()
	maps.Copy(files, c.files)
	return files
}

// contents are the ways tried with what plans say.
func contents() []content {
	task := func(fields string) map[string]string {
		return map[string]string{"tasks/01-one.md": "---\nid: one\n" + fields + "\n---\n\nDo it.\n"}
	}
	front := func(fields string) map[string]string {
		return map[string]string{"plan.md": "---\ntitle: Plain\n" + fields + "\n---\n\nA plan.\n"}
	}
	gates := func(text string) map[string]string { return map[string]string{"gates.yaml": text} }
	return []content{
		{name: "nothing"},
		{name: "a plan's own keys name commands", files: front("x-run: CANARY\nx-command: [\"CANARY\"]\nx-on-commit: \"!CANARY\"\nx-url: file://OUTSIDE/secret\nx-include: OUTSIDE/secret")},
		{name: "a task's own keys name commands", files: task("x-run: CANARY\nx-shell: $(CANARY)\nx-file: OUTSIDE/secret")},
		{name: "unknown keys name commands", files: front("run: CANARY\ncommand: CANARY\nllm: CANARY\ninclude: OUTSIDE/secret\neditor: CANARY\npager: CANARY")},
		{name: "YAML tags", files: task("tags: !!python/object/apply:os.system [\"CANARY\"]")},
		{name: "YAML includes", files: front("x-a: !include OUTSIDE/secret")},
		{name: "YAML anchors", files: front("x-a: &a [x, x]\nx-b: [*a, *a]\nx-c:\n  <<: *a")},
		{name: "a second document", files: map[string]string{"plan.md": "---\ntitle: Plain\n---\n---\nrun: CANARY\n---\n\nA plan.\n"}},
		{name: "paths upwards", files: task("relevant_file_paths: [../outside/secret, a/../../outside/secret]\ncreates: [../outside/made]\naffected_files: [../outside/secret]\ncontext_hints: [\"See `../outside/secret`.\"]")},
		{name: "absolute paths", files: task("relevant_file_paths: [OUTSIDE/secret]\ncreates: [OUTSIDE/made]\naffected_files: [OUTSIDE/secret]\ncontext_hints: [\"See `OUTSIDE/secret` and `~/.gitconfig`.\"]")},
		{name: "paths of git", files: task("relevant_file_paths: [.git/config, .GIT/config, a/.git/hooks/pre-commit, .git./config, \"git~1/config\"]\ncreates: [.git/hooks/post-commit]")},
		{name: "paths of other systems", files: task("relevant_file_paths: ['..\\outside\\secret', 'C:\\secret', 'C:secret', '\\\\server\\share', 'a:b', 'NUL', '//server/share']")},
		{name: "paths with odd characters", files: task("relevant_file_paths: [\"a\\0b\", \"a\\nb\", \"-rf\", \":(top)secret\", \":!x\", \"*\", \"\", \" \"]")},
		{name: "paths through a link", links: map[string]string{"way": "OUTSIDE", "file": "OUTSIDE/secret"},
			files: task("relevant_file_paths: [way/secret, way/../secret, file]\ncreates: [way/made]\ncontext_hints: [\"Read `way/secret` and `file`.\"]")},
		{name: "hints that read like options", files: task("context_hints: [\"`--output=OUTSIDE/made`\", \"`-c core.pager=CANARY`\", \"`$(CANARY)`\", \"`!CANARY`\"]")},
		{name: "ids upwards", files: task("depends_on: [../../x, \"/etc/passwd\", \"--exec=CANARY\", \"-x\"]")},
		{name: "an id upwards", files: map[string]string{"tasks/01-one.md": "---\nid: ../../../outside/made\n---\n\nDo it.\n"}},
		{name: "text that a shell would run", files: map[string]string{
			"plan.md":         "---\ntitle: \"$(CANARY) `CANARY` ; CANARY | CANARY\"\ngoal: \"!CANARY\"\n---\n\nPLAN_CMD: ADD 1 | $(CANARY)\n\n```sh\nCANARY\n```\n\n<script>fetch('file://OUTSIDE/secret')</script>\n![x](file://OUTSIDE/secret)\n",
			"tasks/01-one.md": "---\nid: one\ntitle: \"${IFS}CANARY\"\nagent: \"$(CANARY)\"\nresult: \"%(CANARY)\"\n---\n\nDo it.\n",
		}},
		{name: "text that is a trailer", files: map[string]string{
			"plan.md":         "---\ntitle: \"Plain\\n\\nPlan-Judge: approved\\nPlan-Task: p/one done\"\n---\n\nA plan.\n",
			"tasks/01-one.md": "---\nid: one\ntitle: \"One\\nSigned-off-by: x\"\nstatus: failed\nerror: \"x\\n\\nPlan-Agent: root\"\nagent: \"a\\nPlan-Judge: approved\"\n---\n\nDo it.\n",
		}},
		{name: "text for a terminal", files: map[string]string{"tasks/01-one.md": "---\nid: one\ntitle: \"\\e]0;x\\a\\e[31m\\u202e\"\n---\n\n\x1b]52;c;x\x07\n"}},
		{name: "a signal that names commands", files: map[string]string{
			"signals/tests.md": "---\nid: tests\nlevel: blocker\ntask: one\nsource: CANARY\nrun: CANARY\ncommand: [\"CANARY\"]\n---\n\n$(CANARY)\n",
			"signals/more.md":  "---\nid: ../../x\nlevel: blocker\nsource: \"--exec=CANARY\"\nx-run: CANARY\n---\n\nFails.\n",
		}},
		{name: "evidence that reads like options", files: task("status: done\nevidence: [\"commit:--output=OUTSIDE/made\", \"signal:../x main main now\", \"commit:$(CANARY)\", \"--exec=CANARY\"]")},
		{name: "gates that name commands", beside: gates("gate: strict\nrun: CANARY\ncommand: CANARY\nllm:\n  command: CANARY\nhooks:\n  pre-commit: CANARY\n")},
		{name: "gates that name files and URLs", beside: gates("include: OUTSIDE/secret\nextends: file://OUTSIDE/secret\nurl: https://example.com/gates.yaml\nremote: ext::CANARY\n")},
		{name: "gates with commands for values", beside: gates("gate: $(CANARY)\njudge: CANARY\nevidence: \"!CANARY\"\nlease: \"`CANARY`\"\nrules:\n  judge: CANARY\n  ../../x: error\n")},
		{name: "gates with YAML to obey", beside: gates("gate: !!python/object/apply:os.system [\"CANARY\"]\nrules: &r {overlap: error}\n")},
		{name: "gates that ask for a judge", beside: gates("judge: required\nevidence: required\n")},
		{name: "attributes", beside: map[string]string{
			".gitattributes":   "* filter=canary diff=canary merge=canary export-subst ident working-tree-encoding=UTF-16\n*.md filter=canary\n",
			"p/.gitattributes": "*.md filter=canary diff=canary merge=canary\n",
		}},
		{name: "files that other programs obey", beside: map[string]string{
			".github/workflows/x.yml": "on: push\njobs: {x: {runs-on: x, steps: [{run: CANARY}]}}\n", ".gitlab-ci.yml": "x: {script: CANARY}\n",
			".pre-commit-config.yaml": "repos: [{repo: local, hooks: [{id: x, name: x, entry: CANARY, language: system}]}]\n", "lefthook.yml": "pre-commit: {commands: {x: {run: CANARY}}}\n",
			".husky/pre-commit+": "#!/bin/sh\nCANARY\n", ".githooks/pre-commit+": "#!/bin/sh\nCANARY\n", "hooks/update+": "#!/bin/sh\nCANARY\n", "Makefile": "all:\n\tCANARY\n",
			".gitconfig": "[core]\n\tpager = CANARY\n\tfsmonitor = CANARY\n", ".mailmap": "$(CANARY) <x@example.com>\n", ".lfsconfig": "[lfs]\n\turl = ext::CANARY\n", ".gitignore": "*\n",
		}},
		{name: "submodules", beside: map[string]string{"module%": "", "p/tasks/02-module.md%": "", ".gitmodules": "[submodule \"module\"]\n\tpath = module\n\turl = ext::CANARY\n\tupdate = !CANARY\n"}},
		{name: "links on the branch", beside: map[string]string{
			"p/tasks/02-link.md@": "OUTSIDE/secret", "p/signals@": "OUTSIDE/tasks", "q@": "OUTSIDE", "README.md@": "OUTSIDE/secret", ".gitattributes@": "OUTSIDE/secret", "r/plan.md@": "OUTSIDE/plan.md", "r/tasks@": "OUTSIDE/tasks",
		}},
		{name: "gates that are a link", beside: map[string]string{"gates.yaml@": "OUTSIDE/secret"}},
		{name: "programs on the branch", beside: map[string]string{"p/tasks/02-run.md+": "#!/bin/sh\nCANARY\n", "p/run+": "#!/bin/sh\nCANARY\n"}},
		{name: "names that read like options", beside: map[string]string{
			"--upload-pack=canary/plan.md": "---\ntitle: Option\n---\n\nX.\n", "-x/plan.md": "---\ntitle: X\n---\n\nX.\n", "p/tasks/--output=x.md": "---\nid: x\n---\n\nX.\n", "HEAD/plan.md": "---\ntitle: Head\n---\n\nX.\n",
		}},
	}
}

// Nothing that a plan says, or that lies beside plans on the branch, makes a
// command run a program, read or write what it should not: whether it comes as
// a draft, or by a push that no gate saw.
func TestBoundaryContent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	for _, c := range contents() {
		t.Run(c.name+"/stored", func(t *testing.T) {
			t.Parallel()
			g := newGround(t)
			files := map[string]string{}
			for name, text := range c.whole() {
				files["p/"+name] = text
			}
			maps.Copy(files, c.beside)
			for name, to := range c.links {
				g.link(to, name)
			}
			g.plant(files)
			g.arm()
			g.sweep("p", readers(), writers())
		})
		if c.files == nil {
			continue
		}
		t.Run(c.name+"/drafted", func(t *testing.T) {
			t.Parallel()
			g := newGround(t)
			for name, to := range c.links {
				g.link(to, name)
			}
			g.draft(c.whole())
			g.arm()
			g.sweep("p", drafting())
		})
	}
}

// A sweep is worth something only if its commands do their work, and the wires
// trip.
func TestBoundaryTrips(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	g := newGround(t)
	g.plant(map[string]string{"p/plan.md": plain()["plan.md"], "p/tasks/01-one.md": plain()["tasks/01-one.md"]})
	for _, line := range slices.Concat(readers(), writers()) {
		if status, printed := g.run("", strings.Fields(strings.ReplaceAll(line, "PLAN", "p"))...); status != 0 {
			t.Errorf("git plan %s: status %d\n%s", line, status, printed)
		}
	}
	for name, trip := range map[string]func(*ground){
		"ran":     func(g *ground) { g.At(g.top).Write("ran", "canary") },
		"printed": func(g *ground) { g.Write("seen", secret) },
		"stored":  func(g *ground) { g.Write("seen", secret); g.Git("hash-object", "-w", "seen") },
		"drafted": func(g *ground) { g.draft(map[string]string{"notes": secret}) },
		"written": func(g *ground) { g.At(g.top).Write("home/made", "") },
		"changed": func(g *ground) { g.Git("config", "core.pager", "canary") },
	} {
		heard := &listener{TB: t}
		g.arm()
		trip(g)
		wired := *g
		wired.t = heard
		switch name {
		case "ran":
			wired.try("", "version")
		case "printed":
			wired.try("", "explain", secret)
		default:
			wired.whole()
		}
		if !heard.alarmed {
			t.Errorf("nothing tells that something was %s", name)
		}
	}
}

// listener hears an alarm instead of a test.
type listener struct {
	testing.TB
	alarmed bool
}

func (l *listener) Error(...any)          { l.alarmed = true }
func (l *listener) Errorf(string, ...any) { l.alarmed = true }
