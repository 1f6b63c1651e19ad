package plan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds on what a plan may hold. A file or plan over them is a finding and
// is not read.
const (
	MaxFile     = 256 << 10
	MaxPlan     = 4 << 20
	MaxSiblings = 99
	MaxFiles    = 10_000
	// MaxName bounds the name of a file or folder, in bytes: file systems take 255,
	// and the refs of proposals, with what git adds to them, no more.
	MaxName = 200
	// MaxDepth is how deep tasks may nest: a task in the folder tasks/ is at
	// depth 1, one in a folder of that folder at depth 2.
	MaxDepth = 16
)

// Mode is what a plan's folder may hold besides regular files.
type Mode int

// The modes of a file. Only Regular is allowed in a plan.
const (
	Regular Mode = iota
	Executable
	Symlink
	Irregular // a submodule, a device, a socket
)

// File is one file of a plan's folder, from a disk or from a tree.
type File struct {
	// Path is the path within the plan's folder, with slashes.
	Path string
	Mode Mode
	// Data is the content; it may be nil when Size is over [MaxFile] or the
	// mode is not Regular.
	Data []byte
	Size int64
}

// Read makes a plan of a folder's files. The prefix is what the paths of
// findings begin with; empty, it is the id. Findings come without severity
// and unsorted.
func Read(id, prefix string, files []File) (*Plan, []diag.Diagnostic) {
	return (*Cache)(nil).Read(id, prefix, files)
}

// Read is the function [Read] with files that were read before taken from the
// cache.
func (c *Cache) Read(id, prefix string, files []File) (*Plan, []diag.Diagnostic) {
	if prefix == "" {
		prefix = id
	}
	rd := reader{plan: &Plan{ID: id, Prefix: prefix}, cache: c}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	if len(files) > MaxFiles {
		rd.add("plan.md", RuleLimits, "split the plan", "the plan's folder holds more than %d files", MaxFiles)
		return rd.plan, rd.found
	}
	total := int64(0)
	for _, f := range files {
		total += max(f.Size, int64(len(f.Data)))
	}
	if total > MaxPlan {
		rd.add("plan.md", RuleLimits, "split the plan", "the plan's files are %d bytes, over the limit of %d", total, MaxPlan)
		return rd.plan, rd.found
	}
	deep := 0
	for _, f := range files {
		if strings.Count(f.Path, "/") <= MaxDepth {
			rd.file(f)
		} else if deep++; deep == 1 {
			rd.add(f.Path, RuleLimits, "move the tasks up", "folders nest deeper than %d levels of tasks; nothing there is read", MaxDepth)
		}
	}
	rd.link()
	return rd.plan, rd.found
}

type reader struct {
	plan  *Plan
	cache *Cache
	found []diag.Diagnostic
}

func (rd *reader) add(file, rule, hint, format string, args ...any) {
	rd.found = append(rd.found, diag.Diagnostic{
		Path: path.Join(rd.plan.Prefix, file), Pos: start, Rule: rule, Hint: hint, Message: fmt.Sprintf(format, args...),
	})
}

func (rd *reader) file(f File) {
	kind, why := classify(f.Path)
	if name := path.Base(f.Path); len(name) > MaxName {
		rd.add(f.Path, RuleLimits, "give it a shorter name", "the name is %d bytes long, over the limit of %d", len(name), MaxName)
	}
	switch {
	case why == RuleStrayFile:
		rd.add(f.Path, RuleStrayFile, StrayHint, "this is no file of a plan")
	case why == RuleFileMode && f.Mode == Regular:
		rd.add(f.Path, RuleFileMode, "rename it", "a folder belongs here; this is a file")
	case f.Mode != Regular:
		rd.add(f.Path, RuleFileMode, modeHint(f.Mode), "plan files are regular files; this is %s", modeName(f.Mode))
		if f.Mode == Executable && why != RuleFileMode && f.Data != nil {
			rd.aside(kind, f)
		}
	case why == RuleFilename:
		rd.add(f.Path, RuleFilename, "rename it NN-slug.md, such as "+likelyName(path.Base(f.Path)),
			"task files are named NN-slug.md, two digits and kebab-case")
		rd.aside(kind, f)
	default:
		rd.keep(kind, rd.read(kind, f))
	}
}

// aside reads a file that is no part of the plan for its name or mode, so that
// all that is wrong with it is told at once.
func (rd *reader) aside(kind docKind, f File) {
	if d := rd.read(kind, f); kind == taskDoc {
		rd.plan.Aside = append(rd.plan.Aside, d)
	}
}

// read parses a file and reports what is wrong with it.
func (rd *reader) read(kind docKind, f File) *Document {
	if size := max(f.Size, int64(len(f.Data))); size > MaxFile {
		rd.add(f.Path, RuleLimits, "move long material out of the plan", "the file is %d bytes, over the limit of %d", size, MaxFile)
		return &Document{Path: f.Path, kind: kind}
	}
	doc, found := rd.cache.document(kind, f.Path, f.Data)
	for _, d := range found {
		d.Path = path.Join(rd.plan.Prefix, f.Path)
		rd.found = append(rd.found, d)
	}
	return doc
}

