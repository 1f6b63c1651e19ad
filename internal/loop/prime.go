package loop

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// primeBudget bounds a primer, in tokens as [estimate] counts them.
const primeBudget = 560

// Prime says in a few lines, in markdown, what an agent must know now: where
// the plan stands, its task with the hints, what is open and what failed, and
// the commands that go on from there. It stays under 600 tokens whatever the
// plan says; what there is no room for is left to `status`.
func Prime(v View) string {
	p := v.Plan
	d := v.Decide()
	commands := v.primeCommands(d)
	w := &primer{room: primeBudget - estimate(commands)}
	w.line("# git plan: %s", p.ID)
	w.line("")
	w.line("%s (%s).", short(p.Title(), 40), standing(p))
	if v.Remote != "" {
		w.line("%s.", short(v.Remote, 40))
	}
	if goal := p.Goal(); goal != p.Title() {
		w.line("Goal: %s", short(goal, 60))
	}
	if p.Version() > 1 {
		w.line("Replanned %s, of at most %d: `git plan log --versions %s` tells why.", words.Count(p.Version()-1, "time"), p.MaxReplans(), p.ID)
	}
	w.line("")
	v.primeNow(w, d)
	v.primeSignals(w, d)
	v.primeTask(w, d.Task)
	v.primeFailed(w, d)
	return strings.TrimRight(w.b.String(), "\n") + "\n\n" + commands
}

// primer is a text with a bounded room.
type primer struct {
	b    strings.Builder
	room int
}

// line adds a line if there is room for it, and reports whether there was.
func (w *primer) line(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if estimate(text)+1 > w.room {
		return false
	}
	w.room -= estimate(text) + 1
	w.b.WriteString(text + "\n")
	return true
}

// items adds a list under a heading, at most so many of it, each shortened to so
// many tokens, and nothing where there is no room for the first.
func (w *primer) items(heading string, items []string, most, length int) {
	if len(items) == 0 || !w.line("%s\n- %s", heading, short(items[0], length)) {
		return
	}
	for i := 1; i < len(items); i++ {
		if i == most || !w.line("- %s", short(items[i], length)) {
			w.line("- and %d more", len(items)-i)
			return
		}
	}
}

