package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// docKind tells the three kinds of plan files apart.
type docKind int

const (
	planDoc docKind = iota
	taskDoc
	signalDoc
)

// valueType is what a field's value must be.
type valueType int

const (
	typeLine     valueType = iota // a string of one line
	typeText                      // a string
	typeList                      // a list of strings
	typePaths                     // a list of paths inside the project
	typeInt                       // an integer, see FieldSpec.Min and Max
	typeBool                      // true or false
	typeTime                      // RFC 3339, or a date
	typeDuration                  // 30m, 4h, 2d, 1w and sums of them
	typeEnum                      // one of FieldSpec.Values
	typeProgress                  // N or N/M
	typeID                        // kebab-case
)

// FieldSpec describes one frontmatter field.
type FieldSpec struct {
	Name string
	// Values are the words an enumeration allows, in order.
	Values []string
	// Min and Max bound an integer; Max 0 means no bound.
	Min, Max int
	// Runtime marks fields that record what happened. All others define the
	// plan: changing them is replanning, changing these is progress.
	Runtime bool

	// Required marks the fields without which a file is refused.
	Required bool

	typ  valueType
	rule string // of a value outside Values or bounds
	flow bool   // canonical form is [a, b]
}

// Type says what the field's value must be: "line", "text", "list" of strings,
// "paths", "integer", "boolean", "time", "duration", "enum", "progress" or "id".
func (s FieldSpec) Type() string {
	return [...]string{"line", "text", "list", "paths", "integer", "boolean", "time", "duration", "enum", "progress", "id"}[s.typ]
}

// PlanFields, TaskFields and SignalFields give the fields of the three kinds of
// files, in canonical order.
func PlanFields() []FieldSpec { return slices.Clone(planFields) }

// TaskFields: see [PlanFields].
func TaskFields() []FieldSpec { return slices.Clone(taskFields) }

// SignalFields: see [PlanFields].
func SignalFields() []FieldSpec { return slices.Clone(signalFields) }

// Frontmatter of the three kinds of files, in canonical order.
func specs(kind docKind) []FieldSpec {
	switch kind {
	case planDoc:
		return planFields
	case taskDoc:
		return taskFields
	default:
		return signalFields
	}
}

var planFields = []FieldSpec{
	{Name: "title", typ: typeLine, Required: true},
	{Name: "goal", typ: typeText},
	{Name: "goal_detail", typ: typeList},
	{Name: "constraints", typ: typeList},
	{Name: "tags", typ: typeList, flow: true},
	{Name: "informed_by", typ: typeList},
	{Name: "complexity", typ: typeInt, Min: 1, Max: 10, rule: RuleEnumValue},
	{Name: "gates", typ: typeEnum, Values: []string{"base", "strict"}, rule: RuleEnumValue},
	{Name: "version", typ: typeInt, Min: 1, rule: RuleVersion, Runtime: true},
	{Name: "max_replans", typ: typeInt, rule: RuleEnumValue},
	{Name: "created_at", typ: typeTime, Runtime: true},
	{Name: "created_by", typ: typeLine, Runtime: true},
	{Name: "formerly", typ: typeID, Runtime: true},
	{Name: "final_summary", typ: typeText, Runtime: true},
	{Name: "abandoned", typ: typeBool, Runtime: true},
}

var taskFields = []FieldSpec{
	{Name: "id", typ: typeID, Required: true},
	{Name: "title", typ: typeLine},
	{Name: "type", typ: typeEnum, Values: []string{"feature", "bugfix", "chore", "test", "docs", "refactor"}, rule: RuleTypeValue},
	{Name: "kind", typ: typeEnum, Values: []string{"reason", "act", "decide", "subtask"}, rule: RuleKindValue},
	{Name: "step_name", typ: typeLine},
	{Name: "status", typ: typeEnum, Values: []string{"pending", "in_progress", "blocked", "done", "failed", "skipped", "cancelled"}, rule: RuleStatusValue, Runtime: true},
	{Name: "depends_on", typ: typeList, flow: true},
	{Name: "agent", typ: typeLine},
	{Name: "priority", typ: typeEnum, Values: []string{"low", "medium", "high", "critical"}, rule: RuleEnumValue},
	{Name: "estimate", typ: typeDuration},
	{Name: "tags", typ: typeList, flow: true},
	{Name: "subtasks", typ: typeList},
	{Name: "context_hints", typ: typeList},
	{Name: "relevant_file_paths", typ: typePaths},
	{Name: "acceptance_criteria", typ: typeList},
	{Name: "creates", typ: typePaths},
	{Name: "inputs", typ: typeList, flow: true},
	{Name: "outputs", typ: typeList, flow: true},
	{Name: "progress", typ: typeProgress, Runtime: true},
	{Name: "executed_by", typ: typeLine, Runtime: true},
	{Name: "started_at", typ: typeTime, Runtime: true},
	{Name: "completed_at", typ: typeTime, Runtime: true},
	{Name: "lease_until", typ: typeTime, Runtime: true},
	{Name: "result", typ: typeText, Runtime: true},
	{Name: "error", typ: typeText, Runtime: true},
	{Name: "affected_files", typ: typePaths, Runtime: true},
	{Name: "notes", typ: typeList, Runtime: true},
	{Name: "evidence", typ: typeList, Runtime: true},
}

