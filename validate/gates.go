package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Gate is how much is asked of a plan.
type Gate int

// The gates. Strict asks for all of Base and for what an agent needs to work
// from a task alone.
const (
	Base Gate = iota
	Strict
)

// String gives "base" or "strict".
func (g Gate) String() string {
	if g == Strict {
		return "strict"
	}
	return "base"
}

// ParseGate reads a gate's name; any other word is Base.
func ParseGate(s string) Gate {
	if s == "strict" {
		return Strict
	}
	return Base
}

// Level is how much a judgement from outside the files counts: how grave it is
// where there is none.
type Level = diag.Severity

// The levels of judge and evidence.
const (
	LevelOff = diag.Off
	Advisory = diag.Warning
	Required = diag.Error
)

// DefaultLease is how long a claim lasts where gates.yaml says nothing.
const DefaultLease = 4 * time.Hour

// FormatVersion is the newest format of gates.yaml that this program knows.
const FormatVersion = 2

// firstFormat is that of a file which does not say its own.
const firstFormat = 1

// Gates is a store's configuration. It is data alone: nothing in it can name
// a command, an address or a file to read.
type Gates struct {
	Format   int
	Gate     Gate
	Rules    map[string]diag.Severity
	Judge    Level
	Evidence Level
	Lease    time.Duration
	// Publish is auto where each change is pushed as it is made, manual where not, and
	// empty where the file does not say, which is manual. It needs format 2.
	Publish string

	and []Gates // which hold too, see And
}

// DefaultGates is what holds for a store without gates.yaml.
func DefaultGates() Gates { return Gates{Format: firstFormat, Lease: DefaultLease} }

// And gives the gates that ask for what g and other ask for together. The lease
// is that of g.
func (g Gates) And(other Gates) Gates {
	g.and = append(slices.Clone(g.and), other)
	g.Judge = max(g.Judge, other.Judge)
	g.Evidence = max(g.Evidence, other.Evidence)
	return g
}

// Severity is how grave what breaks a rule is in this store, under a gate: what
// the gate says, changed by the store's rules where the rule allows it.
func (g Gates) Severity(r Rule, gate Gate) diag.Severity {
	own, set := g.Rules[r.ID]
	s := r.Base
	switch {
	case r.ID == RuleJudge:
		s = g.Judge
	case r.ID == RuleEvidence:
		s = g.Evidence
	case set && !r.Fixed():
		s = own
	case max(gate, g.Gate) == Strict:
		s = r.Strict
	}
	for _, other := range g.and {
		s = max(s, other.Severity(r, gate))
	}
	return s
}

// Asks reports whether a rule is not off under every gate, so that what it
// needs to know is worth looking up.
func (g Gates) Asks(rule string) bool {
	r, ok := Find(rule)
	return ok && (g.Severity(r, Base) != diag.Off || g.Severity(r, Strict) != diag.Off)
}

// Settings gives what the file sets, by its keys, a rule's as `rules.<id>`. Rules,
// the lease and publish are left out where they are as without the file.
func (g Gates) Settings() map[string]any {
	out := map[string]any{"gate": g.Gate.String(), "judge": levels()[g.Judge], "evidence": levels()[g.Evidence]}
	for id, severity := range g.Rules {
		out["rules."+id] = severity.String()
	}
	if g.Lease != DefaultLease {
		out["lease"] = g.Lease.String()
	}
	if g.Publish != "" {
		out["publish"] = g.Publish
	}
	return out
}

// levels are the words for a [Level].
func levels() []string { return []string{"off", "advisory", "required"} }

// publishing are the words for when changes are published.
func publishing() []string { return []string{"manual", "auto"} }

// Publishes reports whether each change is pushed as it is made.
func (g Gates) Publishes() bool { return g.Publish == "auto" }

// Newer reports whether the file is of a format that only a newer program
// understands: it may be read with a warning, and nothing may be written.
func (g Gates) Newer() bool { return g.Format > FormatVersion }

// ParseGates reads gates.yaml. What cannot be understood keeps its default
// and is a finding of rule gate-config, always an error.
func ParseGates(file string, data []byte) (Gates, []diag.Diagnostic) {
	p := gatesParser{file: file, gates: DefaultGates()}
	if len(data) > plan.MaxFile {
		p.add(top, "the file is over the limit of %d bytes", plan.MaxFile)
		return p.gates, p.found
	}
	fields, found := plan.ReadMapping(file, data, plan.Bounds{})
	for _, d := range found {
		p.add(d.Pos, "%s", d.Message)
		p.found[len(p.found)-1].Hint = strings.Replace(d.Hint, " between the fences", ", without such a line", 1)
	}
	for _, f := range fields {
		p.field(f)
	}
	if p.gates.Newer() {
		newer := DefaultGates()
		newer.Format = p.gates.Format
		return newer, nil
	}
	if p.publish.Line > 0 && p.gates.Format == firstFormat {
		p.add(p.publish, "`publish` needs `format: %d`", FormatVersion)
	}
	return p.gates, p.found
}

