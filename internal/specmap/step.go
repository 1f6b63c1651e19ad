package specmap

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

const (
	keyDescription = "x-planspec-description"
	keyDetail      = "x-planspec-detail"
)

// maxNames is how many inputs, and how many outputs, the text of a step may
// name; maxCount is the most that its progress may count to.
const (
	maxNames = 1000
	maxCount = 999_999_999
)

// titleOf gives the title of the task that a step becomes.
func titleOf(s *planspec.Step) string {
	if s.Description != "" {
		return s.Description
	}
	return stepTitle(s.ID)
}

// stepTitle is what a step without a description is called.
func stepTitle(number string) string { return "Step " + number }

// bodyOf gives the text below the frontmatter: the detail, else the title.
func bodyOf(detail []string, title string) string {
	if text := strings.Join(trimLines(detail), "\n"); text != "" {
		return text
	}
	return title
}

// detailOf is the inverse of bodyOf, but for what keyDetail keeps.
func detailOf(body, title string) []string {
	lines := trimLines(splitLines(body))
	if len(lines) == 1 && lines[0] == title {
		return nil
	}
	return lines
}

// trimLines drops the empty lines at both ends.
func trimLines(lines []string) []string {
	full := func(line string) bool { return line != "" }
	first := slices.IndexFunc(lines, full)
	if first < 0 {
		return nil
	}
	last := len(lines) - 1
	for lines[last] == "" {
		last--
	}
	return lines[first : last+1]
}

// splitLines gives the lines of a text without white space at their ends.
func splitLines(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRightFunc(line, unicode.IsSpace)
	}
	return lines
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	lines := splitLines(text)
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), " "))
}

// nameOf makes a name of data of a text.
func nameOf(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), "_")
}

func namesOf(texts []string) []string {
	var out []string
	for _, text := range texts {
		if name := nameOf(text); name != "" && len(out) < maxNames {
			out = append(out, name)
		}
	}
	return out
}

// specStatus says a task's status in the words of a PlanSpec.
func specStatus(s plan.Status) planspec.Status {
	switch s {
	case plan.InProgress:
		return planspec.Active
	case plan.Done:
		return planspec.Done
	case plan.Blocked, plan.Failed:
		return planspec.Blocked
	case plan.Skipped, plan.Cancelled:
		return planspec.Skipped
	}
	return planspec.Pending
}

// taskStatus says a step's status in our words.
func taskStatus(s planspec.Status) plan.Status {
	switch s {
	case planspec.Active:
		return plan.InProgress
	case planspec.Done:
		return plan.Done
	case planspec.Blocked:
		return plan.Blocked
	case planspec.Skipped:
		return plan.Skipped
	}
	return plan.Pending
}

// progressOf writes how many iterations are done, and of how many; "" where
// none are counted.
func progressOf(s *planspec.Step) string {
	switch {
	case s.TotalCount != nil:
		return strconv.Itoa(s.DoneCount) + "/" + strconv.Itoa(*s.TotalCount)
	case s.DoneCount != 0:
		return strconv.Itoa(s.DoneCount)
	}
	return ""
}

// readProgress is the inverse of progressOf.
func readProgress(s *planspec.Step, text string) {
	done, total, known := strings.Cut(text, "/")
	n, err := strconv.Atoi(done)
	if err != nil || n < 0 || n > maxCount {
		return
	}
	if known {
		m, err := strconv.Atoi(total)
		if err != nil || m < 0 || m > maxCount {
			return
		}
		s.TotalCount = &m
	}
	s.DoneCount = n
}
