package planspec

import (
	"strings"
	"testing"
)

func TestCompleteExample(t *testing.T) {
	text := fixture(t, "complete.md")
	p, found := Read("complete.md", text)
	if len(found) > 0 {
		t.Errorf("findings: %v", found)
	}
	equal(t, "text", written(t, p), text)
	equal(t, "detail", strings.Join(Detail(p.Find("1"))[:2], "\n"),
		"Fields: policy_no, vehicle_age, driver_age, vehicle_value, annual_mileage,\n  region(5 categories), vehicle_type(3 categories), driver_gender, years_licensed,")
	equal(t, "inputs", strings.Join(p.Find("5.3").List("inputs"), " "), "cv_metrics feature_importance")
	equal(t, "prose arrow", p.Find("5.4.2").Title(), "Not reach the target threshold → apply parameter adjustment scheme, continue next iteration")
}

func TestFoldExample(t *testing.T) {
	p := parse(t, fixture(t, "fold.md"))
	equal(t, "text", written(t, p), "## Steps\n"+fixture(t, "fold.md"))
	folded, err := SerializeFolded(p, nil)
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
	folds := Folds{}
	folded := func(want string) {
		t.Helper()
		text, err := SerializeFolded(p, folds)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "folded", text, want)
		equal(t, "whole", written(t, p), whole)
	}
	byStatus := "## Steps\n1. [x] [subtask] a | r\n  1.1. [act] b\n2. [>] [act] c\n  > d\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n"
	folded(byStatus)
	folds["1"], folds["2"], folds["5"] = Collapsed, Collapsed, Expanded
	folded("## Steps\n1. [x] [subtask] a | r\n2. [>] [act] c\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n  > d\n")
	folds["1"] = Expanded
	folded("## Steps\n1. [x] [subtask] a | r\n  > d\n  1.1. [act] b\n2. [>] [act] c\n3. [!] [act] d\n  > d\n4. [~] [act] e\n5. [act] f\n  > d\n")
}
