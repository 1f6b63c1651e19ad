package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// How many characters a text may have after trimming.
const (
	MaxObjective = 240
	MaxTitle     = 160
	MaxText      = 512 // details, and each note
)

// text gives a text as it counts and notes what is wrong with it. Only what
// an editor leaves around a line is trimmed; a form feed, say, is a fault.
func (f *faults) text(field, text string, least, most int) string {
	text = trim(text)
	length := utf8.RuneCountInString(text)
	switch {
	case length < least:
		f.add(field, "empty: give 1 to %d characters", most)
	case length > most:
		f.add(field, "%d characters, and at most %d are allowed: shorten it", length, most)
	}
	at := 0
	for i, r := range text {
		at++
		if reason := unfit(r, text[i:]); reason != "" {
			f.add(field, "character %d is %s", at, reason)
			break // one is enough to find the others
		}
	}
	return text
}

func trim(text string) string { return strings.Trim(text, " \t\r\n") }

// unfit says why the character at the beginning of rest cannot stand in a
// text, and what to do; it is empty where the character can.
func unfit(r rune, rest string) string {
	switch {
	case r == utf8.RuneError && !strings.HasPrefix(rest, "\ufffd"):
		return "no character of UTF-8: use ASCII only"
	case r > 0x7e && r != 0x7f:
		return fmt.Sprintf("U+%04X: use ASCII only", r)
	case r == '\n' || r == '\r':
		return "a line break: write it as one line"
	case r < 0x20 || r == 0x7f:
		return fmt.Sprintf("the control character U+%04X: leave it out", r)
	}
	return ""
}

func (f *faults) stepID(id string) string {
	id = trim(id)
	if number(id) == 0 {
		f.add("step_id", "%s is no id of a step: give one of the form S001, as planning_read_plan shows them", quote(id))
	}
	return id
}

func (f *faults) status(s StepStatus) StepStatus {
	s = StepStatus(trim(string(s)))
	if !slices.Contains(StepStatuses(), s) {
		f.add("status", "%s is none: give pending, in_progress, blocked or done", quote(string(s)))
	}
	return s
}

// quote gives a text of somebody else for a message: ASCII, and short.
func quote(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%+q", text)
}

// item names an entry of a list, counted from 0 as in JSON.
func item(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
