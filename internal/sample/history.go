package sample

import (
	"maps"
	"strings"
	"time"
)

// plan is a plan while its history is told.
type story struct {
	id    string
	files map[string]string
	out   *[]Commit
}

// commit notes a step: files are paths below the plan and their texts in turn.
func (s *story) commit(at time.Time, who, message string, files ...string) {
	set := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		set[s.id+"/"+files[i]] = files[i+1]
	}
	maps.Copy(s.files, set)
	*s.out = append(*s.out, Commit{at, who, s.id + ": " + message, set})
}

// with gives a file of the plan as it is with lines put before the end of its
// fields, in place of those of the same names.
func (s *story) with(path string, lines ...string) string {
	head, body, _ := strings.Cut(strings.TrimPrefix(s.files[s.id+"/"+path], "---\n"), "\n---\n")
	var kept []string
	for field := range strings.SplitSeq(head, "\n") {
		key, _, _ := strings.Cut(field, ":")
		again := false
		for _, line := range lines {
			again = again || strings.HasPrefix(line, key+":")
		}
		if !again {
			kept = append(kept, field)
		}
	}
	return "---\n" + strings.Join(append(kept, lines...), "\n") + "\n---\n" + body
}

// done notes that a task was done.
func (s *story) done(at time.Time, who, path, id, result string) {
	s.commit(at, who, id+" completed\n\nPlan-Agent: "+who,
		path, s.with(path, "status: done", "executed_by: "+who, "started_at: "+at.Add(-50*time.Minute).Format(time.RFC3339),
			"completed_at: "+at.Format(time.RFC3339), "result: "+result))
}

// started notes that a task was begun.
func (s *story) started(at time.Time, who, path, id string) {
	s.commit(at, who, id+" started\n\nPlan-Agent: "+who,
		path, s.with(path, "status: in_progress", "executed_by: "+who, "started_at: "+at.Format(time.RFC3339), "lease_until: 2026-12-20T00:00:00Z"))
}

// History is the history of the sample, oldest first.
func History() []Commit {
	out := []Commit{{day(2, 8, 0), "Ada Byron", "Begin", map[string]string{
		"README.md": "# Plans\n\nThe work plans of this project, kept by git plan.\n", "gates.yaml": "format: 1\ngate: base\n",
	}}}
	onboarding(&out)
	python(&out)
	docs(&out)
	billing(&out)
	search(&out)
	ci(&out)
	auth(&out)
	return out
}

func onboarding(out *[]Commit) {
	s := &story{"onboarding-tour", map[string]string{}, out}
	s.commit(day(2, 9, 0), "Ada Byron", "created", "plan.md", file("Three short steps after the first sign-in.", "title: A tour for new people", "tags: [frontend]"),
		"tasks/01-copy.md", file("Three sentences, no more.", "id: copy", "title: Write what the tour says", "type: docs"),
		"tasks/02-build.md", file("A dialog that can be left at any time.", "id: build", "title: Build the tour", "type: feature", "depends_on: [copy]"))
	s.done(day(3, 10, 0), "claude-1", "tasks/01-copy.md", "copy", "three steps, read by two people")
	s.done(day(4, 12, 0), "claude-1", "tasks/02-build.md", "build", "behind a flag, on for new accounts")
	moved := map[string]string{}
	for path, text := range s.files {
		moved["archive/2026/"+path], moved[path] = text, ""
	}
	*out = append(*out, Commit{day(5, 9, 0), "Ada Byron", "onboarding-tour: archived", moved})
}

func python(out *[]Commit) {
	s := &story{"drop-python-38", map[string]string{}, out}
	s.commit(day(4, 9, 0), "Ada Byron", "created", "plan.md", file("The last users moved in September, we think.", "title: Drop Python 3.8", "tags: [tooling]"),
		"tasks/01-ask.md", file("Look at the download numbers first.", "id: ask", "title: Find out who still needs it", "type: chore"),
		"tasks/02-remove.md", file("Setup, CI, documents.", "id: remove", "title: Remove it everywhere", "type: chore", "depends_on: [ask]"))
	s.commit(day(6, 15, 0), "Ada Byron", "abandoned\n\nA tenth of the downloads are still 3.8: ask again in spring.",
		"plan.md", s.with("plan.md", "abandoned: true", "final_summary: Too many people still need it."))
}

func docs(out *[]Commit) {
	s := &story{"refresh-the-handbook", map[string]string{}, out}
	s.commit(day(6, 9, 0), "Lin Wei", "created", "plan.md", file("The handbook still speaks of the old console.", "title: Refresh the handbook", "goal: Nobody is sent to a screen that is gone", "tags: [docs]"),
		"tasks/01-find.md", file("Search for the old names.", "id: find", "title: Find every page that names the old console", "type: docs"),
		"tasks/02-write.md", file("Page by page.", "id: write", "title: Write these pages anew", "type: docs", "depends_on: [find]"),
		"tasks/03-pictures.md", file("Light and dark.", "id: pictures", "title: Take new pictures", "type: docs", "depends_on: [write]"))
	s.done(day(7, 10, 0), "claude-2", "tasks/01-find.md", "find", "14 pages")
	s.done(day(9, 16, 0), "claude-2", "tasks/02-write.md", "write", "14 pages, reviewed by Lin")
	s.commit(day(10, 9, 0), "Lin Wei", "pictures skipped\n\nThe pictures come with the new theme.",
		"tasks/03-pictures.md", s.with("tasks/03-pictures.md", "status: skipped", "result: they come with the new theme"),
		"plan.md", s.with("plan.md", "final_summary: Fourteen pages are new. The pictures come with the new theme."))
}

