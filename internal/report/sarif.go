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

// The objects of SARIF 2.1.0 that are used here, with the names they have
// there.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string             `json:"id"`
		ShortDescription sarifMessage       `json:"shortDescription"`
		Help             sarifMessage       `json:"help"`
		HelpURI          string             `json:"helpUri"`
		Default          sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID     string           `json:"ruleId"`
		RuleIndex  *int             `json:"ruleIndex,omitempty"`
		Level      string           `json:"level"`
		Message    sarifMessage     `json:"message"`
		Locations  []sarifLocation  `json:"locations"`
		Properties *sarifProperties `json:"properties,omitempty"`
	}
	sarifProperties struct {
		Commit string `json:"commit"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// newSARIF gives the SARIF form of a report. Columns count characters, which is
// what columnKind says.
func newSARIF(r Report) sarifLog {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "git plan", Version: r.Version, InformationURI: homePage}},
		Invocations: []sarifInvocation{{Successful: true}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, rule := range validate.Rules() {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSARIFRule(rule))
	}
	left := 0
	for _, g := range r.Groups {
		for _, d := range g.Findings {
			if len(run.Results) == maxResults {
				left++
				continue
			}
			result := newSARIFResult(g, d)
			if i, ok := index[d.Rule]; ok {
				result.RuleIndex = &i
			}
			run.Results = append(run.Results, result)
		}
	}
	if left > 0 {
		run.Invocations[0].Notifications = []sarifNotification{{"warning", sarifMessage{
			fmt.Sprintf("%s left out: at most %d are given here", words.Count(left, "more result"), maxResults)}}}
	}
	return sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}
}

func newSARIFRule(r validate.Rule) sarifRule {
	return sarifRule{
		ID: r.ID, ShortDescription: sarifMessage{sentence(r.Doc)}, Help: sarifMessage{sentence("To mend it: " + r.Fix)},
		HelpURI: homePage + "/blob/main/docs/rules.md#" + r.ID, Default: sarifConfiguration{r.Base != diag.Off, sarifLevel(r.Base)},
	}
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

func newSARIFResult(g Group, d diag.Diagnostic) sarifResult {
	text := diag.Printable(d.Message)
	if d.Hint != "" {
		text += "\nhint: " + diag.Printable(d.Hint)
	}
	at := sarifPhysical{Artifact: sarifArtifact{uri(g.fromTop(d.Path))}}
	if d.Pos.IsValid() {
		at.Region = &sarifRegion{d.Pos.Line, max(d.Pos.Column, 1)}
	}
	out := sarifResult{RuleID: d.Rule, Level: sarifLevel(d.Severity), Message: sarifMessage{noLinks(text)}, Locations: []sarifLocation{{at}}}
	if g.Commit != "" {
		out.Properties = &sarifProperties{g.Commit}
	}
	return out
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
