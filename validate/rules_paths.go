package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

func pathExists(c *Context) {
	for _, t := range c.trial() {
		for i, p := range t.Doc.Texts("relevant_file_paths") {
			if plan.CheckPath(p) == "" && c.absent(t, p) {
				c.report(t.Doc.Path, t.Doc.ItemPos("relevant_file_paths", i), fixPath,
					"task `%s` lists a non-existent file: `%s`", name(t), p)
			}
		}
	}
}

func hintPath(c *Context) {
	for _, t := range c.trial() {
		for i, hint := range t.Doc.Texts("context_hints") {
			for _, p := range c.hintPaths(hint) {
				if c.absent(t, p) {
					c.report(t.Doc.Path, t.Doc.ItemPos("context_hints", i), fixPath,
						"task `%s` has a hint pointing to a non-existent file: `%s`", name(t), p)
				}
			}
		}
	}
}

// absent reports whether the project is known not to have the path, and
// nothing the task can rely on makes it.
func (c *Context) absent(t *plan.Task, p string) bool {
	p = path.Clean(p)
	return c.exists(p) == No && !c.isMade(t, p)
}

var (
	backQuoted = plan.Pattern("`([^`\n]+)`")
	lineSuffix = plan.Pattern(`(:\d+(-\d+)?(:\d+)?|#L\d+(-L?\d+)?)$`)
	pathForm   = plan.Pattern(`^\.?[\pL\pN_@+-][\pL\pN_.@+-]*(/[\pL\pN_.@+-]+)*/?$`)
	extension  = plan.Pattern(`[^./]\.[a-z][a-z0-9]{0,7}$`)
	// Media types, packages of a scope, and clones are written like files.
	otherForm = plan.Pattern(`^(@|(application|audio|font|image|model|multipart|text|video)/[^/]+$)|\.git$`)
	hostForm  = plan.Pattern(`^[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|org|net|io|dev|in|sh|rs|app|edu|gov)/`)
)

// hintPaths gives what a hint puts in back-quotes and can only be a path of
// the project. Words, calls, commands, media types and addresses are not: a
// name counts when it has a file's extension, ends in a slash, or begins with
// a folder that the project has.
func (c *Context) hintPaths(hint string) []string {
	var out []string
	for _, m := range backQuoted().FindAllStringSubmatch(hint, -1) {
		p := strings.TrimPrefix(lineSuffix().ReplaceAllString(m[1], ""), "./")
		if pathForm().MatchString(p) && !hostForm().MatchString(p) && plan.CheckPath(p) == "" && c.isPath(p) {
			out = append(out, p)
		}
	}
	return out
}

func (c *Context) isPath(p string) bool {
	first, _, nested := strings.Cut(p, "/")
	switch {
	case strings.HasSuffix(p, "/"):
		return true
	case !nested:
		return isFileName(p)
	case !extension().MatchString(p) || otherForm().MatchString(p) || isProduct(path.Base(p)):
		return c.exists(first) == Yes
	}
	return true
}

// isFileName reports whether a dotted name is rather a file than a member of
// something in a program, as in `os.path` or `console.log`: it ends in an
// extension that files are known by, and that is no common name of a member.
func isFileName(p string) bool {
	const known = " adoc bash bat bib bzl c cc cfg clj cmake cnf cpp cs css csv cxx dart ejs el erb erl ex exs fish fs gif " +
		"go gql gradle graphql groovy h hbs hcl hh hpp hs htm html ico ini ipynb java jl jpeg jpg js json jsonc jsonl jsx " +
		"kt kts lua md mdx mjs mk ml mm mts nim nix pdf php plist pm png po pot proto ps1 py pyi rb rego rs rst sass sbt " +
		"scala scss sh sol sql sqlite svelte svg swift tcl tex tf tmpl toml tpl ts tsv tsx txt txtar vb vue wasm xml xsd " +
		"yaml yml zig zsh "
	const members = " req.json res.json request.json response.json resp.json self.json this.json "
	ext := strings.TrimPrefix(path.Ext(p), ".")
	return extension().MatchString(p) && strings.Contains(known, " "+ext+" ") && !strings.Contains(members, " "+p+" ") && !isProduct(p)
}

// isProduct reports whether the name is that of a well-known program that is
// spelt like a file.
func isProduct(name string) bool {
	const products = " alpine.js backbone.js chart.js d3.js deno.js discord.js ember.js express.js moment.js nest.js next.js node.js " +
		"nuxt.js p5.js preact.js react.js require.js solid.js three.js vue.js "
	return strings.Contains(products, " "+strings.ToLower(name)+" ")
}

func overlap(c *Context) {
	if c.Others == nil {
		return
	}
	for _, t := range c.trial() {
		for _, field := range namingFields() {
			for i, p := range t.Doc.Texts(field) {
				if others := c.othersNaming(p); len(others) > 0 {
					c.report(t.Doc.Path, t.Doc.ItemPos(field, i), fixOverlap,
						"task `%s` names `%s`, and so %s", name(t), p, whoDoes(others))
				}
			}
		}
	}
}

func (c *Context) othersNaming(p string) []string {
	if plan.CheckPath(p) != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Others(path.Clean(p))), func(id string) bool { return id == c.Plan.ID })
}

// whoDoes lists plans for a message, at most three.
func whoDoes(ids []string) string {
	const most = 3
	switch {
	case len(ids) == 1:
		return "does the unfinished plan `" + ids[0] + "`"
	case len(ids) > most:
		return "do the unfinished plans `" + strings.Join(ids[:most], "`, `") + "` and others"
	}
	return "do the unfinished plans `" + strings.Join(ids, "`, `") + "`"
}

// namingFields are the fields of a task that say which files it is about.
func namingFields() []string { return []string{"relevant_file_paths", "creates", "affected_files"} }

// NamedFiles gives the paths that the unsettled tasks of an unfinished plan
// name, clean and sorted: what [Input.Others] looks among.
func NamedFiles(p *plan.Plan) []string {
	if p.Doc == nil || p.Status().Finished() {
		return nil
	}
	var out []string
	for _, t := range p.All() {
		if t.Settled() || !t.Doc.Readable {
			continue
		}
		for _, field := range namingFields() {
			for _, name := range t.Doc.List(field) {
				if plan.CheckPath(name) == "" {
					out = append(out, path.Clean(name))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
