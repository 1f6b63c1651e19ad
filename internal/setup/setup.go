// Package setup writes what coding agents need into a project: instructions,
// hooks, the server of tools, and settings of sandboxes and ignored files. [Agents] says which agents
// there are, [Setup.Write] and [Setup.Remove] do it. Files of others keep all
// their other bytes, and Remove gives back what was there.
package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// Project is what must be known of a project.
type Project struct {
	// Dir is the top of its working tree.
	Dir string
	// CommonDir is its git directory, which worktrees share.
	CommonDir string
	// Linked says that this is a linked worktree, whose git directory lies
	// outside of it.
	Linked bool
	// Drafts is the folder of drafts relative to Dir, or empty where git sees
	// it or it lies elsewhere.
	Drafts string
	// Instructions is the file, relative to Dir, that `git plan status` keeps
	// the whole rules in, or empty. No block goes there: it holds all of it.
	Instructions string
}

// Setup sets a project up for one agent, or undoes it.
type Setup struct {
	Agent   Agent
	Project Project
	// NoMCP leaves the server of tools out, and takes it out where it is.
	NoMCP bool
	// Dry changes nothing, and tells what would be.
	Dry bool
}

// Action is what was done to a file.
type Action string

// What may be done to a file. Left is one that could not be edited safely.
const (
	Created   Action = "created"
	Changed   Action = "changed"
	Removed   Action = "removed"
	Unchanged Action = "unchanged"
	Left      Action = "left"
)

// File tells what was done to a file, its path relative to the top of the
// project, with slashes.
type File struct {
	Path   string `json:"path"`
	Action Action `json:"action"`
	// Note is what the user should know or do, or "".
	Note string `json:"note,omitempty"`
	// Snippet is what belongs into a file that was left.
	Snippet string `json:"snippet,omitempty"`
}

// Find gives the agent with a name.
func Find(name string) (Agent, bool) {
	agents := Agents()
	i := slices.IndexFunc(agents, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return agents[i], true
}

// Names gives the names of all agents.
func Names() []string {
	var names []string
	for _, a := range Agents() {
		names = append(names, a.Name)
	}
	return names
}

// maxFile bounds the files that are edited, in bytes.
const maxFile = 1 << 20

// Write puts everything into place. What is there already stays as it is. Files
// that cannot be edited safely are left, and the result says so; an error ends
// it midway, and the result tells how far it came.
func (s Setup) Write() ([]File, error) {
	return s.each(func(root *os.Root, f file) (File, error) {
		text, there, err := ReadText(root, f.path, maxFile)
		if err != nil {
			return left(f, err), nil
		}
		put, err := f.edit.put(text, there)
		if err != nil {
			return left(f, err), nil
		}
		return s.carryOut(root, f, text, there, put)
	})
}

// Remove takes everything out again, and the files and folders that hold
// nothing else.
func (s Setup) Remove() ([]File, error) {
	s.NoMCP = false
	return s.each(func(root *os.Root, f file) (File, error) {
		text, there, err := ReadText(root, f.path, maxFile)
		if err != nil {
			return left(f, err), nil
		}
		if !there {
			return File{Path: f.path, Action: Unchanged}, nil
		}
		rest, err := f.edit.drop(text)
		if err != nil {
			return left(f, err), nil
		}
		f.remark = ""
		return s.carryOut(root, f, text, there, rest)
	})
}

// carryOut brings a file to what an edit made of it, and tells what was done.
func (s Setup) carryOut(root *os.Root, f file, text string, there bool, to change) (File, error) {
	done := told(f, to.kept)
	switch {
	case to.gone && there:
		done.Action = Removed
		return done, s.erase(root, f.path)
	case to.gone || there && to.text == text:
		done.Action = Unchanged
		if done.Snippet != "" || to.gone && f.remark != "" {
			done.Action = Left
		}
		return done, nil
	case there:
		done.Action = Changed
	default:
		done.Action = Created
	}
	return done, s.store(root, f.path, to.text)
}

// told begins what is said of a file: what was kept in it, and its remark.
func told(f file, keeps []kept) File {
	var notes, snippets []string
	for _, k := range keeps {
		notes = append(notes, k.why)
		if k.snippet != "" {
			snippets = append(snippets, k.snippet)
		}
	}
	if f.remark != "" {
		notes = append(notes, f.remark)
	}
	return File{Path: f.path, Note: strings.Join(notes, "; "), Snippet: strings.Join(snippets, "\n\n")}
}

// each does something to each of the agent's files.
func (s Setup) each(do func(*os.Root, file) (File, error)) ([]File, error) {
	root, err := os.OpenRoot(s.Project.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	done := []File{}
	for _, f := range s.Agent.files(s) {
		if f.path == s.Project.Instructions {
			done = append(done, File{Path: f.path, Action: Unchanged, Note: "plan.instructionsFile names it: `git plan status --json` keeps the whole rules in it"})
			continue
		}
		result, err := do(root, f)
		if err != nil {
			return done, fmt.Errorf("%s: %w", f.path, err)
		}
		done = append(done, result)
	}
	return done, nil
}

// left tells of a file that was not touched, and why.
func left(f file, why error) File {
	return File{Path: f.path, Action: Left, Note: why.Error(), Snippet: f.edit.snippet()}
}

// ReadText gives the text of a file, and whether it is there. What is no text
// file of the project, or of more than limit bytes, is an error that says what
// it is instead, without naming it.
func ReadText(root *os.Root, path string, limit int64) (text string, there bool, err error) {
	info, err := root.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := root.Lstat(path); err == nil {
			return "", false, errors.New("it is a link to nothing")
		}
		return "", false, nil
	}
	switch {
	case err != nil:
		return "", false, fmt.Errorf("it cannot be reached within the project: %w", inner(err))
	case !info.Mode().IsRegular():
		return "", false, errors.New("it is no regular file")
	case info.Size() > limit:
		return "", false, fmt.Errorf("it is larger than %d bytes", limit)
	}
	data, err := root.ReadFile(path)
	if err != nil {
		return "", false, inner(err)
	}
	if !utf8.Valid(data) || strings.ContainsRune(string(data), 0) {
		return "", false, errors.New("it is no UTF-8 text")
	}
	return string(data), true, nil
}

// inner gives the cause of an error about a path, which is named already.
func inner(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
