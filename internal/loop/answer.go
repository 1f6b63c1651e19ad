package loop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// View is a plan as an agent looks at it.
type View struct {
	Plan *plan.Plan
	// Archived says that the plan is put away: nobody works on it.
	Archived bool
	// Commit is the revision of the store that it was read at.
	Commit string
	Agent  string
	At     time.Time
	Topic  string
	// Named is what a command has to add to mean this plan, such as
	// " --plan auth"; empty where it is meant anyway.
	Named string
	// Shared says, where the plan waits for others, that a remote has the plans,
	// too: their work comes from there with `sync` alone.
	Shared bool
	// Remote says how old what is shown is, and what is not published, if that is to be
	// said.
	Remote string
	// Sync is set where the project's file of instructions has to be written.
	Sync *Sync
	// All shows every task in full.
	All bool
}

// Sync is the file of instructions as it should be.
type Sync struct{ File, Content string }

// Document is the answer of `status`. The keys of a reason are always there.
type Document struct {
	Now     Now     `json:"now"`
	Signal  *Signal `json:"signal,omitempty"`
	Plan    *Tasks  `json:"plan,omitempty"`
	Session Session `json:"session"`
}

// Now says what to do.
type Now struct {
	Reason       Reason  `json:"reason"`
	Instructions string  `json:"agent_instructions"`
	Message      string  `json:"message,omitempty"`
	Content      *string `json:"instructions_content,omitempty"`
	Task         *Task   `json:"current_task,omitempty"`
	Failed       []Task  `json:"failed_tasks,omitempty"`
	// Summary is the final summary, of a plan that has one.
	Summary string `json:"final_summary,omitempty"`
}

// Signal is an open signal.
type Signal struct {
	ID      string `json:"id"`
	Task    any    `json:"task_id"` // null for one on the plan
	Ref     string `json:"task_ref,omitempty"`
	Level   string `json:"level"`
	Message string `json:"message"`
}

// Session names the plan.
type Session struct {
	ID     string          `json:"id"`
	Goal   string          `json:"goal"`
	Status plan.PlanStatus `json:"status"`
	Commit string          `json:"commit"`
	Topic  string          `json:"topic,omitempty"`
}

// Answer is the document for what is to be done now.
func Answer(v View) Document {
	p := v.Plan
	doc := Document{Session: Session{p.ID, p.Goal(), p.Status(), v.Commit, v.Topic}}
	if !v.All {
		doc.Session.Goal = diag.Head(doc.Session.Goal, maxGoal)
	}
	if v.Sync != nil {
		doc.Now = Now{Reason: SyncInstructions, Content: &v.Sync.Content, Instructions: fmt.Sprintf(
			"CRITICAL: Your `%s` is out of sync. Overwrite it with the content provided in `instructions_content` and then run `git plan status%s --json` again.",
			v.Sync.File, v.Named)}
		return doc
	}
	d := v.Decide()
	doc.Now = v.now(d)
	switch d.Reason {
	case WaitingOnSignal:
		doc.Signal = signal(p, d.Signal)
		if !v.All {
			doc.Signal.Message = shortMessage(doc.Signal.Message, p.ID)
		}
	case ReadyForTask:
		t := Full(p, d.Task)
		t.Results = results(p, d.Task)
		if !v.All {
			t = t.shortened(p.ID, taskRoom)
		}
		doc.Now.Task = &t
		doc.Plan = v.tasks(doc, d.Task)
	case ReplanRequired:
		shown := d.Tasks[:min(len(d.Tasks), 3)]
		for _, t := range shown {
			one := Full(p, t)
			if !v.All {
				one = one.shortened(p.ID, taskRoom/len(shown))
			}
			doc.Now.Failed = append(doc.Now.Failed, one)
		}
	}
	if v.All && doc.Plan == nil {
		doc.Plan = v.tasks(doc, nil)
	}
	return doc
}

// maxGoal bounds, in characters, what is shown of the goal.
const maxGoal = 600