func (rd *reader) keep(kind docKind, doc *Document) {
	switch kind {
	case planDoc:
		rd.plan.Doc = doc
	case taskDoc:
		t := &Task{Dir: path.Dir(doc.Path), Slug: strings.TrimSuffix(path.Base(doc.Path), ".md")[3:]}
		t.NN, _ = strconv.Atoi(path.Base(doc.Path)[:2]) // the name's pattern admits only digits
		t.refresh(doc)
		rd.plan.all = append(rd.plan.all, t)
	case signalDoc:
		s := &Signal{ID: strings.TrimSuffix(path.Base(doc.Path), ".md")}
		s.refresh(doc)
		rd.plan.Signals = append(rd.plan.Signals, s)
	}
}

func (s *Signal) refresh(d *Document) {
	s.Doc, s.Level, s.Task = d, d.Text("level"), d.Text("task")
}

// classify tells what a path in a plan's folder is, or by which rule it is
// not one of the plan's files.
func classify(p string) (kind docKind, rule string) {
	dir, name := path.Split(p)
	switch {
	case p == "plan.md":
		return planDoc, ""
	case p == "tasks" || p == "signals":
		return taskDoc, RuleFileMode // a file where a folder belongs
	case strings.HasPrefix(p, "tasks/") && isTaskFile(name):
		return taskDoc, ""
	case strings.HasPrefix(p, "tasks/") && strings.HasSuffix(name, ".md"):
		return taskDoc, RuleFilename
	case dir == "signals/" && strings.HasSuffix(name, ".md") && IsSignalID(strings.TrimSuffix(name, ".md")):
		return signalDoc, ""
	}
	return planDoc, RuleStrayFile
}

func modeName(m Mode) string {
	return [...]string{"a file", "executable", "a symbolic link", "something else"}[m]
}

func modeHint(m Mode) string {
	if m == Executable {
		return "chmod -x"
	}
	return "replace it by a regular file"
}

// likelyName is the name that a misnamed task file was probably meant to have:
// its own number, or 01, and its words.
func likelyName(name string) string {
	words := strings.TrimLeft(strings.TrimSuffix(name, ".md"), "0123456789")
	number := "01"
	if digits := name[:len(strings.TrimSuffix(name, ".md"))-len(words)]; len(digits) == 1 || len(digits) == 2 {
		number = ("0" + digits)[len(digits)-1:]
	}
	return number + "-" + slugOr(strings.TrimLeft(words, "-_. "), "first-step") + ".md"
}

// link builds the tree of tasks. A child whose parent file is missing stands
// at the top, where rules find it.
func (rd *reader) link() {
	p := rd.plan
	byPath := map[string]*Task{}
	for _, t := range p.all {
		byPath[t.Doc.Path] = t
	}
	for _, t := range p.all {
		if t.Parent = byPath[t.Dir+".md"]; t.Parent != nil {
			t.Parent.Children = append(t.Parent.Children, t)
		} else {
			p.Tasks = append(p.Tasks, t)
		}
	}
	p.order()
	slices.SortFunc(p.Signals, bySignalID)
}

// order sorts siblings by index and renews the flat list.
func (p *Plan) order() {
	byIndex := func(a, b *Task) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.NN, b.NN), cmp.Compare(a.Doc.Path, b.Doc.Path))
	}
	slices.SortStableFunc(p.Tasks, byIndex)
	p.all, p.ids = p.all[:0], map[string]*Task{}
	for _, t := range p.Tasks {
		t.walk(func(u *Task) {
			slices.SortStableFunc(u.Children, byIndex)
			u.index = len(p.all)
			p.all = append(p.all, u)
			if u.ID != "" && p.ids[u.ID] == nil {
				p.ids[u.ID] = u
			}
		})
	}
	p.graph = nil
}

// maxCached bounds the text of the files a [Cache] keeps, in bytes.
const maxCached = 64 << 20

// Cache keeps files that were read, by path and content: a file that is read
// again, from another revision say, is not parsed again. Documents never
// change, so what is kept is as good as new. It is safe for concurrent use; a
// nil Cache keeps nothing.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey]parsed
	bytes int
}

type cacheKey struct {
	kind         docKind
	path, source string
}

type parsed struct {
	doc   *Document
	found []diag.Diagnostic
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{files: map[cacheKey]parsed{}} }

// document is parseDocument through the cache.
func (c *Cache) document(kind docKind, path string, data []byte) (*Document, []diag.Diagnostic) {
	if c == nil {
		return parseDocument(kind, path, data)
	}
	key := cacheKey{kind, path, string(data)}
	c.mu.Lock()
	p, ok := c.files[key]
	c.mu.Unlock()
	if ok {
		return p.doc, p.found
	}
	p.doc, p.found = parseDocument(kind, path, data)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(data); c.bytes > maxCached {
		clear(c.files)
		c.bytes = len(data)
	}
	c.files[key] = p
	return p.doc, p.found
}
