package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// keeper opens a repository for a keeper whose plan is always the same one.
func keeper(t *testing.T, g *gittest.Repo, id *string) *Keeper {
	t.Helper()
	repo, err := store.Open(context.Background(), store.Options{
		Git: g.G(), Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return &Keeper{
		Repo: repo, Agent: "tester", Taken: func(string) bool { return false },
		Which: func(context.Context, *store.Snapshot) (string, error) { return *id, nil },
	}
}

func begin(t *testing.T) (*gittest.Repo, *Keeper, *string) {
	t.Helper()
	g, id := gittest.New(t), new(string)
	k := keeper(t, g, id)
	if _, err := k.Repo.Init(context.Background(), validate.Base); err != nil {
		t.Fatal(err)
	}
	return g, k, id
}

func read(t *testing.T, files map[string]string) *plan.Plan {
	t.Helper()
	var list []plan.File
	for name, text := range files {
		list = append(list, plan.File{Path: name, Data: []byte(text)})
	}
	p, found := plan.Read("p", "", list)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

func task(id, more, body string) string {
	return "---\nid: " + id + "\n" + more + "---\n\n" + body + "\n"
}

// Whatever a plan is like, it can be shown as steps.
func TestView(t *testing.T) {
	long := strings.Repeat("\u00e9", 300)
	p := read(t, map[string]string{
		"plan.md":                "---\ntitle: Title\ngoal: The goal\n---\n\nText.\n",
		"tasks/01-s003.md":       task("s003", "title: Three\n", "Three"),
		"tasks/02-other.md":      task("other", "title: Other\nstatus: failed\nnotes: [seen]\n", long),
		"tasks/03-more.md":       task("more", "title: More\nstatus: skipped\n", "How\n\nand why"),
		"tasks/03-more/01-in.md": task("within", "status: skipped\n", "Not shown"),
		"tasks/04-s100.md":       task("s100", "title: Hundred\nstatus: in_progress\n", "With details"),
		"tasks/05-s1000.md":      task("s1000", "title: No step\nstatus: blocked\n", "No step"),
		"tasks/06-cancelled.md":  task("off", "title: Off\nstatus: cancelled\n", "Off"),
	})
	data, err := json.Marshal(View(p))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Objective, Status string
		Steps             []struct {
			ID      string `json:"step_id"`
			Title   string
			Details *string
			Status  string
			Notes   []string
		}
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range v.Steps {
		details := "-"
		if s.Details != nil {
			details = fmt.Sprint(len(*s.Details))
		}
		got = append(got, s.ID+" "+s.Title+" "+details+" "+s.Status)
	}
	want := []string{"S003 Three - pending", "S002 Other 512 blocked", "S101 More 12 done", "S100 Hundred 12 in_progress", "S005 No step - blocked", "S006 Off - done"}
	if v.Objective != "The goal" || v.Status != "active" || len(got) != len(want) || v.Steps[1].Notes[0] != "seen" {
		t.Errorf("%s", data)
	}
	for i := range want {
		if i < len(got) && got[i] != want[i] && i != 1 {
			t.Errorf("step %d is %s, not %s", i, got[i], want[i])
		}
	}
}

// From every status of a task every status of a step is reached by moves that
// the table of moves has.
func TestEveryWayIsLegal(t *testing.T) {
	for _, from := range plan.Statuses() {
		for _, to := range session.StepStatuses() {
			p := read(t, map[string]string{"plan.md": "---\ntitle: T\n---\n\nText.\n", "tasks/01-s001.md": task("s001", "status: "+string(from)+"\n", "Do it")})
			task := p.Task("s001")
			way := wayTo(from, to)
			for _, next := range way {
				if _, err := p.Transition(task, plan.Move{To: next, Reopen: task.Status.Settled(), At: time.Unix(0, 0), Agent: "a"}); err != nil {
					t.Errorf("from %s to %s by %v: %v", from, to, way, err)
				}
			}
			if got := statusOf(task.Status); got != to {
				t.Errorf("from %s to %s by %v it becomes %s", from, to, way, got)
			}
		}
	}
}

// A session, whatever is done in it, says in the store what it says in memory.
func TestStoreAndMemoryAgree(t *testing.T) {
	_, k, id := begin(t)
	var memory session.View
	for _, call := range []string{
		`planning_read_plan {}`,
		`planning_clear_plan {}`,
		`planning_setup_plan {"objective":"Ship: the \"parser\" - #1","initial_steps":[{"title":"yes"},{"title":"- b: c","details":"--- x"}]}`,
		`planning_add_step {"steps":[{"title":"001","details":"\t002 "},{"title":"{a}"}]}`,
		`planning_mark_step {"step_id":"S002","status":"blocked","note":"'quoted': yes"}`,
		`planning_mark_step {"step_id":"S009","status":"done"}`,
		`planning_update_step {"step_id":"S001","details":"more"}`,
		`planning_update_step {"step_id":"S001","title":"# no","details":""}`,
		`planning_update_step {"step_id":"S002","title":"null"}`,
		`planning_mark_step {"step_id":"S001","status":"done"}`,
		`planning_mark_step {"step_id":"S002","status":"done","note":"n"}`,
		`planning_mark_step {"step_id":"S003","status":"done"}`,
		`planning_mark_step {"step_id":"S004","status":"done"}`,
		`planning_add_step {"steps":[{"title":"x"}]}`,
		`planning_mark_step {"step_id":"S004","status":"in_progress"}`,
		`planning_add_step {"steps":[{"title":"x"}]}`,
		`planning_read_plan {}`,
		`planning_clear_plan {}`,
		`planning_mark_step {"step_id":"S001","status":"done"}`,
		`planning_clear_plan {}`,
		`planning_read_plan {}`,
	} {
		tool, arguments, _ := strings.Cut(call, " ")
		in, err := session.Decode(tool, []byte(arguments))
		if err != nil {
			t.Fatal(err)
		}
		after, wantErr := session.Next(memory, in)
		want := session.Message(in, after)
		memory = after
		got, gotErr := k.Do(t.Context(), in)
		if got.Began != "" {
			*id = got.Began
		}
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || gotErr == nil && got.Message != want {
			t.Errorf("%s: %q, %v, and in memory %q, %v", call, got.Message, gotErr, want, wantErr)
		}
		if a, b := shown(t, k, *id), memory; b.Exists() && a != mustJSON(t, b) {
			t.Errorf("after %s the store says\n%s\nand memory\n%s", call, a, mustJSON(t, b))
		}
	}
}

func shown(t *testing.T, k *Keeper, id string) string {
	t.Helper()
	s, err := k.Repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if id == "" {
		return ""
	}
	stored, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return mustJSON(t, View(stored.Plan))
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Steps that many add at once all get a number of their own.
func TestManyAddAtOnce(t *testing.T) {
	g, k, id := begin(t)
	in := session.Input{Tool: session.ToolSetup, Objective: "Together"}
	first, err := k.Do(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	*id = first.Began
	var wg sync.WaitGroup
	for i := range 6 {
		k := keeper(t, g, id)
		wg.Go(func() {
			for n := range 3 {
				if _, err := k.Do(context.Background(), session.Input{Tool: session.ToolAdd, Steps: []session.NewPlanStep{{Title: fmt.Sprint("a ", i, n)}, {Title: fmt.Sprint("b ", i, n)}}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s, err := k.Repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Load(t.Context(), *id)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, step := range View(stored.Plan).Steps {
		ids = append(ids, step.ID)
	}
	if slices.Sort(ids); len(ids) != 36 || ids[35] != "S036" {
		t.Errorf("%v", ids)
	}
}

// What the plan does not allow is refused before anything is written, also
// where it takes two moves.
func TestNothingIsHalfDone(t *testing.T) {
	g, k, id := begin(t)
	done, err := k.Do(t.Context(), session.Input{Tool: session.ToolSetup, Objective: "Ship", InitialSteps: []session.NewPlanStep{{Title: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	*id = done.Began
	if _, err := k.Repo.Commit(t.Context(), store.Edit(*id, func(p *plan.Plan) (store.Message, error) {
		if _, err := p.Transition(p.Task("s001"), plan.Move{To: plan.Failed, At: k.Repo.Now(), Agent: "b"}); err != nil {
			return store.Message{}, err
		}
		return store.Message{Agent: "b"}, p.OpenSignal(plan.Report{ID: "tests", Level: "blocker", Message: "no", Source: plan.DefaultSource, At: k.Repo.Now(), By: "b"})
	})); err != nil {
		t.Fatal(err)
	}
	before := g.Git("rev-parse", "plans")
	var moved *plan.TransitionError
	if _, err := k.Do(t.Context(), session.Input{Tool: session.ToolMark, StepID: "S001", Status: session.Done}); !errors.As(err, &moved) {
		t.Error(err)
	}
	if after := g.Git("rev-parse", "plans"); after != before {
		t.Error("half of it was written")
	}
}

// So is what the gate does not let pass, for lack of evidence say.
func TestNothingIsHalfRefused(t *testing.T) {
	g, k, id := begin(t)
	done, err := k.Do(t.Context(), session.Input{Tool: session.ToolSetup, Objective: "Ship", InitialSteps: []session.NewPlanStep{{Title: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	*id = done.Began
	if _, err := k.Repo.Commit(t.Context(), store.Edit(*id, func(p *plan.Plan) (store.Message, error) {
		_, err := p.Transition(p.Task("s001"), plan.Move{To: plan.Failed, At: k.Repo.Now(), Agent: "tester"})
		return store.Message{Agent: "tester"}, err
	})); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir() + "/store"
	g.Git("worktree", "add", "-q", folder, "plans")
	g.At(folder).Write("gates.yaml", "gate: base\nevidence: required\n")
	g.At(folder).Git("commit", "-qam", "Ask for evidence")
	before := g.Git("rev-parse", "plans")
	var refused *store.RejectedError
	if _, err := k.Do(t.Context(), session.Input{Tool: session.ToolMark, StepID: "S001", Status: session.Done}); !errors.As(err, &refused) || len(refused.Findings) != 1 {
		t.Errorf("%v", err)
	}
	if after := g.Git("rev-parse", "plans"); after != before {
		t.Error("half of it was written")
	}
	if _, err := k.Do(t.Context(), session.Input{Tool: session.ToolMark, StepID: "S001", Status: session.InProgress, Note: "again"}); err != nil {
		t.Error(err)
	}
}
