package report

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
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
		Results     []sarifFinding    `json:"results"`
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
	sarifFinding struct {
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

func parseSARIF(t testing.TB, text string) sarifLog {
	t.Helper()
	var log sarifLog
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil || d.More() {
		t.Fatalf("%v in\n%s", err, text)
	}
	return log
}

// checkSARIF holds a log against what the standard asks of the objects used.
func checkSARIF(t testing.TB, log sarifLog) {
	t.Helper()
	levels := map[string]bool{"none": true, "note": true, "warning": true, "error": true}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" || run.ColumnKind != "unicodeCodePoints" || run.Results == nil || len(run.Invocations) != 1 {
		t.Errorf("the run is incomplete: %+v", run.Tool.Driver.Name)
	}
	if len(run.Results) > maxResults {
		t.Errorf("%d results", len(run.Results))
	}
	seen := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if seen[r.ID] || r.ShortDescription.Text == "" || r.Help.Text == "" || !levels[r.Default.Level] {
			t.Errorf("rule %+v", r)
		}
		seen[r.ID] = true
		checkURI(t, r.HelpURI, true)
	}
	for _, r := range run.Results {
		if r.RuleID == "" || r.Message.Text == "" || !levels[r.Level] || len(r.Locations) != 1 {
			t.Errorf("result %+v", r)
		}
		if r.RuleIndex != nil && run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s has the index of another rule", r.RuleID)
		}
		at := r.Locations[0].Physical
		checkURI(t, at.Artifact.URI, false)
		if at.Region != nil && (at.Region.StartLine < 1 || at.Region.StartColumn < 1) {
			t.Errorf("region %+v", at.Region)
		}
	}
}

// checkURI parses a reference and looks for characters that none may hold.
func checkURI(t testing.TB, ref string, absolute bool) {
	t.Helper()
	u, err := url.Parse(ref)
	if err != nil || u.IsAbs() != absolute && u.Scheme != "file" || !regexp.MustCompile(`^([A-Za-z0-9._~/:#*!'();-]|%[0-9A-F]{2})+$`).MatchString(ref) {
		t.Errorf("%q is no URI reference: %v", ref, err)
	}
}

func TestSARIF(t *testing.T) {
	log := parseSARIF(t, write(t, small(), "sarif"))
	checkSARIF(t, log)
	run := log.Runs[0]
	if len(run.Tool.Driver.Rules) != len(validate.Rules()) || len(run.Results) != 5 || run.Tool.Driver.Version != "1.2.3" {
		t.Errorf("%d rules, %d results", len(run.Tool.Driver.Rules), len(run.Results))
	}
	got := run.Results[1]
	at := got.Locations[0].Physical
	if got.Level != "error" || at.Artifact.URI != "auth/tasks/01-a.md" || *at.Region != (sarifRegion{2, 5}) ||
		got.Message.Text != "the id `A` is not kebab-case\nhint: use lower-case letters" {
		t.Errorf("%+v", got)
	}
	commits := parseSARIF(t, write(t, ofCommits(), "sarif"))
	checkSARIF(t, commits)
	if p := commits.Runs[0].Results[1].Properties; p == nil || p.Commit != strings.Repeat("3", 40) {
		t.Errorf("%+v", p)
	}
	checkSARIF(t, parseSARIF(t, write(t, Report{}, "sarif")))
	rules := run.Tool.Driver.Rules
	if r := rules[len(rules)-1]; r.ID != "judge" || r.Default.Enabled || r.Default.Level != "none" {
		t.Errorf("%+v", r)
	}
}

func TestSARIFInjection(t *testing.T) {
	log := parseSARIF(t, write(t, hostile(), "sarif"))
	checkSARIF(t, log)
	results := log.Runs[0].Results
	if got := results[0].Locations[0].Physical.Artifact.URI; got != "a%3A%3Ab/x%2Cline%3D1%250A%0A%3A%3Aerror%3A%3Ap%00%E2%80%AE%5D%5D%3E%22%27%3C%26.md" {
		t.Error(got)
	}
	if results[1].RuleIndex != nil || strings.Contains(results[0].Message.Text, "](") {
		t.Errorf("%+v", results)
	}
}

func TestSARIFLimit(t *testing.T) {
	var g Group
	for i := range maxResults + 3 {
		g.Findings = append(g.Findings, at("a.md", i+1, 1, diag.Error, "id-format", "m", ""))
	}
	log := parseSARIF(t, write(t, Report{Groups: []Group{g}}, "sarif"))
	checkSARIF(t, log)
	notes := log.Runs[0].Invocations[0].Notifications
	if len(log.Runs[0].Results) != maxResults || len(notes) != 1 || notes[0].Message.Text != "3 more results left out: at most 5000 are given here" {
		t.Errorf("%d results, %+v", len(log.Runs[0].Results), notes)
	}
}

func TestURI(t *testing.T) {
	for p, want := range map[string]string{
		"auth/plan.md": "auth/plan.md", "../a b.md": "../a%20b.md", "/tmp/é.md": "file:///tmp/%C3%A9.md", "a%2F.md": "a%252F.md",
		"a?b#c.md": "a%3Fb%23c.md", "c:x/y": "c%3Ax/y", "-._~": "-._~", `a\b`: "a%5Cb", "\xff": "%FF",
	} {
		if got := uri(p); got != want {
			t.Errorf("%s is %s, want %s", p, got, want)
		}
	}
}