// short makes text one line that can be shown as it is, of at most so many
// tokens.
func short(s string, limit int) string {
	s = diag.Printable(strings.Join(strings.Fields(s), " "))
	if estimate(s) <= limit {
		return s
	}
	quarters := 0
	for i, r := range s {
		if quarters += quartersOf(r); quarters > 4*(limit-1) {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}

// standing is how far a plan is.
func standing(p *plan.Plan) string {
	c := p.Progress()
	text := fmt.Sprintf("%s, %d of %d tasks done", p.Status(), c.Done, c.Total)
	for _, n := range []struct {
		count int
		word  string
	}{{c.Active, "in progress"}, {c.Blocked, "blocked"}, {c.Failed, "failed"}} {
		if n.count > 0 {
			text += fmt.Sprintf(", %d %s", n.count, n.word)
		}
	}
	return text
}

// primeNow tells what is to be done now.
func (v View) primeNow(w *primer, d Decision) {
	t, begin := d.Task, "Next"
	if t == nil {
		begin = "Now"
		switch {
		case d.Reason == ReplanRequired && v.spent():
			begin = "Now, tell the user"
		case d.Reason == ReplanRequired:
			begin = "Now, a replan"
		}
		w.line("%s: %s", begin, short(v.message(d), 100))
		return
	}
	if c, ok := t.Claim(); ok && c.Agent == v.Agent {
		begin = "Now, in progress and yours"
	}
	w.line("%s: task %s `%s`: %s", begin, t.Number(), t.ID, short(t.Title(), 50))
}

// primeTask tells what belongs to a task.
func (v View) primeTask(w *primer, t *plan.Task) {
	if t == nil {
		return
	}
	w.items("Read first:", t.Doc.List("context_hints"), 5, 40)
	for _, key := range [][2]string{{"Files", "relevant_file_paths"}, {"Creates", "creates"}} {
		if files := t.Doc.List(key[1]); len(files) > 0 {
			w.line("%s: %s", key[0], short(words.Few(files, 8), 60))
		}
	}
	w.items("Done when:", t.Doc.List("acceptance_criteria"), 3, 30)
}

// primeSignals tells of what is open, the one that stops the work first.
func (v View) primeSignals(w *primer, d Decision) {
	var open []string
	tell := func(s *plan.Signal) {
		on := ""
		if t := v.Plan.Task(s.Task); s.Task != "" && t != nil {
			on = " on task " + t.Number()
		}
		open = append(open, fmt.Sprintf("%s `%s`%s: %s", s.Level, s.ID, on, s.Message()))
	}
	if d.Signal != nil {
		tell(d.Signal)
	}
	for _, s := range v.Plan.Signals {
		if s != d.Signal {
			tell(s)
		}
	}
	w.items("Open signals:", open, 3, 40)
}

// primeFailed tells what failed, unless that is what is to be dealt with now.
func (v View) primeFailed(w *primer, d Decision) {
	if d.Reason == ReplanRequired {
		return
	}
	var failed []string
	for _, t := range v.Plan.Failed() {
		failed = append(failed, fmt.Sprintf("task %s `%s`: %s", t.Number(), t.ID, t.Doc.Text("error")))
	}
	w.items("Failed:", failed, 2, 40)
}

// primeCommands are the commands that go on from here.
func (v View) primeCommands(d Decision) string {
	lines := []string{"`git plan status" + v.Named + " --json` says what to do now, with all that belongs to it: begin with it, and ask again after each report."}
	report := func(fields string) string {
		return fmt.Sprintf("`git plan update%s --json '{\"update_tasks\":[{\"id\":%s,%s}]}'`", v.Named, jsonID(d.Task), fields)
	}
	switch d.Reason {
	case ReadyForTask:
		if c, ok := d.Task.Claim(); !ok || c.Agent != v.Agent {
			lines = append(lines, report(`"status":"IN_PROGRESS"`)+" takes the task.")
		}
		lines = append(lines, report(`"status":"DONE","result":"..."`)+" reports it; or `FAILED` with `error`.")
	case WaitingOnSignal:
		if source := d.Signal.Source(); source != plan.DefaultSource {
			lines = append(lines, fmt.Sprintf("The signal is cleared by `%s`, which opened it, once its cause is mended.", diag.OneLine(source, 60)))
		} else {
			lines = append(lines, fmt.Sprintf("`git plan alert clear %s%s` clears the signal, once its cause is mended.", d.Signal.ID, v.Named))
		}
	case PlanCompleted:
		if !v.Archived && !v.Plan.IsAbandoned() && v.Plan.Status() == plan.Complete && v.Plan.Doc.Text("final_summary") == "" {
			lines = append(lines, "`git plan update"+v.Named+` --json '{"final_summary":"..."}'`+"` sums the work up.")
		}
	case ReplanRequired:
		if v.spent() {
			lines = append(lines, fmt.Sprintf("For a person alone: `git plan checkout %[1]s`, a higher `max_replans` in plan.md, `git plan commit`; or `git plan abandon %[1]s`.", v.Plan.ID))
			break
		}
		lines = append(lines, fmt.Sprintf("`git plan checkout %[1]s` prints a folder to make the next version in, `git plan replan %[1]s --from FOLDER --reason \"...\"` stores it.", v.Plan.ID))
	}
	return "Commands:\n- " + strings.Join(append(lines, "`git plan show "+v.Plan.ID+"` shows the whole plan, `git plan guide` how to add tasks to it."), "\n- ")
}

// estimate says how many tokens a text takes, roughly: four characters of ASCII
// make one, any other character one by itself, as those of Chinese do.
func estimate(s string) int {
	quarters := 0
	for _, r := range s {
		quarters += quartersOf(r)
	}
	return (quarters + 3) / 4
}

func quartersOf(r rune) int {
	if r < 0x80 {
		return 1
	}
	return 4
}