func billing(out *[]Commit) {
	s := &story{"move-billing-to-events", map[string]string{}, out}
	s.commit(day(9, 9, 0), "Grace Otieno", "created", "plan.md", file("The nightly job reads every account. Events tell us which ones changed.", "title: Move billing to events", "goal: No account waits for the nightly job", "max_replans: 2", "tags: [billing, backend]"),
		"tasks/01-record.md", file("One event a change, in the same transaction.", "id: record", "title: Record an event at every change of an account", "type: feature", "priority: high"),
		"tasks/02-consume.md", file("At least once; the second time changes nothing.", "id: consume", "title: Bill from events", "type: feature", "depends_on: [record]"),
		"tasks/03-compare.md", file("For one month both run, and differences are reported.", "id: compare", "title: Compare both for a month", "type: test", "depends_on: [consume]"),
		"tasks/04-remove.md", file("The job, its table, its alert.", "id: remove", "title: Remove the nightly job", "type: refactor", "depends_on: [compare]"))
	s.done(day(11, 11, 0), "claude-3", "tasks/01-record.md", "record", "events are written, 0.3 ms a change")
	s.commit(day(13, 18, 0), "claude-3", "consume failed\n\nTwo refunds in one second arrive in either order.\n\nPlan-Agent: claude-3",
		"tasks/02-consume.md", s.with("tasks/02-consume.md", "status: failed", "executed_by: claude-3", "started_at: 2026-11-12T09:00:00Z", "completed_at: 2026-11-13T18:00:00Z",
			"error: Two refunds in one second arrive in either order, and the balance differs. Events need a number within their account."))
}

func search(out *[]Commit) {
	s := &story{"search-as-you-type", map[string]string{}, out}
	s.commit(day(16, 9, 30), "Lin Wei", "created", "plan.md", file("Answers while the person types, from an index in memory.", "title: Search as you type", "goal: The first answers are there in 50 ms", "tags: [frontend, backend]", "complexity: 5"),
		"tasks/01-index.md", file("Words, prefixes, titles first.", "id: index", "title: Keep an index in memory", "type: feature", "estimate: 2d"),
		"tasks/02-api.md", file("`GET /search?q=`, at most ten answers.", "id: api", "title: Answer a prefix", "type: feature", "depends_on: [index]", "estimate: 1d"),
		"tasks/03-box.md", file("Arrow keys, Escape, and a word for screen readers.", "id: box", "title: Build the search box", "type: feature", "depends_on: [api]", "estimate: 2d"),
		"tasks/04-measure.md", file("At a million rows.", "id: measure", "title: Measure it", "type: test", "depends_on: [api]", "estimate: 4h"))
}

func ci(out *[]Commit) {
	s := &story{"make-ci-twice-as-fast", map[string]string{}, out}
	s.commit(day(12, 9, 0), "Grace Otieno", "created", "plan.md", file("A run takes 19 minutes. Most of it is the same work again.", "title: Make CI twice as fast", "goal: A run takes less than nine minutes", "tags: [tooling]"),
		"tasks/01-measure.md", file("A week of runs.", "id: measure", "title: See where the time goes", "type: chore"),
		"tasks/02-cache.md", file("Modules and the build cache, by lock file.", "id: cache", "title: Keep caches between runs", "type: chore", "depends_on: [measure]"),
		"tasks/03-split.md", file("By the time they took last time.", "id: split", "title: Split the tests over four runners", "type: test", "depends_on: [measure]"),
		"tasks/04-flaky.md", file("Seven of them fail once a week.", "id: flaky", "title: Mend the tests that fail now and then", "type: bugfix", "priority: high", "subtasks:\n  - \"[x] upload\"\n  - \"[x] clock\"\n  - \"[ ] mail\"", "progress: 5/7"))
	s.done(day(13, 9, 0), "claude-1", "tasks/01-measure.md", "measure", "6 min set-up, 11 min tests, 2 min the rest")
	s.done(day(14, 15, 0), "claude-1", "tasks/02-cache.md", "cache", "set-up takes 50 s now")
	s.started(day(19, 9, 0), "claude-2", "tasks/04-flaky.md", "flaky")
	s.commit(day(20, 8, 30), "Grace Otieno", "signal runners opened",
		"signals/runners.md", file("The new runners are not paid for yet. **Finance** answers on Monday.", "level: blocker", "task: split", "opened_at: 2026-11-20T08:30:00Z", "opened_by: Grace Otieno", "source: manual"))
}
