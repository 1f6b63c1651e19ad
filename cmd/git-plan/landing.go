package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

// landing is where a change is now: a part of the answer of each command that changes
// plans.
type landing struct {
	Commit string `json:"commit"`
	// Published is null without a remote.
	Published *bool `json:"published"`
	// Unpublished is there where the change was to be published and was not.
	Unpublished []string `json:"unpublished,omitempty"`
}

func landed(result store.Result) landing {
	return landing{result.Commit, result.Published, result.Unpublished}
}

// tellUnpublished says why a change was not published that was to be. A claim that no
// other clone knows of says so before anything else. With --json the document says it.
func (o *output) tellUnpublished(result store.Result, claims []string) {
	why, more := result.Unpublished[0], result.Unpublished[1:]
	for _, task := range result.Claims() {
		if !slices.Contains(claims, task) {
			claims = append(claims, task)
		}
	}
	if len(claims) > 0 {
		is := "is"
		if len(claims) > 1 {
			is = "are"
		}
		o.say("not published: %s %s claimed in this clone only: %s", diag.Printable(strings.Join(claims, ", ")), is, diag.Printable(why))
		for _, line := range more {
			o.say("%s", diag.Printable(line))
		}
		return
	}
	o.warn("not published: %s", why)
	for _, line := range more {
		fmt.Fprintln(o.Stderr, diag.Printable(line))
	}
}

// tellResult prints what is to be known of a change beside its answer.
func (o *output) tellResult(result store.Result, claims ...string) {
	if len(result.Unpublished) > 0 && !o.json {
		o.tellUnpublished(result, claims)
	}
	for _, n := range result.Notes {
		o.warn("%s", n)
	}
}
