package report

import (
	"cmp"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// The elements of a JUnit report: a suite for each plan, a case for each file
// of it that something was found in.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class    string        `xml:"classname,attr"`
		Name     string        `xml:"name,attr"`
		File     string        `xml:"file,attr,omitempty"`
		Failure  *junitFailure `xml:"failure"`
		Warnings string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes JUnit's XML. A warning fails no case, it is the case's
// output. What XML cannot hold is escaped or replaced.
func writeJUnit(w io.Writer, r Report) error {
	doc := junitReport{Name: "git plan check"}
	for _, g := range r.Groups {
		for _, s := range g.suites() {
			doc.Tests, doc.Failures = doc.Tests+s.Tests, doc.Failures+s.Failures
			doc.Suites = append(doc.Suites, s)
		}
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

// suites gives a suite for each plan, also if nothing was found in it, and one
// for what belongs to none.
func (g Group) suites() []junitSuite {
	var folders []string
	seen := map[string]bool{}
	for _, p := range g.Plans {
		if !seen[p] { // one may have been named twice
			folders, seen[p] = append(folders, p), true
		}
	}
	byPlan := map[string][]diag.Diagnostic{}
	for _, d := range g.Findings {
		p := planOf(d.Path, seen)
		byPlan[p] = append(byPlan[p], d)
	}
	if len(byPlan[""]) > 0 {
		folders = append(folders, "")
	}
	var out []junitSuite
	for _, folder := range folders {
		out = append(out, g.suite(folder, byPlan[folder]))
	}
	return out
}

// planOf gives the folder of the plan that a path belongs to, or "".
func planOf(p string, plans map[string]bool) string {
	for dir := p; dir != "."; dir = path.Dir(dir) {
		if plans[dir] {
			return dir
		}
		if dir == "/" {
			break
		}
	}
	if plans["."] && !path.IsAbs(p) && !strings.HasPrefix(p, "../") {
		return "."
	}
	return ""
}

func (g Group) suite(folder string, found []diag.Diagnostic) junitSuite {
	name := diag.Printable(cmp.Or(folder, "store"))
	if g.Commit != "" {
		name = shortName(g.Commit) + " " + name
	}
	s := junitSuite{Name: name}
	for len(found) > 0 { // sorted, so that those of a file stand together
		n := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Path != found[0].Path })
		if n < 0 {
			n = len(found)
		}
		s.Cases = append(s.Cases, g.testCase(name, found[:n]))
		found = found[n:]
	}
	if len(s.Cases) == 0 {
		s.Cases = append(s.Cases, junitCase{Class: name, Name: "the plan passes the gate"})
	}
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
	}
	return s
}

// testCase makes a case of the findings of one file.
func (g Group) testCase(class string, found []diag.Diagnostic) junitCase {
	c := junitCase{Class: class, Name: diag.Printable(found[0].Path), File: diag.Printable(g.fromTop(found[0].Path))}
	var errs, warnings []diag.Diagnostic
	for _, d := range found {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		} else {
			warnings = append(warnings, d)
		}
	}
	if len(errs) > 0 {
		message := diag.Printable(errs[0].Message)
		if more := len(errs) - 1; more > 0 {
			message += " (and " + words.Count(more, "more error") + ")"
		}
		c.Failure = &junitFailure{Message: message, Type: diag.Printable(errs[0].Rule), Text: textOf(errs)}
	}
	c.Warnings = textOf(warnings)
	return c
}

func textOf(found []diag.Diagnostic) string {
	var b strings.Builder
	diag.WriteText(&b, found)
	return b.String()
}
