package validate

import (
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func TestParseGates(t *testing.T) {
	const all = "format: 2\ngate: strict\nrules:\n  title-vague: error\n  container-empty: off\njudge: required\nevidence: advisory\nlease: 1h30m\npublish: auto\n"
	g, found := ParseGates("gates.yaml", []byte(all))
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", lines(found))
	}
	if g.Format != 2 || g.Gate != Strict || g.Judge != Required || g.Evidence != Advisory || g.Lease != 90*time.Minute || !g.Publishes() || g.Newer() {
		t.Errorf("parsed as %+v", g)
	}
	if len(g.Rules) != 2 || g.Rules["title-vague"] != diag.Error || g.Rules["container-empty"] != diag.Off {
		t.Errorf("rules: %v", g.Rules)
	}
	for _, text := range []string{"", "# nothing is set\n", "format: 1\n", "rules:\n", "rules: {}\n", "publish: manual\nformat: 2\n", "\ufeffformat: 1\r\ngate: base\r\n"} {
		g, found := ParseGates("gates.yaml", []byte(text))
		if len(found) > 0 || g.Gate != Base || g.Lease != DefaultLease || g.Judge != LevelOff || g.Evidence != LevelOff || g.Publishes() || len(g.Rules) > 0 {
			t.Errorf("%q gives %+v\n%s", text, g, lines(found))
		}
	}
}

func TestParseGatesFindings(t *testing.T) {
	for text, want := range map[string]string{
		"gate: strikt":                           "1:7: error: `gate` must be one of base, strict",
		"gate: Strict":                           "1:7: error: `gate` must be one of base, strict",
		"gate: [strict]":                         "1:7: error: `gate` must be one of base, strict",
		"gate:":                                  "1:6: error: `gate` must be one of base, strict",
		"format: one":                            "1:9: error: `format` must be 1 or 2",
		"format: 0":                              "1:9: error: `format` must be 1 or 2",
		"format: \"1\"":                          "1:9: error: `format` must be 1 or 2",
		"format: 1.0":                            "1:9: error: `format` must be 1 or 2",
		"format: 1_0":                            "1:9: error: `format` must be 1 or 2",
		"publish: auto":                          "1:1: error: `publish` needs `format: 2`",
		"format: 1\npublish: manual":             "2:1: error: `publish` needs `format: 2`",
		"format: 2\npublish: always":             "2:10: error: `publish` must be one of manual, auto",
		"judge: on":                              "1:8: error: `judge` must be one of off, advisory, required",
		"judge: error":                           "1:8: error: `judge` must be one of off, advisory, required",
		"evidence: false":                        "1:11: error: `evidence` must be one of off, advisory, required",
		"lease: 4":                               "1:8: error: `lease` must be a duration such as 30m or 4h",
		"lease: 0s":                              "1:8: error: `lease` must be a duration such as 30m or 4h",
		"lease: -4h":                             "1:8: error: `lease` must be a duration such as 30m or 4h",
		"rules: strict":                          "1:8: error: `rules` must be a mapping of rule ids to error, warning or off",
		"rules: [title-vague]":                   "1:8: error: `rules` must be a mapping of rule ids to error, warning or off",
		"rules:\n  title-vauge: off":             "2:3: error: there is no rule `title-vauge` (did you mean \"title-vague\"?)",
		"rules:\n  title-vague: true":            "2:16: error: `title-vague` must be error, warning or off",
		"rules:\n  title-vague:":                 "2:15: error: `title-vague` must be error, warning or off",
		"rules:\n  title-vague: {severity: off}": "2:16: error: `title-vague` must be error, warning or off",
		"rules:\n  transition: warning":          "2:15: error: rule `transition` is always an error and cannot be lowered",
		"rules:\n  gate-config: off":             "2:16: error: rule `gate-config` is always an error and cannot be lowered",
		"rules:\n  judge: error":                 "2:3: error: `judge` is set by its own key, not under `rules`",
		"rules:\n  evidence: off":                "2:3: error: `evidence` is set by its own key, not under `rules`",
		"judge-command: ./run":                   "1:1: error: there is no key `judge-command`",
		"model: https://example.com":             "1:1: error: there is no key `model`",
		"include: ../other.yaml":                 "1:1: error: there is no key `include`",
		"x-note: mine":                           "1:1: error: there is no key `x-note`",
		"gates: strict":                          "1:1: error: there is no key `gates` (did you mean \"gate\"?)",
		"gate: strict\ngate: base":               "2:1: error: the key `gate` is set twice",
		"gate: &g strict":                        "1:7: error: a YAML anchor (`&`)",
		"- gate":                                 "1:1: error: expected `key: value` lines",
		"gate: base\x00":                         "1:11: error: the control character U+0000",
		"\"a\\nb\": 1":                           "1:1: error: there is no key `a b`",
	} {
		_, found := ParseGates("gates.yaml", []byte(text))
		if got := lines(found); got != "gates.yaml:"+want+" [gate-config]\n" {
			t.Errorf("%q\n got  %s want %s", text, got, want)
		}
		checkFindings(t, found)
	}
	_, found := ParseGates("gates.yaml", []byte(strings.Repeat("#", plan.MaxFile+1)))
	equal(t, "a large file", lines(found), "gates.yaml:1:1: error: the file is over the limit of 262144 bytes [gate-config]")
}

