package planspec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/term"
)

func TestCompleteExample(t *testing.T) {
	text := fixture(t, "complete.md")
	p, found := Read("complete.md", text)
	if len(found) > 0 {
		t.Errorf("findings: %v", found)
	}
	equal(t, "progress", fmt.Sprintf("%+v", p.Progress()), "{Total:17 Done:3 Active:2 Blocked:0 Pending:12 Skipped:0}")
	equal(t, "text", written(t, p), text)
	equal(t, "counts", Counts(p), "Steps: 17 | reason: 4 | act: 9 | decide: 1 | subtask: 3\nProgress: 3/17 (17%)\n")
	equal(t, "detail", strings.Join(p.Find("1").Detail[:2], "\n"),
		"Fields: policy_no, vehicle_age, driver_age, vehicle_value, annual_mileage,\n  region(5 categories), vehicle_type(3 categories), driver_gender, years_licensed,")
	equal(t, "inputs", strings.Join(p.Find("5.3").Inputs, " "), "cv_metrics feature_importance")
	equal(t, "prose arrow", p.Find("5.4.2").Description, "Not reach the target threshold → apply parameter adjustment scheme, continue next iteration")
}

func TestFoldExample(t *testing.T) {
	p := parse(t, fixture(t, "fold.md"))
	equal(t, "tree", drawn(p), fixture(t, "fold.out"))
	equal(t, "text", written(t, p), "## Steps\n"+fixture(t, "fold.md"))
	folded, err := SerializeFolded(p)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "folded", folded, `## Steps
1. [x] [act] Generate synthetic policy data → synthetic_data | Generated 10K rows
2. [>] [reason] Analyze data quality → data_profile, suggestions
  > ← synthetic_data
  > Analysis dimensions: missing rate, distribution type, outlier proportion
3. [subtask] Clean data based on LLM profile → cleaned_data
`)
}

// Parts of plans that show one thing each come back byte for byte.
func TestSmallExamples(t *testing.T) {
	for _, text := range []string{
		`1. [reason] Analyze input data quality issues → data_profile
  > ← raw_data
  > Output missing rates per column, outlier proportions
2. [x] [act] Clean data → cleaned | completed
3. [>] [subtask] Iterate training until reach the target threshold → model
  3.1. [x] [act] Train model and cross-validate → cv_metrics | Gini=0.35
  3.2. [x] [reason] Diagnose model weaknesses, suggest adjustments → adjustments
  3.3. [>] [decide] Whether reach the target threshold
    3.3.1. [act] Reach the target threshold → output final model
    3.3.2. [act] Not reach the target threshold → apply adjustments, continue next round
4. [act] Generate report → report
`,
		`1. [subtask] Process all items → results
  1.1. [act] Process item A → item_a_result
    1.1.1. [reason] Verify item A → verification
`,
		`1. [x] [reason] Break output into claims → claims | Extracted 12 atomic claims
2. [subtask] Process all items → results | Progress: 3/5
3. [x] [reason] Check results → verdicts | All 10 checks passed | Progress: 10/10
4. [!] 1a2b3c4d [act] Named by a tool | Progress: 4
`,
	} {
		p := parse(t, text)
		equal(t, "text", written(t, p), "## Steps\n"+text)
		unpadded := strings.ReplaceAll("\n"+text, "\n  ", "\n")
		if q := parse(t, strings.ReplaceAll(unpadded, "\n  ", "\n")); !Equal(p, q) {
			t.Errorf("without indentation it reads as\n%s", written(t, q))
		}
	}
}

// What each status folds away, and what flags do about it.
func TestFold(t *testing.T) {
	whole := `## Steps
1. [x] [subtask] a | r
  > d
  1.1. [act] b
    > d
2. [>] [act] c
  > d
3. [!] [act] d
  > d
4. [~] [act] e
  > d
5. [act] f
  > d
`
	p := parse(t, whole)
	folded := func(want string) {
		t.Helper()
		text, err := SerializeFolded(p)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "folded", text, want)
		equal(t, "whole", written(t, p), whole)
	}
	byStatus := "## Steps\n1. [x] [subtask] a | r\n  1.1. [act] b\n2. [>] [act] c\n  > d\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n"
	folded(byStatus)
	p.Find("1").Fold, p.Find("2").Fold, p.Find("5").Fold = Collapsed, Collapsed, Expanded
	folded("## Steps\n1. [x] [subtask] a | r\n2. [>] [act] c\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n  > d\n")
	p.Find("1").Fold = Expanded
	folded("## Steps\n1. [x] [subtask] a | r\n  > d\n  1.1. [act] b\n2. [>] [act] c\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n  > d\n")
}

// drawn gives the steps as a person sees them.
func drawn(p *Plan) string {
	var page term.Page
	View{}.Draw(&page, p)
	return page.String()
}

func TestTree(t *testing.T) {
	p := parse(t, `## Steps
1. [subtask] a → x | Progress: 1/2
  1.1. [>] [decide] b
    > ← i, j
    >   d
    1.1.1. [act] yes
      > hidden
  1.2. [!] c | no disk
    > d
10. [LLM] | done
`)
	equal(t, "tree", drawn(p), `1   [ ]  [SUBTASK]  a → x | Progress: 1/2
├─ 1.1  [>]  [DECIDE]   b
│                       > ← i, j
│                       >   d
│  └─ 1.1.1  [ ]  [ACT]      yes
└─ 1.2  [!]             c | no disk
                        > d
10  [ ]  [LLM]      | done
`)
	p.Find("1").Fold = Collapsed
	equal(t, "collapsed", drawn(p), "1   [ ]  [SUBTASK]  a → x | Progress: 1/2\n10  [ ]  [LLM]      | done\n")
	equal(t, "nothing", drawn(&Plan{})+Counts(&Plan{}), "Steps: 0 | reason: 0 | act: 0 | decide: 0 | subtask: 0\nProgress: 0/0 (0%)\n")
}

func TestView(t *testing.T) {
	p := parse(t, `## Steps
1. [>] one two three four five six → x
  > 計画計画計画計画計画計画 x
2. [subtask] Twenty-nine letters and more
`)
	page := term.Page{Columns: 46}
	View{Note: func(s *Step) term.Text { return term.Say(term.Dim, "note of "+s.ID) }}.Draw(&page, p)
	equal(t, "wrapped", page.String(),
		`1  [>]             one two three four five six
                   → x  (note of 1)
                   > 計画計画計画計画計画計画
                   > x
2  [ ]  [SUBTASK]  Twenty-nine letters and
                   more  (note of 2)
`)
	p.Steps[1].Type = ""
	equal(t, "without types", drawn(p), "1  [>]  one two three four five six → x\n        > 計画計画計画計画計画計画 x\n2  [ ]  Twenty-nine letters and more\n")
	equal(t, "counts without types", Counts(p), "Steps: 2\nProgress: 0/2 (0%)\n")
	p.Steps[1].Description = "a\x1b[31mred\u202e"
	if got := drawn(p); !strings.Contains(got, `a\x1b[31mred\u202e`) {
		t.Errorf("not fit for a terminal: %q", got)
	}
}
