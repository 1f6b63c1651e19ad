package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this source tree.
const release = "0.1.0"

// releaseDate stands on the manual pages.
const releaseDate = "2026-11-21"

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", GroupID: groupSetup,
		Long: "Print the version of git plan.\n" + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.print(map[string]string{"version": release, "revision": revision()})
			}
			a.say("git plan version %s", release)
			return nil
		},
	}
}

// revision is the commit the program was built from, where the build says.
func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}