type gatesParser struct {
	file    string
	gates   Gates
	publish diag.Pos // of that key, if it is there
	found   []diag.Diagnostic
}

func (p *gatesParser) add(pos diag.Pos, format string, args ...any) {
	p.found = append(p.found, diag.Diagnostic{
		Path: p.file, Pos: pos, Rule: RuleGateConfig, Severity: diag.Error, Message: oneLine(format, args...),
	})
}

func (p *gatesParser) field(f plan.Field) {
	switch f.Key {
	case "format":
		if n, err := strconv.Atoi(f.Value.Text); err == nil && f.Value.Kind == plan.Int && n > 0 {
			p.gates.Format = n
		} else {
			p.add(f.Value.Pos, "`format` must be %d or %d", firstFormat, FormatVersion)
		}
	case "gate":
		p.gates.Gate = Gate(p.word(f, []string{"base", "strict"}))
	case "judge":
		p.gates.Judge = Level(p.word(f, levels()))
	case "evidence":
		p.gates.Evidence = Level(p.word(f, levels()))
	case "lease":
		p.lease(f.Value)
	case "publish":
		p.publish = f.KeyPos
		p.gates.Publish = publishing()[p.word(f, publishing())]
	case "rules":
		p.rules(f.Value)
	default:
		p.add(f.KeyPos, "there is no key `%s`%s", f.Key,
			plan.DidYouMean(f.Key, []string{"format", "gate", "rules", "judge", "evidence", "lease", "publish"}))
	}
}

// word gives the index of the field's value among words, 0 after a finding.
// YAML reads an unquoted off as text, as it should here.
func (p *gatesParser) word(f plan.Field, words []string) int {
	i := slices.Index(words, f.Value.Text)
	if f.Value.Kind != plan.String || i < 0 {
		p.add(f.Value.Pos, "`%s` must be one of %s", f.Key, strings.Join(words, ", "))
		return 0
	}
	return i
}

func (p *gatesParser) lease(v plan.Node) {
	d, err := plan.ParseDuration(v.Text)
	if v.Kind != plan.String || err != nil || d < time.Second {
		p.add(v.Pos, "`lease` must be a duration such as 30m or 4h")
		return
	}
	p.gates.Lease = d
}

func (p *gatesParser) rules(v plan.Node) {
	if v.Kind != plan.Map {
		if v.Kind != plan.Null {
			p.add(v.Pos, "`rules` must be a mapping of rule ids to error, warning or off")
		}
		return
	}
	p.gates.Rules = map[string]diag.Severity{}
	for _, f := range v.Fields {
		r, ok := Find(f.Key)
		s, known := diag.ParseSeverity(f.Value.Text)
		switch {
		case !ok:
			p.add(f.KeyPos, "there is no rule `%s`%s", f.Key, plan.DidYouMean(f.Key, ids()))
		case f.Key == RuleJudge || f.Key == RuleEvidence:
			p.add(f.KeyPos, "`%s` is set by its own key, not under `rules`", f.Key)
		case !known || f.Value.Kind != plan.String:
			p.add(f.Value.Pos, "`%s` must be error, warning or off", f.Key)
		case r.Fixed() && s != diag.Error:
			p.add(f.Value.Pos, "rule `%s` is always an error and cannot be lowered", f.Key)
		default:
			p.gates.Rules[f.Key] = s
		}
	}
}

func ids() []string {
	var out []string
	for _, r := range Rules() {
		out = append(out, r.ID)
	}
	return out
}

// Lowered tells, a phrase each, in what g asks for less than before did.
func (g Gates) Lowered(before Gates) []string {
	var out []string
	if g.Gate < before.Gate {
		out = append(out, fmt.Sprintf("gate from %s to %s", before.Gate, g.Gate))
	}
	for _, r := range Rules() {
		for _, gate := range []Gate{Base, Strict} {
			old, now := before.Severity(r, max(gate, before.Gate)), g.Severity(r, max(gate, before.Gate, g.Gate))
			if now < old {
				out = append(out, fmt.Sprintf("rule %s from %s to %s", r.ID, old, now))
				break
			}
		}
	}
	return out
}
