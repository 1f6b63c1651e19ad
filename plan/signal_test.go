package plan

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func report(level, task, message string) Report {
	return Report{
		ID: "ci", Level: level, Task: task, Message: message, Source: "pipeline", Code: "c0ffee", Branch: "main",
		At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), By: "Ann",
	}
}

func TestOpenSignal(t *testing.T) {
	p := build(t, "01-one", "id: one")
	if err := p.OpenSignal(report("blocker", "one", "Tests fail:\n\n--- FAIL\n")); err != nil {
		t.Fatal(err)
	}
	const want = "---\nlevel: blocker\ntask: one\nopened_at: 2026-01-02T03:04:05Z\nopened_by: Ann\nsource: pipeline\ncode: c0ffee\nbranch: main\n---\n\nTests fail:\n\n--- FAIL\n"
	if got := string(p.Files()["signals/ci.md"]); got != want {
		t.Errorf("the file is\n%s", got)
	}
	if b := p.Blockers(p.Task("one")); len(b) != 1 || b[0].Source() != "pipeline" {
		t.Errorf("blockers %v", b)
	}
	again := report("blocker", "one", "Tests fail:\n\n--- FAIL")
	again.At, again.Code = again.At.Add(time.Hour), "decade"
	if err := p.OpenSignal(again); err != nil || string(p.Files()["signals/ci.md"]) != want {
		t.Errorf("the same once more: %v\n%s", err, p.Files()["signals/ci.md"])
	}
}

// Line ends are no difference, as files have one kind of them.
func TestOpenSignalOfWindows(t *testing.T) {
	p := build(t)
	r := report("info", "", "Tests fail:\r\n\r\n--- FAIL\r\n")
	if err := p.OpenSignal(r); err != nil {
		t.Fatal(err)
	}
	before := string(p.Files()["signals/ci.md"])
	r.At = r.At.Add(time.Hour)
	if err := p.OpenSignal(r); err != nil || string(p.Files()["signals/ci.md"]) != before || !strings.HasSuffix(before, "\n\n--- FAIL\n") {
		t.Errorf("the same once more: %v\n%q", err, p.Files()["signals/ci.md"])
	}
}

func TestSignalsStandById(t *testing.T) {
	p := build(t, "signals/a-b.md", signal("info", ""), "signals/a.md", signal("info", ""))
	if p.Signals[0].ID != "a" || p.Signals[1].ID != "a-b" {
		t.Errorf("%s before %s", p.Signals[0].ID, p.Signals[1].ID)
	}
}

// What a person wrote into the file stays.
func TestOpenSignalAgain(t *testing.T) {
	p := build(t, "01-one", "id: one", "signals/ci.md", "---\nsource: pipeline # ours\nlevel: info\ntask: one\nx-run: 7\n---\nOld.\n")
	if err := p.OpenSignal(report("blocker", "", "New.")); err != nil {
		t.Fatal(err)
	}
	got := string(p.Files()["signals/ci.md"])
	for _, want := range []string{"source: pipeline # ours\n", "level: blocker\n", "x-run: 7\n", "opened_by: Ann\n", "---\n\nNew.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "task:") || p.Signal("ci").Task != "" || p.Signal("ci").Level != "blocker" {
		t.Errorf("it is still on its task:\n%s", got)
	}
}

func TestSignalOfAnotherSource(t *testing.T) {
	p := build(t, "signals/ci.md", signal("blocker", ""))
	var foreign *SourceError
	if err := p.OpenSignal(report("info", "", "x")); !errors.As(err, &foreign) || foreign.Opened != DefaultSource {
		t.Errorf("opening: %v", err)
	}
	if err := p.ClearSignal("ci", "pipeline", false); !errors.As(err, &foreign) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("clearing: %v", err)
	}
	if err := p.ClearSignal("ci", "pipeline", true); err != nil || len(p.Signals) != 0 {
		t.Errorf("by force: %v, %d left", err, len(p.Signals))
	}
	if err := p.ClearSignal("ci", "pipeline", false); err != nil {
		t.Errorf("once more: %v", err)
	}
}

func TestSignalThatNoFileCanHold(t *testing.T) {
	p := build(t)
	for _, r := range []Report{report("blocker", "", "a\x1b[31m"), report("blocker", "", " \n"), report("urgent", "", "x")} {
		if err := p.OpenSignal(r); err == nil || len(p.Signals) != 0 {
			t.Errorf("%q: %v", r.Message, err)
		}
	}
}

// What there is no room for is told from what no file can hold.
func TestSignalOverALimit(t *testing.T) {
	r := report("blocker", "", "x")
	r.Source = strings.Repeat("x", 70<<10)
	var e *EditError
	if err := build(t).OpenSignal(r); !errors.As(err, &e) || !e.Limit {
		t.Errorf("%v", err)
	}
}

func TestEvidence(t *testing.T) {
	for _, s := range []string{
		"commit:c0ffee patch:beef", "commit:c0ffee", "signal:unit c0ffee beef 2026-01-02T03:04:05Z", "signal:a.b - - 2026-01-02T03:04:05Z",
	} {
		if e, ok := ParseEvidence(s); !ok || e.String() != s {
			t.Errorf("%q reads as %+v, %v", s, e, ok)
		}
	}
	for _, s := range []string{"", "seen by Ann", "commit:", "commit:HEAD", "signal:unit", "signal:unit a b yesterday", "signal:-x a b 2026-01-02", "signal:x a b 2026-01-02 more"} {
		if e, ok := ParseEvidence(s); ok {
			t.Errorf("%q reads as %+v", s, e)
		}
	}
}

func TestAttest(t *testing.T) {
	at := func(clock, tree string) Evidence {
		when, err := ParseTime("2026-01-02T" + clock + "Z")
		if err != nil {
			t.Fatal(err)
		}
		return Evidence{Signal: "unit", Code: "c0", Tree: tree, At: when}
	}
	p := build(t, "01-one", "id: one\nstarted_at: 2026-01-02T10:00:00Z\nevidence: [seen by Ann, signal:unit c0 aa 2026-01-02T09:00:00Z]")
	one := p.Task("one")
	for _, c := range []struct {
		add  Evidence
		want string
	}{
		{at("11:00:00", "aa"), "seen by Ann|signal:unit c0 aa 2026-01-02T11:00:00Z"}, // the old one is from before
		{at("12:00:00", "aa"), "seen by Ann|signal:unit c0 aa 2026-01-02T11:00:00Z"}, // nothing new
		{at("12:00:00", "bb"), "seen by Ann|signal:unit c0 bb 2026-01-02T12:00:00Z"},
		{Evidence{Commit: "c0", Patch: "d0"}, "seen by Ann|signal:unit c0 bb 2026-01-02T12:00:00Z|commit:c0 patch:d0"},
		{Evidence{Commit: "c0"}, "seen by Ann|signal:unit c0 bb 2026-01-02T12:00:00Z|commit:c0 patch:d0"},
		{Evidence{Commit: "c1"}, "seen by Ann|signal:unit c0 bb 2026-01-02T12:00:00Z|commit:c0 patch:d0|commit:c1"},
	} {
		if err := p.Attest(one, c.add); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(one.Doc.List("evidence"), "|"); got != c.want {
			t.Errorf("after %s:\n%s, want\n%s", c.add, got, c.want)
		}
	}
	if e := at("09:59:59", ""); e.Passed(one) || !at("10:00:00", "").Passed(one) {
		t.Error("a check counts from the moment that the task began")
	}
}