// now puts a decision into words.
func (v View) now(d Decision) Now {
	n := Now{Reason: d.Reason, Message: v.message(d)}
	switch d.Reason {
	case WaitingOnSignal:
		n.Instructions = v.blocked(d.Signal)
	case ReadyForTask:
		n.Instructions = v.ready(d.Task)
	case ReplanRequired:
		n.Instructions = v.replan()
	case WaitingOnTasks:
		n.Instructions = v.waiting(d)
	case PlanCompleted:
		n.Summary = strings.TrimSpace(v.Plan.Doc.Text("final_summary"))
		n.Instructions = fmt.Sprintf("All tasks are complete. Provide a final summary of your work via `git plan update%s --json '{\"final_summary\": \"...\"}'`.", v.Named)
		if v.Plan.Status() != plan.Complete {
			n.Instructions = fmt.Sprintf("No work is left. Say what came of it via `git plan update%s --json '{\"final_summary\": \"...\"}'`.", v.Named)
		}
		switch {
		case v.Archived:
			n.Instructions = fmt.Sprintf("There is nothing to do: nothing can be reported on a plan that is archived. If its work is to go on, tell the user, who brings it back with `git plan restore %s`.", v.Plan.ID)
		case n.Summary != "":
			n.Instructions = "All tasks are settled and the final summary is given. There is nothing left to do."
		}
	}
	return n
}

// blocked says how to get past a blocker, beginning with the words of old. What
// something else watches over is for that to clear.
func (v View) blocked(s *plan.Signal) string {
	if s.Source() != plan.DefaultSource {
		return fmt.Sprintf("CRITICAL: A signal is blocking progress. Analyze the signal details and fix the issue. The signal was opened by `%s`, which clears it when its check passes: wait for that, then run `git plan status%s --json` again; or tell the user.",
			diag.OneLine(s.Source(), 60), v.Named)
	}
	return fmt.Sprintf("CRITICAL: A signal is blocking progress. Analyze the signal details, fix the issue, and clear the signal using `git plan alert clear %s%s`. Where a command can show that it is fixed, let that clear it: `git plan alert run %s%s -- COMMAND`.",
		s.ID, v.Named, s.ID, v.Named)
}

// ready says how to go about a task, beginning with the words of old.
func (v View) ready(t *plan.Task) string {
	id := jsonID(t)
	text := "Your next task is ready. Gather context using `context_hints` and `relevant_file_paths`, then perform the work."
	if c, ok := t.Claim(); ok && c.Agent == v.Agent {
		text = "Your task is in progress. Gather context using `context_hints` and `relevant_file_paths`, then go on with the work."
	} else {
		if ok {
			text += fmt.Sprintf(" %s began it, and has let its lease run out: look for work of it that is left.", diag.OneLine(c.Agent, 60))
		}
		text += fmt.Sprintf(" First take it: `git plan update%s --json '{\"update_tasks\": [{\"id\": %s, \"status\": \"IN_PROGRESS\"}]}'`.", v.Named, id)
	}
	return text + fmt.Sprintf(" Then report with `git plan update%s --json '{\"update_tasks\": [{\"id\": %s, \"status\": \"DONE\", \"result\": \"...\"}]}'`, or FAILED with `error`.", v.Named, id)
}

func jsonID(t *plan.Task) string {
	if t.Parent == nil {
		return strconv.Itoa(t.NN)
	}
	return `"` + t.Number() + `"`
}

// spent reports whether the plan has been replanned as often as it may be.
func (v View) spent() bool { return v.Plan.Version()-1 >= v.Plan.MaxReplans() }

func (v View) replan() string {
	p := v.Plan
	if v.spent() {
		return fmt.Sprintf("CRITICAL: A task failed and the limit of %s is spent. Stop, and tell the user: only a person should raise `max_replans` in plan.md (`git plan checkout %s`, then `git plan commit`), or end the plan with `git plan abandon %s`.",
			words.Count(p.MaxReplans(), "replan"), p.ID, p.ID)
	}
	return fmt.Sprintf("A task failed and nothing else is ready. If it can be done after all, set it to TODO. Else make the next version of the plan: `git plan checkout %s` prints a folder with its files; change them so that the goal is reached another way, then run `git plan replan %s --from FOLDER --reason \"...\"` and `git plan status%s --json`.",
		p.ID, p.ID, v.Named)
}

