package diff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/internal/words"
)

// File is one of the store's own files on one side of a comparison.
type File struct {
	Path string
	// Object is the same for the same content, and for no other.
	Object string
	// Mode is the file's mode, as git writes it.
	Mode string
	// Error is what is wrong with the file, "" where nothing is known to be: what
	// it sets is then unknown.
	Error string
	// Values are what the file sets, by name, nil where it is no more than text.
	Values map[string]any
}

// FileChange is how one of the store's own files differs.
type FileChange struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
	// Fields are the settings that differ, none of what is no more than text, and
	// the mode.
	Fields []Field `json:"fields"`
	// Error is what is wrong with the file as it is now.
	Error string `json:"error,omitempty"`
}

// compareFiles tells which of the store's own files differ, by path.
func compareFiles(from, to []File) []FileChange {
	old, now := filesByPath(from), filesByPath(to)
	var out []FileChange
	for _, p := range keysOf(old, now) {
		if old[p].Object != now[p].Object || old[p].Mode != now[p].Mode {
			out = append(out, fileChange(p, old, now))
		}
	}
	return out
}

// fileChange tells how a file differs. One that is in error now sets nothing that
// is known, and so nothing of it is told as taken out.
func fileChange(path string, old, now map[string]File) FileChange {
	before, was := old[path]
	after, is := now[path]
	c := FileChange{Path: path, Change: Changed, Fields: []Field{}, Error: after.Error}
	if after.Error == "" {
		c.Fields = settings(before.Values, after.Values)
	}
	switch {
	case !was:
		c.Change = Added
	case !is:
		c.Change = Removed
	default:
		c.Fields = append(c.Fields, differ("mode", before.Mode, after.Mode)...)
	}
	return c
}

func filesByPath(all []File) map[string]File {
	out := map[string]File{}
	for _, f := range all {
		out[f.Path] = f
	}
	return out
}

// settings gives what differs of two sets of values, by name.
func settings(old, now map[string]any) []Field {
	out := []Field{}
	for _, name := range keysOf(old, now) {
		if old[name] != now[name] {
			out = append(out, Field{name, old[name], now[name]})
		}
	}
	return out
}

// keysOf gives the keys of either map, sorted.
func keysOf[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// files tells in words which of the store's own files differ, or "".
func (r *Result) files() string {
	var paths []string
	for _, f := range r.Files {
		paths = append(paths, f.Path)
	}
	if len(paths) == 0 {
		return ""
	}
	return words.Few(paths, 3) + " changed"
}

// file gives the lines of one of the store's own files.
func (v *prose) file(f FileChange) []line {
	mark := map[Change]rune{Added: plus, Removed: minus}[f.Change]
	out := []line{say(cmp.Or(mark, edited), 0, "%s (%s)", f.Path, f.Change)}
	if f.Error != "" {
		out = append(out, say(edited, 1, "in error: %s", f.Error))
	}
	for _, field := range f.Fields {
		out = append(out, v.field(1, field)...)
	}
	return out
}