// What cannot be understood keeps its default, the rest counts.
func TestParseGatesGoesOn(t *testing.T) {
	g, found := ParseGates("gates.yaml", []byte("gate: strict\nlease: soon\nrules:\n  title-vague: loud\n  hint-path: off\n"))
	if len(found) != 2 || g.Gate != Strict || g.Lease != DefaultLease || len(g.Rules) != 1 {
		t.Errorf("%+v\n%s", g, lines(found))
	}
}

// A newer format may mean anything: what it holds is not judged.
func TestNewerFormat(t *testing.T) {
	g, found := ParseGates("gates.yaml", []byte("quorum: 2\nformat: 3\ngate: strictest\n"))
	if !g.Newer() || g.Format != 3 || len(found) > 0 || g.Gate != Base {
		t.Errorf("%+v\n%s", g, lines(found))
	}
}

// Each rule that gates.yaml may change, and no other, can be lowered.
func TestLowering(t *testing.T) {
	for _, r := range Rules() {
		own := r.ID == "judge" || r.ID == "evidence"
		_, found := ParseGates("gates.yaml", []byte("rules:\n  "+r.ID+": off\n"))
		if refused := len(found) > 0; refused != (r.Fixed() || own) {
			t.Errorf("%s: refused %v", r.ID, refused)
		}
		if _, found = ParseGates("gates.yaml", []byte("rules:\n  "+r.ID+": error\n")); (len(found) > 0) != own {
			t.Errorf("%s cannot be raised: %s", r.ID, lines(found))
		}
	}
	// Even by a value that no file can give.
	g := DefaultGates()
	g.Rules = map[string]diag.Severity{plan.RuleBodyEmpty: diag.Off, "judge": diag.Error}
	if r, _ := Find(plan.RuleBodyEmpty); g.Severity(r, Base) != diag.Error {
		t.Error("body-empty was lowered")
	}
	if r, _ := Find("judge"); g.Severity(r, Strict) != diag.Off {
		t.Error("judge was raised by a rule")
	}
}

func TestLevels(t *testing.T) {
	g := DefaultGates()
	g.Judge, g.Evidence = Advisory, Required
	for id, want := range map[string]diag.Severity{"judge": diag.Warning, "evidence": diag.Error, "overlap": diag.Off} {
		if r, _ := Find(id); g.Severity(r, Base) != want {
			t.Errorf("%s weighs %v", id, g.Severity(r, Base))
		}
	}
}

func TestGateWords(t *testing.T) {
	for _, g := range []Gate{Base, Strict} {
		if ParseGate(g.String()) != g {
			t.Errorf("%v does not read back", g)
		}
	}
	if ParseGate("") != Base || ParseGate("lax") != Base {
		t.Error("a word that is no gate is not base")
	}
}

// Lowered names what a gate asks less, and nothing where it asks as much or
// more.
func TestLowered(t *testing.T) {
	parse := func(text string) Gates {
		g, found := ParseGates("gates.yaml", []byte(text))
		if len(found) > 0 {
			t.Fatal(found)
		}
		return g
	}
	for _, tt := range []struct{ before, after, want string }{
		{"gate: base\n", "gate: strict\n", ""},
		{"gate: strict\n", "gate: base\n", "gate from strict to base"},
		{"rules:\n  no-tasks: error\n", "gate: base\n", "rule no-tasks from error to warning"},
		{"rules:\n  no-tasks: error\n", "gate: strict\n", ""},
		{"judge: required\n", "judge: advisory\n", "rule judge from error to warning"},
		{"gate: base\n", "rules:\n  no-tasks: off\n", "rule no-tasks from warning to off"},
		{"lease: 4h\n", "lease: 1h\n", ""},
		{"format: 2\npublish: auto\n", "gate: base\n", ""},
		{"gate: base\n", "format: 2\npublish: auto\n", ""},
	} {
		if got := strings.Join(parse(tt.after).Lowered(parse(tt.before)), ", "); !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%q after %q: %q, want %q", tt.after, tt.before, got, tt.want)
		}
	}
}
