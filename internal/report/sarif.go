package report

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// maxResults is how many results GitHub shows of one file.
const maxResults = 5000

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homePage    = "https://github.com/git-plan/git-plan"
)

// object is a JSON object.
type object = map[string]any

func sarifText(s string) object { return object{"text": s} }

// newSARIF gives a report as a log of SARIF 2.1.0. Columns count characters,
// which is what columnKind says.
func newSARIF(r Report) object {
	index, rules := map[string]int{}, []object{}
	for i, rule := range validate.Rules() {
		index[rule.ID] = i
		rules = append(rules, object{
			"id": rule.ID, "shortDescription": sarifText(sentence(rule.Doc)), "help": sarifText(sentence("To fix it: " + rule.Fix)),
			"helpUri":              homePage + "/blob/main/docs/rules.md#" + rule.ID,
			"defaultConfiguration": object{"enabled": rule.Base != diag.Off, "level": sarifLevel(rule.Base)},
		})
	}
	driver := object{"name": "git plan", "informationUri": homePage, "rules": rules}
	if r.Version != "" {
		driver["version"] = r.Version
	}
	results, left := []object{}, 0
	for _, g := range r.Groups {
		for _, d := range g.Findings {
			if len(results) == maxResults {
				left++
				continue
			}
			result := sarifResult(g, d)
			if i, ok := index[d.Rule]; ok {
				result["ruleIndex"] = i
			}
			results = append(results, result)
		}
	}
	invocation := object{"executionSuccessful": true}
	if left > 0 {
		note := fmt.Sprintf("%s left out: at most %d are given here", words.Count(left, "more result"), maxResults)
		invocation["toolExecutionNotifications"] = []object{{"level": "warning", "message": sarifText(note)}}
	}
	run := object{"tool": object{"driver": driver}, "invocations": []object{invocation}, "columnKind": "unicodeCodePoints", "results": results}
	return object{"$schema": sarifSchema, "version": "2.1.0", "runs": []object{run}}
}

func sarifResult(g Group, d diag.Diagnostic) object {
	text := diag.Printable(d.Message)
	if d.Hint != "" {
		text += "\nhint: " + diag.Printable(d.Hint)
	}
	at := object{"artifactLocation": object{"uri": uri(g.fromTop(d.Path))}}
	if d.Pos.IsValid() {
		at["region"] = object{"startLine": d.Pos.Line, "startColumn": max(d.Pos.Column, 1)}
	}
	out := object{"ruleId": d.Rule, "level": sarifLevel(d.Severity), "message": sarifText(noLinks(text)), "locations": []object{{"physicalLocation": at}}}
	if g.Commit != "" {
		out["properties"] = object{"commit": g.Commit}
	}
	return out
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

func sarifLevel(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "none"
}

// noLinks breaks what viewers would take for a link.
func noLinks(text string) string { return strings.ReplaceAll(text, "](", "] (") }

// uri gives a path as a URI reference: relative ones stay so, and whatever a
// URI reserves is percent-encoded.
func uri(p string) string {
	var parts []string
	for part := range strings.SplitSeq(p, "/") {
		parts = append(parts, strings.NewReplacer(":", "%3A", "+", "%2B", "&", "%26", "=", "%3D", "@", "%40", "$", "%24").Replace(url.PathEscape(part)))
	}
	out := strings.Join(parts, "/")
	if strings.HasPrefix(out, "/") {
		return "file://" + out
	}
	return out
}
