// Package web shows plans in a browser: as a server for the person in front of
// this machine, and as a folder of static pages.
//
// [New] makes the viewer of a repository, [Viewer.Serve] answers a browser until
// its context ends, and [Viewer.Write] writes the same pages to a folder. Both
// only read the repository. What a plan holds is text on a page, never markup,
// and every character that a reader cannot see is made visible, in one place
// that all pages pass: [Viewer.page].
package web

import (
	"time"

	"github.com/git-plan/git-plan/internal/store"
)

// Options say what a viewer shows.
type Options struct {
	Repo *store.Repo
	// Name is what the pages call the repository.
	Name string
	// Now is the clock.
	Now func() time.Time
	// Warn is told what could not be shown.
	Warn func(format string, args ...any)
}

// Viewer shows the plans of a repository. It is safe for concurrent use.
type Viewer struct {
	opts  Options
	store *reader
	pages pages
}

// New makes a viewer.
func New(opts Options) *Viewer {
	return &Viewer{opts: opts, store: newReader(opts.Repo)}
}
