package store

import (
	"iter"
	"strings"
)

// The trailers of commits. Those below a trailer "Plan" are about that plan.
const (
	trailerPlan     = "Plan"
	trailerEvent    = "Plan-Event"
	trailerVersion  = "Plan-Version"
	trailerReplaces = "Plan-Replaces"
	trailerJudge    = "Plan-Judge" // judgeApproved or judgeRejected
	trailerCode     = "Plan-Code"
	trailerTree     = "Plan-Code-Tree"
	trailerAgent    = "Plan-Agent"
	trailerChange   = "Plan-Change"

	// TrailerTask names a task as "plan/task": in a commit of plans one that
	// something happened to, in a commit of the code one that the work is for.
	TrailerTask = "Plan-Task"
)

// trailers visits the trailers of a message by key and value, in their order.
func trailers(message string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for line := range strings.Lines(trailerBlock(message)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !yield(key, strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// trailer gives the value of the first trailer of that key.
func trailer(message, key string) string {
	for k, value := range trailers(message) {
		if k == key {
			return value
		}
	}
	return ""
}

// planTrailer gives the value of the first trailer of that key about a plan.
func planTrailer(message, id, key string) string {
	ours := false
	for k, value := range trailers(message) {
		switch {
		case k == trailerPlan:
			ours = value == id
		case k == key && ours:
			return value
		}
	}
	return ""
}

// trailerBlock gives the last paragraph of a message, where its trailers are.
func trailerBlock(message string) string {
	message = strings.TrimRight(message, "\n")
	return message[strings.LastIndex(message, "\n\n")+1:]
}

// isTrailers reports whether a paragraph is nothing but trailers.
func isTrailers(paragraph string) bool {
	for line := range strings.Lines(paragraph) {
		key, _, ok := strings.Cut(line, ": ")
		if !ok || strings.Contains(key, " ") {
			return false
		}
	}
	return true
}
