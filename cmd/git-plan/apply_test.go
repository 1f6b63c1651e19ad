package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// applied is what apply answers.
type applied struct {
	Status   string `json:"status"`
	Commands []struct {
		Result string `json:"result"`
		Error  string `json:"error"`
	} `json:"commands"`
	Commit string `json:"commit"`
}

// randomAnswer is what a model might write: commands on steps that are there,
// and now and then on some that are not.
func randomAnswer(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		number := fmt.Sprint(1 + r.IntN(4))
		for r.IntN(2) == 0 {
			number += fmt.Sprintf(".%d", 1+r.IntN(3))
		}
		kind := []string{"reason", "act", "decide", "subtask"}[r.IntN(4)]
		step := fmt.Sprintf("%s [%s] Step of %d → x%d\n> ← x%d\n", number, kind, r.IntN(100), r.IntN(3), r.IntN(3))
		command := []string{"DONE " + number, "BLOCKED " + number + " | why", "SKIP " + number, "ADD " + step, "ADD " + step, "ADD " + step,
			"REVISE " + step, "REPLAN " + number, "REPLAN ALL"}[r.IntN(9)]
		b.WriteString("And so:\nPLAN_CMD: " + command + "\n")
	}
	return b.String()
}

// Whatever an answer says, the plan passes the gate afterwards, or nothing
// changed: either every command was carried out, in one commit, or one failed.
func TestApplyRandomAnswers(t *testing.T) {
	g := gittest.New(t)
	run := func(stdin string, args ...string) (string, int) {
		var stdout, stderr strings.Builder
		status := Main(Env{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Dir: g.Dir, Environ: g.Env, Now: time.Now}, args)
		if status > 1 {
			t.Fatalf("%v ended with %d: %s%s", args, status, stdout.String(), stderr.String())
		}
		return stdout.String(), status
	}
	g.Git("commit", "-q", "--allow-empty", "-m", "begin")
	run("", "init", "--no-hooks")
	dir, _ := run("", "dir")
	for name, text := range map[string]string{"plan.md": "title: Random", "tasks/01-one.md": "id: one\nkind: act"} {
		file := filepath.Join(strings.TrimSpace(dir), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("---\n"+text+"\n---\n\nText.\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	run("", "commit")
	const begin = "PLAN_CMD: ADD 2 [subtask] Two\nPLAN_CMD: ADD 2.1 [act] First → x1\nPLAN_CMD: ADD 2.2 [act] Second\n> ← x1\nPLAN_CMD: ADD 3 [decide] Three\nPLAN_CMD: ADD 3.1 [act] Yes\nPLAN_CMD: ADD 3.2 [act] No\n"
	if out, status := run(begin, "apply", "random", "--json"); status != 0 {
		t.Fatal(out)
	}
	r := rand.New(rand.NewPCG(3, 7))
	changed := 0
	for range 120 {
		before := g.Git("rev-parse", "plans")
		answer := randomAnswer(r)
		out, status := run(answer, "apply", "random", "--json")
		var doc applied
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatalf("%s answered with %s", answer, out)
		}
		failed := 0
		for _, c := range doc.Commands {
			if (c.Result == "failed") == (c.Error == "") && c.Result != "skipped" {
				t.Errorf("%s answered with %s", answer, out)
			}
			if c.Result == "failed" {
				failed++
			}
		}
		after := g.Git("rev-parse", "plans")
		switch {
		case status == 1 && (after != before || failed == 0 || doc.Status != "error" || doc.Commit != ""):
			t.Errorf("%s was refused with %s", answer, out)
		case status == 0 && (failed > 0 || doc.Commit != strings.TrimSpace(after)):
			t.Errorf("%s was carried out with %s", answer, out)
		case after != before:
			changed++
			if parent := g.Git("rev-parse", "plans^"); parent != before {
				t.Errorf("%s made more than one commit", answer)
			}
		}
	}
	if out, status := run("", "check", "plans"); status != 0 || changed < 20 {
		t.Errorf("%d answers changed the plan: %s", changed, out)
	}
}
