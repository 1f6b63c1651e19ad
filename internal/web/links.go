package web

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// links makes the links of a page. They are relative, so that pages work below
// any address and from a folder.
//
// A page is named by its path from the root: "" is the list of plans, a path
// that ends in "/" is the first page of something, such as "plans/auth/".
type links struct {
	// Static says that the pages are files.
	Static bool
	// root leads from the page to the root: "" or some "../".
	root string
}

// linksOf makes the links of the page at a path.
func linksOf(path string, static bool) links {
	return links{static, strings.Repeat("../", strings.Count(path, "/"))}
}

// To leads to the page at a path.
func (l links) To(path string) string {
	if l.Static {
		return l.root + fileOf(path)
	}
	if path = l.root + path; path == "" {
		return "./"
	}
	return path
}

// Asset leads to a file that pages need.
func (l links) Asset(name string) string { return l.root + "assets/" + name }

// fileOf names the file of the page at a path. What is too long for the name of
// a folder is cut, and told from others that begin like it by its hash.
func fileOf(path string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		if len(name) > maxName {
			names[i] = fmt.Sprintf("%s_%x", name[:40], sha256.Sum256([]byte(name)))
		}
	}
	path = strings.Join(names, "/")
	if path == "" || strings.HasSuffix(path, "/") {
		return path + "index.html"
	}
	return path + ".html"
}

// The paths of pages.
const (
	listPath  = ""
	boardPath = "board"
)

func planPath(id string) string          { return "plans/" + id + "/" }
func taskPath(id, key string) string     { return planPath(id) + "tasks/" + key }
func changesPath(id, span string) string { return planPath(id) + "changes/" + span }
