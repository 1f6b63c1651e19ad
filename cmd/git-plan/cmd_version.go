package main

import (
	"context"
	"fmt"
	"regexp"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this source tree: the last that was released, or
// the one that is about to be.
const release = "0.1.0"

// releaseDate is on the manual pages.
const releaseDate = "2026-11-21"

func newVersion(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, _ []string) error {
		info, _ := debug.ReadBuildInfo()
		version, revision := builtFrom(info)
		doc := map[string]string{"version": version, "revision": revision}
		if revision != "" && version == release {
			version += fmt.Sprintf(" (%.10s)", revision)
		}
		return a.reply(doc, "git plan version %s", version)
	}
}

// builtFrom gives the version of a build and the commit it was made from, where
// the build says. That of a release is the tag it was built at, by `go install`
// or from a clean checkout; any other is on its way from the release that the
// source names.
func builtFrom(info *debug.BuildInfo) (version, revision string) {
	if info == nil {
		return release, ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	between := regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`).FindStringSubmatch(info.Main.Version)
	switch {
	case between != nil && revision == "":
		return release, between[1]
	case between == nil && regexp.MustCompile(`^v\d+\.\d+\.\d+(-[\w.-]+)?$`).MatchString(info.Main.Version):
		return info.Main.Version[1:], revision
	}
	return release, revision
}