var signalFields = []FieldSpec{
	{Name: "level", typ: typeEnum, Values: []string{"blocker", "warning", "info"}, rule: RuleEnumValue, Required: true},
	{Name: "task", typ: typeLine},
	{Name: "opened_at", typ: typeTime},
	{Name: "opened_by", typ: typeLine},
	{Name: "source", typ: typeLine},
	{Name: "code", typ: typeLine},
	{Name: "branch", typ: typeLine},
}

// specOf gives the row of a field, or nil.
func specOf(kind docKind, name string) *FieldSpec {
	list := specs(kind)
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// IsKebab reports whether s is kebab-case: lower-case letters and digits in
// words joined by single hyphens, the form of plan and task ids.
func IsKebab(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	return strings.Trim(s, lowerAlnum+"-") == ""
}

// IsSignalID reports whether s can name a signal.
func IsSignalID(s string) bool {
	return s != "" && strings.Contains(lowerAlnum, s[:1]) && strings.Trim(s, lowerAlnum+"._-") == ""
}

// IsDevice reports whether Windows keeps a name for a device, with whatever
// extension: no file or folder of that name can be made there, so a plan or a
// signal that had it could not be checked out. One that has it already is read
// like any other.
func IsDevice(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	if len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) {
		return isDigit(name[3])
	}
	return name == "con" || name == "prn" || name == "aux" || name == "nul"
}

// isTaskFile reports whether a name is that of a task file: two digits, a
// hyphen, kebab-case and .md.
func isTaskFile(name string) bool {
	return len(name) > len("00-.md") && isDigit(name[0]) && isDigit(name[1]) && name[2] == '-' &&
		strings.HasSuffix(name, ".md") && IsKebab(name[3:len(name)-len(".md")])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

const lowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"

// Pattern is a regular expression that is compiled at its first use: most
// runs of a program need few of them.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// isProgress reports whether s is N or N/M, of counts that every form can hold.
func isProgress(s string) bool {
	done, total, both := strings.Cut(s, "/")
	return isCount(done) && (!both || isCount(total))
}

func isCount(s string) bool {
	const digits = len("999999999")
	return isNumber(s) && len(strings.TrimLeft(s, "0")) <= digits
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// ParseTime reads a time as frontmatter has it: RFC 3339, or a date. Its year has
// four digits in UTC, too, in which it is written.
func ParseTime(s string) (time.Time, error) {
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil && t.UTC().Year() >= 0 && t.UTC().Year() <= 9999 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no RFC 3339 time such as 2026-01-31T09:30:00Z", s)
}

// FormatTime writes a time as frontmatter has it, in UTC to the second.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ParseDuration reads a duration as frontmatter has it: whole or fractional
// numbers of w, d, h, m and s, such as 30m, 1d12h or 1.5h. A day is 24 hours
// and a week seven days.
func ParseDuration(s string) (time.Duration, error) {
	hours, rest := 0.0, s
	for rest != "" {
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		whole, part, fraction := strings.Cut(rest[:n], ".")
		if n == len(rest) || !isNumber(whole) || fraction && !isNumber(part) || strings.IndexByte("wdhms", rest[n]) < 0 {
			break
		}
		value, _ := strconv.ParseFloat(rest[:n], 64) // digits are a number; one out of range is infinite
		hours += value * unitHours(rest[n])
		rest = rest[n+1:]
	}
	if s == "" || rest != "" {
		return 0, fmt.Errorf("%q is no duration such as 30m, 4h or 2d", s)
	}
	if hours > 1e6 {
		return 0, fmt.Errorf("%q is longer than a century", s)
	}
	return time.Duration(hours * float64(time.Hour)).Round(time.Millisecond), nil
}

// unitHours gives the hours in a unit of durations.
func unitHours(unit byte) float64 {
	switch unit {
	case 'w':
		return 7 * 24
	case 'd':
		return 24
	case 'h':
		return 1
	case 'm':
		return 1.0 / 60
	}
	return 1.0 / 3600
}

// isDrive reports whether a path begins with a drive letter.
func isDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// CheckPath says why p may not stand for a path inside the project, or "".
func CheckPath(p string) string {
	switch {
	case p == "" || strings.TrimSpace(p) != p:
		return "is empty or has white space around it"
	case strings.HasPrefix(p, "/") || isDrive(p):
		return "is absolute"
	case strings.Contains(p, `\`):
		return "has a backslash"
	case strings.ContainsFunc(p, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }):
		return "has a control character"
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return "leaves the project (`..`)"
		}
		if name := strings.TrimRight(strings.ToLower(part), ". "); name == ".git" || name == "git~1" {
			return "reaches into `.git`"
		}
	}
	return ""
}
