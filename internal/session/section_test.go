package session

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Prompt snapshot tests verifying that the section renders the instructional
// template and exposes all tools.

func TestSectionRendersTemplateAndTools(t *testing.T) {
	var unset Strategy
	text := Section(unset)
	snapshot(t, "section_react.md", text+"\n")
	last := -1
	for _, tool := range Tools() {
		at := strings.Index(text, "`"+tool.Name+"`")
		if at < 0 {
			t.Errorf("the section does not name %s", tool.Name)
		}
		last = max(last, at)
	}
	for _, m := range regexp.MustCompile("planning_[a-z_]+").FindAllString(text, -1) {
		if !strings.Contains(string(toolList), `"`+m+`"`) {
			t.Errorf("the section names %s, which is no tool", m)
		}
	}
}

// The default is the strategy of old, however it is chosen.
func TestSectionDefaultIsReact(t *testing.T) {
	named, err := ParseStrategy("react")
	if err != nil || named != React || Section(named) != Section(Strategy("")) || Strategies()[0] != React {
		t.Errorf("react is not the default: %v", err)
	}
}

// Snapshot tests for each strategy's rendered markdown.

func TestSectionStrategySnapshots(t *testing.T) {
	for _, s := range Strategies() {
		snapshot(t, "section_"+string(s)+".md", Section(s)+"\n")
	}
}

// Strategies swap the body about the mindset, and nothing else.
func TestSectionStrategiesSwapTheMindsetOnly(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Strategies() {
		rest := strings.Replace(Section(s), sectionText(string(s)), "", 1)
		equal(t, string(s), rest, strings.Replace(Section(React), sectionText("react"), "", 1))
		seen[Section(s)] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d different sections", len(seen))
	}
}

// One heading, ordered lists, and ASCII, with nothing left of the template.
func TestSectionForm(t *testing.T) {
	for _, s := range Strategies() {
		text := Section(s)
		headings := regexp.MustCompile(`(?m)^#+ `).FindAllString(text, -1)
		if len(headings) != 1 || !strings.HasPrefix(text, "## ") {
			t.Errorf("%s has %d headings", s, len(headings))
		}
		if regexp.MustCompile(`(?m)^\s*[-*+] |\{\{|\}\}|[ \t]$`).MatchString(text) {
			t.Errorf("%s: %s", s, text)
		}
		for _, r := range text {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Errorf("%s holds %q", s, r)
			}
		}
	}
}

// What each strategy asks for.
func TestSectionStrategies(t *testing.T) {
	for s, words := range map[Strategy][]string{
		React:                        {"Reason:", "Act:", "Observe:", "as a note of the step", "Repeat"},
		PlanActReflect:               {"Plan: outline every step", "Act:", "Reflect: after each tool call or finished step", "note of the step", "brief status update"},
		GoalDecomposeRouteSynthesise: {"restate the goal in your own words", "concrete sub-problems", "only then choose", "tool", "Synthesise:", "one coherent answer"},
	} {
		inOrder(t, string(s), Section(s), words)
	}
}

// The guidance points of the section, in order.
func TestSectionGuidancePoints(t *testing.T) {
	for _, s := range Strategies() {
		_, list, _ := strings.Cut(Section(s), "Use the planning tools as follows:")
		points := regexp.MustCompile(`(?m)^\d\. `).Split(list, -1)[1:]
		if len(points) != 8 {
			t.Fatalf("%s has %d guidance points", s, len(points))
		}
		for i, words := range [][]string{
			{"Plan when", "Answer", "directly"},
			{"`planning_setup_plan`"},
			{"`planning_add_step`", "`planning_update_step`"},
			{"`S###`", "update or", "mark a step"},
			{"`planning_mark_step`", "`in_progress`", "`done`", "`blocked`", "`pending`"},
			{"`planning_clear_plan` discards the current plan"},
			{"brief", "ASCII only", strconv.Itoa(MaxObjective), strconv.Itoa(MaxTitle), strconv.Itoa(MaxText)},
			{"`planning_read_plan`"},
		} {
			inOrder(t, string(s)+", point "+strconv.Itoa(i+1), points[i], words)
		}
	}
}

func TestSectionUnknownStrategy(t *testing.T) {
	for _, name := range []string{"", "React", "par"} {
		_, err := ParseStrategy(name)
		if err == nil || !strings.HasSuffix(err.Error(), ": give react, plan-act-reflect, goal-decompose-route-synthesise") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, s := range Strategies() {
		if got, err := ParseStrategy(string(s)); err != nil || got != s {
			t.Errorf("%s reads as %s, %v", s, got, err)
		}
	}
}

// inOrder requires the words in a text, each after the one before.
func inOrder(t *testing.T, what, text string, words []string) {
	t.Helper()
	for _, word := range words {
		_, after, ok := strings.Cut(text, word)
		if !ok {
			t.Errorf("%s: no %q in what follows %q", what, word, text)
			return
		}
		text = after
	}
}