func (v View) waiting(d Decision) string {
	if len(d.Tasks) == 0 {
		return fmt.Sprintf("The plan has no tasks. Add some with `git plan update%s --json '{\"add_tasks\": [...]}'`; `git plan guide` says how.", v.Named)
	}
	for _, t := range d.Tasks {
		if t.Status == plan.InProgress {
			return v.wait()
		}
	}
	if left, chosen := v.Plan.PassedOver(); left != nil && !slices.ContainsFunc(d.Tasks, isBlocked) {
		return fmt.Sprintf("No task is ready: %s was reopened, but its decision chose %s. To decide anew set %[2]s to TODO as well with `git plan update%[3]s --json`; else set %[1]s to SKIPPED.", left.Number(), chosen.Number(), v.Named)
	}
	return fmt.Sprintf("No task is ready: what is left is blocked. Remove what blocks it, then set the task to TODO with `git plan update%s --json`; or tell the user.", v.Named)
}

// wait says how to learn that what others hold is done.
func (v View) wait() string {
	const text = "No task is ready for you. Wait until a task in progress is done, then run "
	if v.Shared {
		return text + fmt.Sprintf("`git plan sync`, which brings what others did, and `git plan status%s --json` again.", v.Named)
	}
	return text + fmt.Sprintf("`git plan status%s --json` again.", v.Named)
}

func isBlocked(t *plan.Task) bool { return t.Status == plan.Blocked }

// message says in a sentence how things stand; for a task that is ready the
// task says it.
func (v View) message(d Decision) string {
	switch d.Reason {
	case WaitingOnSignal:
		on := "the plan"
		if t := v.Plan.Task(d.Signal.Task); d.Signal.Task != "" && t != nil {
			on = "task " + t.Number()
		}
		return fmt.Sprintf("Waiting for signal '%s' on %s to be cleared.", d.Signal.ID, on)
	case ReplanRequired:
		text := "Failed: " + v.list(d.Tasks) + "."
		if p := v.Plan; v.spent() {
			text += fmt.Sprintf(" The plan is at version %d and `max_replans` is %d: no replan is left.", p.Version(), p.MaxReplans())
		}
		if busy := v.busy(); len(busy) > 0 {
			text += " In progress: " + v.list(busy) + "; a replan takes back what is not done."
		}
		return text
	case WaitingOnTasks:
		if len(d.Tasks) == 0 {
			return "The plan has no tasks yet."
		}
		begun := slices.DeleteFunc(slices.Clone(d.Tasks), func(t *plan.Task) bool { return t.Status == plan.Pending })
		if len(begun) == 0 {
			begun = d.Tasks
		}
		return "Waiting for " + v.list(begun) + "."
	case PlanCompleted:
		switch {
		case v.Archived:
			return "The plan is archived: no work is left."
		case v.Plan.IsAbandoned():
			return "The plan is abandoned: no work is left."
		case v.Plan.Status() != plan.Complete:
			return "Every task was skipped or cancelled: no work is left."
		case strings.TrimSpace(v.Plan.Doc.Text("final_summary")) != "":
			return "All tasks are complete and summed up."
		}
		return "All tasks are complete. The agent should provide a final summary."
	}
	return ""
}

// busy gives the tasks that others hold.
func (v View) busy() []*plan.Task {
	return slices.DeleteFunc(slices.Clone(v.Plan.All()), func(t *plan.Task) bool {
		c, ok := t.Claim()
		return !ok || c.Agent == v.Agent || !c.Live(v.At)
	})
}

// list names a few tasks, each with what is worth knowing of it.
func (v View) list(tasks []*plan.Task) string {
	var out []string
	for _, t := range tasks {
		text := fmt.Sprintf("task %s `%s`", t.Number(), t.ID)
		c, held := t.Claim()
		switch {
		case t.Status == plan.Failed && t.Doc.Text("error") != "":
			text += " (" + diag.OneLine(t.Doc.Text("error"), maxResult) + ")"
		case held && !c.Until.IsZero():
			text += fmt.Sprintf(" (%s, until %s)", c.Agent, plan.FormatTime(c.Until))
		case t.Status != plan.Failed:
			text += " (" + StatusWord(t.Status) + ")"
		}
		out = append(out, text)
	}
	return words.Few(out, 5)
}

func signal(p *plan.Plan, s *plan.Signal) *Signal {
	out := &Signal{ID: s.ID, Level: s.Level, Message: s.Message()}
	if t := p.Task(s.Task); s.Task != "" && t != nil {
		out.Task, out.Ref = TaskID(t), t.ID
	} else if s.Task != "" {
		out.Task = s.Task
	}
	return out
}
