package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// begin makes a repository with a store and a plan made by Start.
func begin(t *testing.T) (*gittest.Repo, *store.Repo) {
	t.Helper()
	g := gittest.New(t)
	g.Write("spec.md", "# Spec\n")
	repo := open(t, g, "a1")
	if _, err := repo.Init(t.Context(), validate.Base); err != nil {
		t.Fatal(err)
	}
	start(t, repo, Goal{Text: "Log in", ID: "auth"})
	return g, repo
}

func open(t *testing.T, g *gittest.Repo, agent string) *store.Repo {
	t.Helper()
	repo, err := store.Open(t.Context(), store.Options{Git: g.G(), Getenv: func(string) string { return "" }, Agent: agent, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

func start(t *testing.T, repo *store.Repo, goal Goal) string {
	t.Helper()
	s := &Starter{Repo: repo, Goal: goal, Agent: "a1", Taken: func(string) bool { return false }}
	if _, err := repo.Commit(t.Context(), s.Mutate); err != nil {
		t.Fatal(err)
	}
	return s.ID
}

// update carries out a payload as agent a1.
func update(ctx context.Context, repo *store.Repo, payload string) (store.Result, *Update, error) {
	parsed, err := ParsePayload([]byte(payload))
	if err != nil {
		return store.Result{}, nil, err
	}
	u := &Update{Repo: repo, Payload: parsed, Agent: "a1", Which: func(context.Context, *store.Snapshot) (string, error) { return "auth", nil }}
	result, err := repo.Commit(ctx, u.Mutate)
	return result, u, u.Explain(err)
}

func stored(t *testing.T, repo *store.Repo, id string) *store.Stored {
	t.Helper()
	s, err := repo.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestStart(t *testing.T) {
	_, repo := begin(t)
	long := strings.Repeat("word ", 40)
	id := start(t, repo, Goal{
		Text: long + "\nand: this\n\n- and that", Spec: "spec.md", Code: []string{"src/"}, Constraints: []string{"no: database"}, Memories: []string{"we use Go"},
	})
	p := stored(t, repo, id).Plan
	if !strings.HasPrefix(long, strings.TrimSuffix(p.Title(), "…")) || len([]rune(p.Title())) > 101 || p.Goal() != strings.TrimSpace(long) {
		t.Errorf("title %q, goal %q", p.Title(), p.Goal())
	}
	for key, want := range map[string][]string{"goal_detail": {"and: this", "- and that"}, "constraints": {"no: database"}, "informed_by": {"we use Go"}} {
		if got := p.Doc.List(key); !slices.Equal(got, want) {
			t.Errorf("%s is %q", key, got)
		}
	}
	task := p.Task("decompose")
	if task == nil || task.Doc.Path != "tasks/01-decompose.md" || !slices.Equal(task.Doc.List("relevant_file_paths"), []string{"spec.md", "src/"}) || p.Gates() != "strict" {
		t.Errorf("the first task is %+v", task)
	}
	if again := start(t, repo, Goal{Text: long}); again != id+"-2" && !strings.HasSuffix(again, "-2") {
		t.Errorf("a second plan for the goal is %s", again)
	}
	if odd := start(t, repo, Goal{Text: "用户登录"}); odd != "plan-1" {
		t.Errorf("a goal without Latin letters makes %s", odd)
	}
}

// A goal that is longer than a file may be is over a limit, which is named.
func TestGoalTooLong(t *testing.T) {
	_, repo := begin(t)
	s := &Starter{Repo: repo, Goal: Goal{Text: strings.Repeat("long ", 20_000)}, Agent: "a1", Taken: func(string) bool { return false }}
	_, err := repo.Commit(t.Context(), s.Mutate)
	var e *plan.EditError
	if !errors.As(err, &e) || !e.Limit || e.Hint != "shorten it" {
		t.Errorf("%v", err)
	}
}

// So is a report.
func TestReportTooLong(t *testing.T) {
	_, repo := begin(t)
	_, _, err := update(t.Context(), repo, `{"update_tasks":[{"id":1,"status":"DONE","result":"`+strings.Repeat("long ", 20_000)+`"}]}`)
	var r *Rejection
	if !errors.As(err, &r) || r.Kind() != LimitExceeded || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Detail, "over the limit of 65536; shorten it") {
		t.Errorf("%v", err)
	}
}

// A payload of 5,000 tasks with bad lines changes nothing and names every fault.
func TestFiveThousandTasks(t *testing.T) {
	g, repo := begin(t)
	before := g.Git("rev-parse", "plans")
	var tasks []map[string]any
	for i := range 5000 {
		task := map[string]any{"title": fmt.Sprintf("Add part %d", i), "type": "feature", "context_hints": []string{"Read `spec.md`."}, "relevant_file_paths": []string{"spec.md"}}
		if i > 0 {
			task["dependencies"] = []int{i + 1}
		}
		tasks = append(tasks, task)
	}
	tasks[40]["relevant_file_paths"] = []string{"gone.go"}
	tasks[4000]["titel"] = 1
	delete(tasks[4990], "type")
	data, err := json.Marshal(map[string]any{"add_tasks": tasks})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = update(t.Context(), repo, string(data))
	var r *Rejection
	if !errors.As(err, &r) {
		t.Fatalf("%v", err)
	}
	want := []string{
		`add_tasks[4000]: there is no key "titel" (did you mean "title"?)`,
		"add_tasks: the new tasks would get the numbers 2 to 5001, and a plan has at most 99 top-level tasks: leave out 4902, or make a plan of them",
		"Task 'Add part 40' lists a non-existent file: `gone.go`.",
		"Task 'Add part 4990' is missing the `type` field.",
	}
	got := r.Details()
	slices.Sort(got[2:])
	if r.Kind() != LimitExceeded || !slices.Equal(got, want) {
		t.Errorf("%s\n%s", r.Kind(), strings.Join(got, "\n"))
	}
	if g.Git("rev-parse", "plans") != before {
		t.Error("something was stored")
	}
}

// Two that add tasks at once both get numbers, and no number twice.
func TestUpdatesAtOnce(t *testing.T) {
	g, repo := begin(t)
	var wait sync.WaitGroup
	for i := range 8 {
		other := open(t, g, "a1")
		wait.Go(func() {
			_, _, err := update(t.Context(), other, fmt.Sprintf(`{"add_tasks": [{"title": "Part %d", "type": "chore", "context_hints": ["Read it"], "relevant_file_paths": ["spec.md"]}]}`, i))
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for i, task := range stored(t, repo, "auth").Plan.Tasks {
		if task.NN != i+1 {
			t.Errorf("task %s has number %d", task.ID, task.NN)
		}
	}
}

// Whatever payload comes: either nothing changes and there is a fault, or what
// is stored passes the gate and holds what was asked for.
func TestRandomPayloads(t *testing.T) {
	g, repo := begin(t)
	random := rand.New(rand.NewPCG(6, 21))
	landed := 0
	for n := range 120 {
		payload := randomPayload(random)
		before := g.Git("rev-parse", "plans")
		result, u, err := update(t.Context(), repo, payload)
		after := g.Git("rev-parse", "plans")
		var r *Rejection
		switch {
		case errors.As(err, &r):
			if before != after || len(r.Faults) == 0 {
				t.Fatalf("%s was refused with %d faults, and the store went from %s to %s", payload, len(r.Faults), before, after)
			}
			continue
		case err != nil:
			t.Fatalf("%d: %s: %v", n, payload, err)
		}
		if result.Changed() != (before != after) {
			t.Fatalf("%s: changed is %v", payload, result.Changed())
		}
		landed++
		p := stored(t, repo, "auth")
		in := validate.Input{Plan: p.Plan, Found: p.Found, Stored: true}
		if errs, _ := diag.Count(validate.Run(in, validate.DefaultGates(), validate.Base)); errs > 0 {
			t.Fatalf("%s made an invalid plan", payload)
		}
		for _, task := range u.Applied.Added {
			if p.Plan.Task(task.ID) == nil {
				t.Fatalf("%s: task %s is not there", payload, task.ID)
			}
		}
		checkMoves(t, u, p.Plan)
	}
	if landed < 20 {
		t.Errorf("only %d payloads landed", landed)
	}
}

// checkMoves holds the statuses that a payload asked for against those stored.
// What became of a task may follow from the move of another.
func checkMoves(t *testing.T, u *Update, p *plan.Plan) {
	t.Helper()
	if len(u.Payload.Update) != 1 || u.Payload.Update[0].status == "" {
		return
	}
	e := u.Payload.Update[0]
	for _, task := range u.Applied.Moved {
		if got := p.Task(task.ID).Status; got != e.status {
			t.Fatalf("%s is %s and not %s", task.ID, got, e.status)
		}
	}
}

func randomPayload(random *rand.Rand) string {
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	var add, change []string
	for range random.IntN(3) {
		fields := []string{`"title": ` + pick(`"Part"`, `"A: b"`, `"- c"`, `"用户"`, `" "`, `7`), `"type": ` + pick(`"chore"`, `"feature"`, `"feature"`, `"nothing"`),
			`"context_hints": ` + pick(`["Read it"]`, `["Read it"]`, `["Read it"]`, `[]`, `["Read `+"`gone.md`"+`"]`), `"relevant_file_paths": ` + pick(`["spec.md"]`, `["spec.md"]`, `["spec.md"]`, `["gone.md"]`, `["../x"]`)}
		if random.IntN(2) == 0 {
			fields = append(fields, `"dependencies": [`+pick("1", "2", "3", `"decompose"`, `"part"`, "40", "")+`]`)
		}
		add = append(add, "{"+strings.Join(fields, ",")+"}")
	}
	for range random.IntN(3) {
		fields := []string{`"id": ` + pick("1", "2", "3", "4", `"decompose"`, `"part"`, `"part-2"`)}
		if random.IntN(3) > 0 {
			fields = append(fields, `"status": `+pick(`"TODO"`, `"IN_PROGRESS"`, `"DONE"`, `"FAILED"`, `"BLOCKED"`, `"SKIPPED"`, `"CANCELLED"`))
		}
		if random.IntN(3) == 0 {
			fields = append(fields, pick(`"notes": ["x: y", ""]`, `"result": "a\nb"`, `"title": "New: title"`, `"dependencies": [2, 3]`, `"priority": "high"`, `"description": "---\nx"`, `"creates": []`))
		}
		change = append(change, "{"+strings.Join(fields, ",")+"}")
	}
	return `{"add_tasks": [` + strings.Join(add, ",") + `], "update_tasks": [` + strings.Join(change, ",") + `]}`
}

// What is too large says which limit it goes over, and by how much.
func TestUpdateTooLarge(t *testing.T) {
	long := func(n int) string { return strings.Repeat("y", n) }
	full := read(t, many(16, "notes: ["+long(1000)+"]")...).Files()
	var pairs []string
	for name, data := range full {
		pairs = append(pairs, name, string(data)+long(240_000)+"\n")
	}
	for name, test := range map[string]struct {
		plan          []string
		payload, want string
	}{
		"a file":         {nil, `{"add_tasks": [{"title": "A", "description": "` + long(300_000) + `"}]}`, "Task 'A': the file is 300025 bytes, over the limit of 262144 (move long material out of the plan)."},
		"a new field":    {nil, `{"add_tasks": [{"title": "A", "description": "a", "context_hints": ["` + long(70_000) + `"]}]}`, "over the limit of 65536 (shorten it)."},
		"a changed file": {many(1, ""), `{"update_tasks": [{"id": 1, "description": "` + long(270_000) + `"}]}`, "over the limit of 262144"},
		"a field":        {many(1, ""), `{"update_tasks": [{"id": 1, "status": "DONE", "result": "` + long(70_000) + `"}]}`, "over the limit of 65536; shorten it"},
		"the plan":       {pairs, `{"add_tasks": [{"title": "A", "description": "` + long(200_000) + `"}, {"title": "B", "description": "` + long(200_000) + `"}]}`, "over the limit of 4194304: make several plans of it"},
	} {
		r, err := on(t, read(t, test.plan...), test.payload)
		if err != nil {
			t.Fatal(err)
		}
		rejected := r.labels.rejection(r.faults, nil)
		if details := rejected.Details(); len(details) != 1 || !strings.Contains(details[0], test.want) || rejected.Kind() != LimitExceeded {
			t.Errorf("%s: %s %q", name, rejected.Kind(), details)
		}
	}
}

// What is legal and likely not meant is told in the warnings.
func TestUpdateOdd(t *testing.T) {
	lapsed := "id: two\ntitle: Two\nstatus: in_progress\nexecuted_by: b2\nlease_until: 2026-01-02T11:00:00Z"
	for payload, want := range map[string]string{
		`{"update_tasks": [{"id": 1, "status": "DONE"}]}`:                                         "Task 'One' waits for task 2 `two`, which is not settled.",
		`{"update_tasks": [{"id": 1, "status": "DONE"}, {"id": 2, "status": "DONE"}]}`:            "",
		`{"update_tasks": [{"id": 1, "status": "IN_PROGRESS"}]}`:                                  "Task 'One' waits for task 2 `two`, which is not settled.",
		`{"update_tasks": [{"id": 2, "status": "IN_PROGRESS"}]}`:                                  "Task 'Two' was begun by b2, whose lease has run out: look for work of it that is left.",
		`{"update_tasks": [{"id": 2, "status": "FAILED"}]}`:                                       "Task 'Two' failed, and nothing says why: report it once more with `error`.",
		`{"update_tasks": [{"id": 2, "status": "FAILED", "error": "the disk is full"}]}`:          "",
		`{"update_tasks": [{"id": 1, "status": "BLOCKED", "notes": ["waits for the provider"]}]}`: "",
	} {
		r, err := on(t, read(t, "tasks/01-one.md", "id: one\ntitle: One\ndepends_on: [two]", "tasks/02-two.md", lapsed), payload)
		if err != nil || len(r.faults) > 0 {
			t.Fatalf("%s: %v %v", payload, err, r.faults)
		}
		if got := strings.Join(r.odd(), " "); got != want {
			t.Errorf("%s: %s", payload, got)
		}
	}
}
