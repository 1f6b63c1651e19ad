package main

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// hostile is one way in which the plans branch holds what no plan may. It is
// made by hand: no git writes most of it, and any git will fetch it.
type hostile struct {
	name string
	// commit makes the commit, on top of base.
	commit func(f *forge, base string) string
	// told are lines with what `check` says of it, among other things.
	told string
	// dead says that nothing of the store can be read, so that told is how the
	// commands refuse.
	dead bool
	// landable says that the gate of a server lets it pass.
	landable bool
	// own says that it is the repository's owner who has git see it so.
	own bool
}

// forge makes objects that git itself would not make.
type forge struct{ *ground }

// forged is one entry of a tree: its mode as it is written, its name, its object.
type forged struct{ mode, name, object string }

// tree writes a tree of just these entries, in this order.
func (f *forge) tree(entries ...forged) string {
	f.t.Helper()
	var b strings.Builder
	for _, e := range entries {
		object, err := hex.DecodeString(e.object)
		if err != nil {
			f.t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\x00%s", e.mode, e.name, object)
	}
	return f.raw("tree", b.String())
}

// raw writes an object of any content.
func (f *forge) raw(kind, data string) string {
	f.t.Helper()
	return f.GitInput(data, "hash-object", "-t", kind, "-w", "--literally", "--stdin")
}

func (f *forge) blob(text string) string { return f.raw("blob", text) }

// file is a regular file.
func (f *forge) file(name, text string) forged { return forged{"100644", name, f.blob(text)} }

// folder is a folder of these entries, in git's order.
func (f *forge) folder(name string, entries ...forged) forged {
	return forged{"40000", name, f.sorted(entries...)}
}

// sorted writes a tree of these entries in git's order: a folder sorts as if
// its name ended in a slash.
func (f *forge) sorted(entries ...forged) string {
	key := func(e forged) string {
		if strings.HasPrefix(e.mode, "4") {
			return e.name + "/"
		}
		return e.name + "\x00"
	}
	slices.SortStableFunc(entries, func(a, b forged) int { return strings.Compare(key(a), key(b)) })
	return f.tree(entries...)
}

// task is a valid task.
func (f *forge) task(name, id string) forged {
	return f.file(name, "---\nid: "+id+"\n---\n\nDo it.\n")
}

// described is a valid plan.md.
func (f *forge) described() forged { return f.file("plan.md", "---\ntitle: Hostile\n---\n\nA plan.\n") }

// plan is a plan h with a valid plan.md and task, and more entries in its
// folder.
func (f *forge) plan(more ...forged) forged {
	return f.folder("h", append([]forged{f.described(), f.folder("tasks", f.task("01-fine.md", "fine"))}, more...)...)
}

// tasks is a plan h with a valid plan.md and task, and more entries in tasks.
func (f *forge) tasks(more ...forged) forged {
	return f.folder("h", f.described(), f.folder("tasks", append([]forged{f.task("01-fine.md", "fine")}, more...)...))
}

// on commits the tree of base with more entries at its root.
func (f *forge) on(base string, more ...forged) string {
	f.t.Helper()
	return f.Git("commit-tree", "-p", base, "-m", "hostile", f.sorted(append(f.root(base), more...)...))
}

// root gives the entries of a commit's tree.
func (f *forge) root(base string) []forged {
	var out []forged
	for line := range strings.Lines(f.Git("ls-tree", base)) {
		head, name, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		fields := strings.Fields(head)
		out = append(out, forged{strings.TrimPrefix(fields[0], "0"), name, fields[2]})
	}
	return out
}

// without gives entries but the named one.
func without(entries []forged, name string) []forged {
	var out []forged
	for _, e := range entries {
		if e.name != name {
			out = append(out, e)
		}
	}
	return out
}

// missing is the name of an object that no repository has.
const missing = "0123456789012345678901234567890123456789"

// named are names that no entry of the store may have, with what a finding says
// of them at the root, in a plan and among tasks.
func named() []hostile {
	names := []struct{ name, shown string }{
		{"..", ".."}, {".", "."}, {".git", ".git"}, {".GIT", ".GIT"}, {".Git", ".Git"}, {"git~1", "git~1"}, {"GIT~1", "GIT~1"},
		{".g\u200cit", `.g\u200cit`}, {".git ", ".git "}, {".git.", ".git."}, {".git::$INDEX_ALLOCATION", ".git::"}, {"a/b", "_b"}, {"../../outside/made", "_made"}, {"/etc/passwd", "passwd"},
		{`a\b`, `a\`}, {`..\made`, `made`}, {`C:\made`, "made"}, {"\x1b[31mred", `\x1b[31mred`}, {"\x1b]52;c;eA==\x07", `\x1b]52;c;eA==\x07`}, {"a\nb", `a\nb`}, {"a\rb", `a\x0db`}, {"a\tb", `a\tb`},
		{"\xff\xfe.md", `.md`}, {"\u202egpj.md", `\u202egpj.md`}, {"\u200b.md", `\u200b.md`}, {strings.Repeat("long", 1500), "longlong"},
		{"NUL.md", "NUL.md"}, {"com1.md:x", "com1.md:x"}, {"01-a.md ", "01-a.md "}, {"01-a.md::$DATA", "01-a.md::$DATA"}, {"01-FINE.md", "01-FINE.md"}, {"PLAN.MD", "PLAN.MD"}, {"plan.md\u0301", "plan.md"},
		{"-rf", "-rf"}, {"--exec=x", "--exec=x"}, {"*", "*"}, {"$(x)", "$(x)"}, {"%0A::error::x", "%0A::error::x"}, {"a b.md", "a b.md"},
	}
	out := []hostile{{name: "no name", told: ":1:1", commit: inThreePlaces("")}}
	for batch := range slices.Chunk(names, 6) {
		var all, told []string
		for _, n := range batch {
			all, told = append(all, n.name), append(told, n.shown)
		}
		out = append(out, hostile{name: fmt.Sprintf("names like %.20q", all[0]), told: strings.Join(told, "\n"), commit: inThreePlaces(all...)})
	}
	return out
}

// inThreePlaces puts names at the root, into a plan and among its tasks, for
// files and folders.
func inThreePlaces(names ...string) func(*forge, string) string {
	return func(f *forge, base string) string {
		tasks, folder := []forged{f.task("01-fine.md", "fine")}, []forged{f.described()}
		var root []forged
		for _, name := range names {
			bad := f.file(name, "---\nid: bad\n---\n\nx\n")
			tasks, folder, root = append(tasks, f.folder(name, bad)), append(folder, bad), append(root, bad)
		}
		return f.on(base, append(root, f.folder("h", append(folder, f.folder("tasks", tasks...))...))...)
	}
}

// entries are entries of a tree that are not what a plan's files are.
func entries() []hostile {
	mode := func(mode string) func(*forge, string) string {
		return func(f *forge, base string) string {
			return f.on(base, f.tasks(forged{mode, "02-odd.md", f.blob("---\nid: odd\n---\n\nx\n")}))
		}
	}
	in := func(make func(f *forge) forged) func(*forge, string) string {
		return func(f *forge, base string) string { return f.on(base, make(f)) }
	}
	return []hostile{
		{name: "plan.md is a link", told: "h/plan.md", commit: in(func(f *forge) forged {
			return f.folder("h", forged{"120000", "plan.md", f.blob(f.told("OUTSIDE/plan.md"))}, f.folder("tasks", f.task("01-fine.md", "fine")))
		})},
		{name: "tasks is a link", told: "h/tasks", commit: in(func(f *forge) forged {
			return f.folder("h", f.described(), forged{"120000", "tasks", f.blob(f.told("OUTSIDE/tasks"))})
		})},
		{name: "a plan is a link", told: "h:1:1", commit: in(func(f *forge) forged { return forged{"120000", "h", f.blob(f.told("OUTSIDE"))} })},
		{name: "a plan is a submodule", told: "h:1:1", commit: in(func(f *forge) forged { return forged{"160000", "h", missing} })},
		{name: "a plan is a file", told: "h:1:1", commit: in(func(f *forge) forged { return f.file("h", "x") })},
		{name: "tasks is a submodule", told: "h/tasks", commit: in(func(f *forge) forged { return f.folder("h", f.described(), forged{"160000", "tasks", missing}) })},
		{name: "tasks is a file", told: "h/tasks", commit: in(func(f *forge) forged { return f.folder("h", f.described(), f.file("tasks", "x")) })},
		{name: "a task is a folder", told: "h/tasks/02-dir.md", commit: in(func(f *forge) forged { return f.tasks(f.folder("02-dir.md", f.task("01-in.md", "in"))) })},
		{name: "plan.md is a folder", told: "h/plan.md", commit: in(func(f *forge) forged { return f.folder("h", f.folder("plan.md", f.described())) })},
		{name: "the mode of a program", told: "file-mode", commit: mode("100755")},
		{name: "the mode of a link", told: "file-mode", commit: mode("120000")},
		{name: "the mode 100664", commit: mode("100664"), landable: true},
		{name: "the mode 100666", commit: mode("100666"), landable: true},
		{name: "the mode 0", told: "file-mode", commit: mode("0")},
		{name: "the mode 104755", told: "file-mode", commit: mode("104755")},
		{name: "a padded mode", told: "", commit: mode("0100644"), landable: true},
		{name: "a mode of many digits", told: "h", commit: mode("7777777777777777")},
		{name: "a mode of no digits", told: "h", commit: mode("")},
		{name: "a mode that is no number", told: "h", commit: mode("10a644")},
		{name: "a folder with permissions", landable: true, commit: in(func(f *forge) forged { e := f.plan(); e.mode = "40755"; return e })},
		{name: "a tree as a file", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"100644", "02-tree.md", f.tree()}) })},
		{name: "a file as a tree", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"40000", "02-tree", f.blob("x")}) })},
		{name: "a plan that is a file's content", told: "h", commit: in(func(f *forge) forged { return forged{"40000", "h", f.blob("x")} })},
		{name: "a commit as a file", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"100644", "02-c.md", f.Git("rev-parse", "main")}) })},
		{name: "a commit as a tree", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"40000", "02-c", f.Git("rev-parse", "main")}) })},
		{name: "a missing file", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"100644", "02-gone.md", missing}) })},
		{name: "a missing folder", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"40000", "02-gone", missing}) })},
		{name: "a missing plan", told: "h", commit: in(func(f *forge) forged { return forged{"40000", "h", missing} })},
		{name: "the object 0", told: "h", commit: in(func(f *forge) forged { return f.tasks(forged{"100644", "02-null.md", strings.Repeat("0", 40)}) })},
		{name: "a tree that ends in a name", told: "h", commit: in(func(f *forge) forged { return forged{"40000", "h", f.raw("tree", "100644 plan.md")} })},
		{name: "a tree that ends in an object", told: "h", commit: in(func(f *forge) forged { return forged{"40000", "h", f.raw("tree", "100644 plan.md\x00short")} })},
		{name: "a tree of noise", told: "h", commit: in(func(f *forge) forged { return forged{"40000", "h", f.raw("tree", strings.Repeat("\x00\xff \n", 99))} })},
	}
}

// shapes are trees whose entries are each as they should be.
func layouts() []hostile {
	in := func(make func(f *forge) []forged) func(*forge, string) string {
		return func(f *forge, base string) string { return f.on(base, make(f)...) }
	}
	return []hostile{
		{name: "two files of one name", told: "h", commit: in(func(f *forge) []forged { return []forged{f.plan(f.file("plan.md", "---\ntitle: Other\n---\n\nx\n"))} })},
		{name: "two tasks of one name", told: "h", commit: in(func(f *forge) []forged { return []forged{f.tasks(f.task("01-fine.md", "other"))} })},
		{name: "a file and a folder of one name", told: "h", commit: in(func(f *forge) []forged { return []forged{f.tasks(f.folder("01-fine.md", f.task("01-in.md", "in")))} })},
		{name: "two folders of tasks", told: "h", commit: in(func(f *forge) []forged { return []forged{f.plan(f.folder("tasks", f.task("02-more.md", "more")))} })},
		{name: "two plans of one name", told: "h", commit: in(func(f *forge) []forged { return []forged{f.plan(), f.folder("h", f.described())} })},
		{name: "a plan and a file of one name", told: "h:1:1", commit: in(func(f *forge) []forged { return []forged{f.plan(), f.file("h", "x")} })},
		{name: "two of the good plan", told: "p:1:1", commit: in(func(f *forge) []forged {
			return []forged{f.folder("p", f.described(), f.folder("tasks", f.task("01-one.md", "one")))}
		})},
		{name: "not sorted", told: "h", commit: in(func(f *forge) []forged {
			return []forged{{"40000", "h", f.tree(f.folder("tasks", f.task("01-a.md", "a")), f.described())}}
		})},
		{name: "sorted as files", told: "h", commit: in(func(f *forge) []forged {
			tasks := f.tree(f.folder("01-fine", f.task("01-a.md", "a")), f.task("01-fine.md", "fine"))
			return []forged{f.folder("h", f.described(), forged{"40000", "tasks", tasks})}
		})},
		{name: "nested without end", told: "limits", commit: in(func(f *forge) []forged {
			e := f.task("01-x.md", "x")
			for range 200 {
				e = f.folder("01-x", e)
			}
			return []forged{f.tasks(e)}
		})},
		{name: "a bomb of trees", told: "limits", commit: in(func(f *forge) []forged {
			object, mode := f.blob("x"), "100644"
			for range 9 {
				var list []forged
				for i := range 10 {
					list = append(list, forged{mode, fmt.Sprintf("%02d-f.md", i+1), object})
				}
				object, mode = f.tree(list...), "40000"
			}
			return []forged{f.tasks(forged{"40000", "02-bomb", object})}
		})},
		{name: "60,000 entries", told: "limits", commit: in(func(f *forge) []forged {
			same := f.task("", "x")
			var list []forged
			for i := range 60_000 {
				list = append(list, forged{"100644", fmt.Sprintf("%05d-x.md", i), same.object})
			}
			return []forged{f.folder("h", f.described(), f.folder("tasks", list...))}
		})},
		{name: "100 siblings", told: "filename", commit: in(func(f *forge) []forged {
			var list []forged
			for i := range 100 {
				list = append(list, f.file(fmt.Sprintf("%02d-x.md", i), fmt.Sprintf("---\nid: x-%d\n---\n\nx\n", i)))
			}
			return []forged{f.folder("h", f.described(), f.folder("tasks", append(list, f.task("100-x.md", "x"))...))}
		})},
		{name: "a file over the limit", told: "limits", commit: in(func(f *forge) []forged {
			return []forged{f.tasks(f.file("02-big.md", "---\nid: big\n---\n\n"+strings.Repeat("x", 1<<20)))}
		})},
		{name: "a plan over the limit", told: "limits", commit: in(func(f *forge) []forged {
			big := f.blob("---\nid: big\n---\n\n" + strings.Repeat("x", 200<<10))
			var list []forged
			for i := range 40 {
				list = append(list, forged{"100644", fmt.Sprintf("%02d-big.md", i+2), big})
			}
			return []forged{f.tasks(list...)}
		})},
		{name: "a plan named archive", told: "archive/plan.md", commit: in(func(f *forge) []forged { return []forged{f.folder("archive", f.described())} })},
		{name: "a plan in no year", told: "archive/old", commit: in(func(f *forge) []forged { e := f.plan(); e.name = "old"; return []forged{f.folder("archive", e)} })},
		{name: "archived and not", told: "archive/2026/p:1:1: warning", landable: true, commit: in(func(f *forge) []forged {
			return []forged{f.folder("archive", f.folder("2026", f.folder("p", f.described(), f.folder("tasks", f.task("01-one.md", "one")))))}
		})},
		{name: "archived twice", told: "archive/2026/h:1:1: warning", landable: true, commit: in(func(f *forge) []forged {
			return []forged{f.folder("archive", f.folder("2025", f.plan()), f.folder("2026", f.plan()))}
		})},
		{name: "a missing archive", told: "archive:1:1", commit: in(func(f *forge) []forged { return []forged{{"40000", "archive", missing}} })},
		{name: "a missing year", told: "archive:1:1", commit: in(func(f *forge) []forged { return []forged{f.folder("archive", forged{"40000", "2026", missing})} })},
		{name: "a damaged archived plan", commit: in(func(f *forge) []forged {
			return []forged{f.folder("archive", f.folder("2026", forged{"40000", "h", f.raw("tree", "x")}))}
		})},
		{name: "plans that differ in case", told: "P:1:1", commit: in(func(f *forge) []forged { e := f.plan(); e.name = "P"; return []forged{e, f.plan()} })},
		{name: "a plan named like a device", told: "", landable: true, commit: in(func(f *forge) []forged { e := f.plan(); e.name = "nul"; return []forged{e} })},
		{name: "a plan with dots at its end", told: "h.:1:1", commit: in(func(f *forge) []forged { e := f.plan(); e.name = "h."; return []forged{e} })},
		{name: "a plan with a space at its end", told: "h :1:1", commit: in(func(f *forge) []forged { e := f.plan(); e.name = "h "; return []forged{e} })},
		{name: "attributes in a plan", told: "h/.gitattributes", commit: in(func(f *forge) []forged { return []forged{f.plan(f.file(".gitattributes", "* filter=canary"))} })},
		{name: "submodules asked for", told: ".gitmodules", commit: in(func(f *forge) []forged {
			return []forged{f.plan(), f.file(".gitmodules", "[submodule \"x\"]\npath = x\nurl = --upload-pack=CANARY\n")}
		})},
		{name: "submodules through a link", told: ".gitmodules", commit: in(func(f *forge) []forged { return []forged{f.plan(), {"120000", ".gitmodules", f.blob(".git/config")}} })},
	}
}
