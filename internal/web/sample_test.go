package web

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// The sample is a store of plans as a project has them after some weeks. It is the
// same at every call, to the byte.

// sampleRef is the branch that the plans are put on.
const sampleRef = "refs/heads/plans"

// sampleCommit is one step of the history of a store.
type sampleCommit struct {
	At      time.Time
	Who     string
	Message string
	// Set has the files to write, by path; an empty one is removed.
	Set map[string]string
}

// sampleNow is when the sample was looked at last: a little after its newest commit.
func sampleNow() time.Time { return sampleDay(20, 17, 5) }

func sampleDay(d, hour, minute int) time.Time {
	return time.Date(2026, 11, d, hour, minute, 0, 0, time.UTC)
}

// appendSample puts commits on the branch of plans.
func appendSample(ctx context.Context, g git.Git, commits ...sampleCommit) error {
	var b strings.Builder
	parent, err := g.ReadLine(ctx, "for-each-ref", "--format=%(objectname)", sampleRef)
	if err != nil {
		return err
	}
	for i, c := range commits {
		fmt.Fprintf(&b, "commit %s\nmark :%d\n", sampleRef, i+1)
		for _, role := range []string{"author", "committer"} {
			email := strings.ReplaceAll(strings.ToLower(c.Who), " ", ".") + "@example.com"
			fmt.Fprintf(&b, "%s %s <%s> %d +0000\n", role, c.Who, email, c.At.Unix())
		}
		fmt.Fprintf(&b, "data %d\n%s\n", len(c.Message), c.Message)
		if i == 0 && parent != "" {
			fmt.Fprintf(&b, "from %s\n", parent)
		}
		var paths []string
		for path := range c.Set {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			if text := c.Set[path]; text == "" {
				fmt.Fprintf(&b, "D %q\n", path)
			} else {
				fmt.Fprintf(&b, "M 100644 inline %q\ndata %d\n%s\n", path, len(text), text)
			}
		}
	}
	_, err = g.Write(ctx, strings.NewReader(b.String()), "fast-import", "--quiet", "--date-format=raw")
	return err
}

// sampleFile makes a file of a plan of fields, a line each, and a body.
func sampleFile(body string, fields ...string) string {
	return "---\n" + strings.Join(fields, "\n") + "\n---\n\n" + strings.TrimSpace(body) + "\n"
}

// plan is a plan while its history is told.
type sampleStory struct {
	id    string
	files map[string]string
	out   *[]sampleCommit
}

// commit notes a step: files are paths below the plan and their texts in turn.
func (s *sampleStory) commit(at time.Time, who, message string, files ...string) {
	set := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		set[s.id+"/"+files[i]] = files[i+1]
	}
	maps.Copy(s.files, set)
	*s.out = append(*s.out, sampleCommit{at, who, s.id + ": " + message, set})
}

// with gives a file of the plan as it is with lines put before the end of its
// fields, in place of those of the same names.
func (s *sampleStory) with(path string, lines ...string) string {
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
func (s *sampleStory) done(at time.Time, who, path, id, result string) {
	s.commit(at, who, id+" completed\n\nPlan-Agent: "+who,
		path, s.with(path, "status: done", "executed_by: "+who, "started_at: "+at.Add(-50*time.Minute).Format(time.RFC3339),
			"completed_at: "+at.Format(time.RFC3339), "result: "+result))
}

// started notes that a task was begun.
func (s *sampleStory) started(at time.Time, who, path, id string) {
	s.commit(at, who, id+" started\n\nPlan-Agent: "+who,
		path, s.with(path, "status: in_progress", "executed_by: "+who, "started_at: "+at.Format(time.RFC3339), "lease_until: 2026-12-20T00:00:00Z"))
}

// sampleHistory is the history of the sample, oldest first.
func sampleHistory() []sampleCommit {
	out := []sampleCommit{{sampleDay(2, 8, 0), "Ada Byron", "Begin", map[string]string{
		"README.md": "# Plans\n\nThe work plans of this project, kept by git plan.\n", "gates.yaml": "format: 1\ngate: base\n",
	}}}
	sampleTour(&out)
	samplePython(&out)
	sampleDocs(&out)
	sampleBilling(&out)
	sampleSearch(&out)
	sampleCI(&out)
	sampleAuth(&out)
	return out
}

func sampleTour(out *[]sampleCommit) {
	s := &sampleStory{"onboarding-tour", map[string]string{}, out}
	s.commit(sampleDay(2, 9, 0), "Ada Byron", "created", "plan.md", sampleFile("Three short steps after the first sign-in.", "title: A tour for new people", "tags: [frontend]"),
		"tasks/01-copy.md", sampleFile("Three sentences, no more.", "id: copy", "title: Write what the tour says", "type: docs"),
		"tasks/02-build.md", sampleFile("A dialog that can be left at any time.", "id: build", "title: Build the tour", "type: feature", "depends_on: [copy]"))
	s.done(sampleDay(3, 10, 0), "claude-1", "tasks/01-copy.md", "copy", "three steps, read by two people")
	s.done(sampleDay(4, 12, 0), "claude-1", "tasks/02-build.md", "build", "behind a flag, on for new accounts")
	moved := map[string]string{}
	for path, text := range s.files {
		moved["archive/2026/"+path], moved[path] = text, ""
	}
	*out = append(*out, sampleCommit{sampleDay(5, 9, 0), "Ada Byron", "onboarding-tour: archived", moved})
}

func samplePython(out *[]sampleCommit) {
	s := &sampleStory{"drop-python-38", map[string]string{}, out}
	s.commit(sampleDay(4, 9, 0), "Ada Byron", "created", "plan.md", sampleFile("The last users moved in September, we think.", "title: Drop Python 3.8", "tags: [tooling]"),
		"tasks/01-ask.md", sampleFile("Look at the download numbers first.", "id: ask", "title: Find out who still needs it", "type: chore"),
		"tasks/02-remove.md", sampleFile("Setup, CI, documents.", "id: remove", "title: Remove it everywhere", "type: chore", "depends_on: [ask]"))
	s.commit(sampleDay(6, 15, 0), "Ada Byron", "abandoned\n\nA tenth of the downloads are still 3.8: ask again in spring.",
		"plan.md", s.with("plan.md", "abandoned: true", "final_summary: Too many people still need it."))
}

func sampleDocs(out *[]sampleCommit) {
	s := &sampleStory{"refresh-the-handbook", map[string]string{}, out}
	s.commit(sampleDay(6, 9, 0), "Lin Wei", "created", "plan.md", sampleFile("The handbook still speaks of the old console.", "title: Refresh the handbook", "goal: Nobody is sent to a screen that is gone", "tags: [docs]"),
		"tasks/01-find.md", sampleFile("Search for the old names.", "id: find", "title: Find every page that names the old console", "type: docs"),
		"tasks/02-write.md", sampleFile("Page by page.", "id: write", "title: Write these pages anew", "type: docs", "depends_on: [find]"),
		"tasks/03-pictures.md", sampleFile("Light and dark.", "id: pictures", "title: Take new pictures", "type: docs", "depends_on: [write]"))
	s.done(sampleDay(7, 10, 0), "claude-2", "tasks/01-find.md", "find", "14 pages")
	s.done(sampleDay(9, 16, 0), "claude-2", "tasks/02-write.md", "write", "14 pages, reviewed by Lin")
	s.commit(sampleDay(10, 9, 0), "Lin Wei", "pictures skipped\n\nThe pictures come with the new theme.",
		"tasks/03-pictures.md", s.with("tasks/03-pictures.md", "status: skipped", "result: they come with the new theme"),
		"plan.md", s.with("plan.md", "final_summary: Fourteen pages are new. The pictures come with the new theme."))
}

func sampleBilling(out *[]sampleCommit) {
	s := &sampleStory{"move-billing-to-events", map[string]string{}, out}
	s.commit(sampleDay(9, 9, 0), "Grace Otieno", "created", "plan.md", sampleFile("The nightly job reads every account. Events tell us which ones changed.", "title: Move billing to events", "goal: No account waits for the nightly job", "max_replans: 2", "tags: [billing, backend]"),
		"tasks/01-record.md", sampleFile("One event a change, in the same transaction.", "id: record", "title: Record an event at every change of an account", "type: feature", "priority: high"),
		"tasks/02-consume.md", sampleFile("At least once; the second time changes nothing.", "id: consume", "title: Bill from events", "type: feature", "depends_on: [record]"),
		"tasks/03-compare.md", sampleFile("For one month both run, and differences are reported.", "id: compare", "title: Compare both for a month", "type: test", "depends_on: [consume]"),
		"tasks/04-remove.md", sampleFile("The job, its table, its alert.", "id: remove", "title: Remove the nightly job", "type: refactor", "depends_on: [compare]"))
	s.done(sampleDay(11, 11, 0), "claude-3", "tasks/01-record.md", "record", "events are written, 0.3 ms a change")
	s.commit(sampleDay(13, 18, 0), "claude-3", "consume failed\n\nTwo refunds in one second arrive in either order.\n\nPlan-Agent: claude-3",
		"tasks/02-consume.md", s.with("tasks/02-consume.md", "status: failed", "executed_by: claude-3", "started_at: 2026-11-12T09:00:00Z", "completed_at: 2026-11-13T18:00:00Z",
			"error: Two refunds in one second arrive in either order, and the balance differs. Events need a number within their account."))
}

func sampleSearch(out *[]sampleCommit) {
	s := &sampleStory{"search-as-you-type", map[string]string{}, out}
	s.commit(sampleDay(16, 9, 30), "Lin Wei", "created", "plan.md", sampleFile("Answers while the person types, from an index in memory.", "title: Search as you type", "goal: The first answers are there in 50 ms", "tags: [frontend, backend]", "complexity: 5"),
		"tasks/01-index.md", sampleFile("Words, prefixes, titles first.", "id: index", "title: Keep an index in memory", "type: feature", "estimate: 2d"),
		"tasks/02-api.md", sampleFile("`GET /search?q=`, at most ten answers.", "id: api", "title: Answer a prefix", "type: feature", "depends_on: [index]", "estimate: 1d"),
		"tasks/03-box.md", sampleFile("Arrow keys, Escape, and a word for screen readers.", "id: box", "title: Build the search box", "type: feature", "depends_on: [api]", "estimate: 2d"),
		"tasks/04-measure.md", sampleFile("At a million rows.", "id: measure", "title: Measure it", "type: test", "depends_on: [api]", "estimate: 4h"))
}

func sampleCI(out *[]sampleCommit) {
	s := &sampleStory{"make-ci-twice-as-fast", map[string]string{}, out}
	s.commit(sampleDay(12, 9, 0), "Grace Otieno", "created", "plan.md", sampleFile("A run takes 19 minutes. Most of it is the same work again.", "title: Make CI twice as fast", "goal: A run takes less than nine minutes", "tags: [tooling]"),
		"tasks/01-measure.md", sampleFile("A week of runs.", "id: measure", "title: See where the time goes", "type: chore"),
		"tasks/02-cache.md", sampleFile("Modules and the build cache, by lock file.", "id: cache", "title: Keep caches between runs", "type: chore", "depends_on: [measure]"),
		"tasks/03-split.md", sampleFile("By the time they took last time.", "id: split", "title: Split the tests over four runners", "type: test", "depends_on: [measure]"),
		"tasks/04-flaky.md", sampleFile("Seven of them fail once a week.", "id: flaky", "title: Mend the tests that fail now and then", "type: bugfix", "priority: high", "subtasks:\n  - \"[x] upload\"\n  - \"[x] clock\"\n  - \"[ ] mail\"", "progress: 5/7"))
	s.done(sampleDay(13, 9, 0), "claude-1", "tasks/01-measure.md", "measure", "6 min set-up, 11 min tests, 2 min the rest")
	s.done(sampleDay(14, 15, 0), "claude-1", "tasks/02-cache.md", "cache", "set-up takes 50 s now")
	s.started(sampleDay(19, 9, 0), "claude-2", "tasks/04-flaky.md", "flaky")
	s.commit(sampleDay(20, 8, 30), "Grace Otieno", "signal runners opened",
		"signals/runners.md", sampleFile("The new runners are not paid for yet. **Finance** answers on Monday.", "level: blocker", "task: split", "opened_at: 2026-11-20T08:30:00Z", "opened_by: Grace Otieno", "source: manual"))
}

const authBody = `
The API knows its callers by one shared key. Each caller gets one of its own, and
what it may do hangs on the key.

## What must not happen

- A key is **never** written to a log, not even in part.
- An old client breaks without a warning of two weeks.

| step | old keys | new keys |
|------|:--------:|:--------:|
| now  | work     | —        |
| v2   | warn     | work     |
| v3   | refused  | work     |

See [RFC 6750](https://www.rfc-editor.org/rfc/rfc6750) for the header.
`

const authTask = `
Look a key up by the hash of its first half, then compare the whole in constant
time:

` + "```go" + `
func (s *Store) Find(ctx context.Context, key string) (*Caller, error)
` + "```" + `

A key that is *revoked* is told from one that never was, in the log only.
`

// auth is the plan that pictures show: replanned once, with containers, work
// under way and a signal.
func sampleAuth(out *[]sampleCommit) {
	s := &sampleStory{"keys-for-the-api", map[string]string{}, out}
	s.commit(sampleDay(10, 9, 0), "Ada Byron", "created", "plan.md",
		sampleFile(authBody, "title: A key for every caller of the API", "goal: We know who calls, and can stop one caller without stopping all", "constraints:\n  - No call gets slower by more than 1 ms\n  - Old keys work until the end of the year", "tags: [backend, security]", "complexity: 6", "created_by: Ada Byron", "created_at: 2026-11-10T09:00:00Z"),
		"tasks/01-schema.md", sampleFile("Hash, owner, rights, made, revoked.", "id: schema", "title: Make a table for keys", "type: feature", "priority: high", "creates: [db/migrations/0042_keys.sql]"),
		"tasks/02-check.md", sampleFile("In the gateway, before anything else.", "id: check", "title: Check keys in the gateway", "type: feature", "depends_on: [schema]"),
		"tasks/03-tell.md", sampleFile("Mail, change log, a header in answers.", "id: tell", "title: Tell the callers", "type: docs"))
	s.done(sampleDay(11, 15, 0), "claude-1", "tasks/01-schema.md", "schema", "migration 0042 applies and rolls back")
	s.commit(sampleDay(12, 17, 0), "claude-2", "check failed\n\nThe gateway has no database, and 4 ms a call is too much.\n\nPlan-Agent: claude-2",
		"tasks/02-check.md", s.with("tasks/02-check.md", "status: failed", "executed_by: claude-2", "started_at: 2026-11-12T10:00:00Z", "completed_at: 2026-11-12T17:00:00Z",
			"error: The gateway has no database. A look-up over the network takes 4 ms, and 1 ms is allowed."))
	s.commit(sampleDay(13, 10, 0), "Ada Byron", "replanned as version 2\n\nThe check moves behind a cache in each gateway, which is told when a key is revoked.\n\nPlan-Agent: claude-2",
		"plan.md", s.with("plan.md", "version: 2"),
		"tasks/02-check.md", "", "tasks/03-tell.md", "",
		"tasks/02-gateway.md", sampleFile("What each gateway keeps, and how it hears of changes.", "id: gateway", "title: Check keys in the gateway", "type: feature", "kind: subtask", "depends_on: [schema]"),
		"tasks/02-gateway/01-cache.md", sampleFile("Ten thousand keys, an hour each.", "id: cache", "title: Keep keys in a cache", "type: feature", "estimate: 1d", "acceptance_criteria:\n  - 99 of 100 calls need no look-up\n  - Memory stays below 20 MB"),
		"tasks/02-gateway/02-lookup.md", sampleFile(authTask, "id: lookup", "title: Look a key up and compare it in constant time", "type: feature", "priority: high", "estimate: 1d", "agent: claude-2", "inputs: [key table]",
			"relevant_file_paths: [internal/gateway/auth.go, internal/keys/store.go]", "context_hints:\n  - Read `internal/gateway/auth.go` first; the order of its checks matters.\n  - Use `crypto/subtle`.", "acceptance_criteria:\n  - A wrong key takes as long as a right one\n  - No key is in a log"),
		"tasks/02-gateway/03-revoke.md", sampleFile("Within five seconds, in every gateway.", "id: revoke", "title: Tell the gateways of revoked keys", "type: feature", "estimate: 2d"),
		"tasks/03-console.md", sampleFile("Make, name, revoke; the key is shown once.", "id: console", "title: Let owners make and revoke keys", "type: feature", "depends_on: [schema]", "kind: decide"),
		"tasks/03-console/01-page.md", sampleFile("A page beside the others.", "id: page", "title: A page in the console", "type: feature"),
		"tasks/03-console/02-command.md", sampleFile("For those who have no browser at hand.", "id: command", "title: A command for the terminal", "type: feature", "priority: low"),
		"tasks/04-tell-callers.md", sampleFile("Mail, change log, a header in answers.", "id: tell", "title: Tell the callers two weeks before", "type: docs", "depends_on: [gateway, console]"),
		"tasks/06-measure.md", sampleFile("Before and after, at the 99th percentile.", "id: measure", "title: Measure what a check costs", "type: test", "depends_on: [cache]", "estimate: 4h"),
		"tasks/05-switch.md", sampleFile("Region by region.", "id: switch", "title: Refuse calls without a key", "type: chore", "depends_on: [tell]", "priority: critical"))
	s.commit(sampleDay(14, 9, 0), "CI", "check-passed\n\nPlan-Agent: ci", "tasks/01-schema.md", s.with("tasks/01-schema.md",
		"evidence:\n  - commit:9f2c4d1b7ae05566 patch:4e1f\n  - signal:tests 9f2c4d1b7ae05566 - 2026-11-14T09:00:00Z\n  - seen by Lin on a copy of the live data"))
	s.done(sampleDay(16, 14, 0), "claude-1", "tasks/02-gateway/01-cache.md", "cache", "99.4 of 100 calls need no look-up; 11 MB")
	s.commit(sampleDay(16, 14, 1), "claude-1", "gateway started\n\nPlan-Agent: claude-1", "tasks/02-gateway.md", s.with("tasks/02-gateway.md", "status: in_progress"))
	s.done(sampleDay(18, 11, 0), "claude-3", "tasks/03-console/01-page.md", "page", "behind the flag `keys`, reviewed by Lin")
	s.commit(sampleDay(18, 11, 1), "claude-3", "command skipped\n\nPlan-Agent: claude-3",
		"tasks/03-console/02-command.md", s.with("tasks/03-console/02-command.md", "status: skipped"), "tasks/03-console.md", s.with("tasks/03-console.md", "status: done"))
	s.started(sampleDay(20, 16, 40), "claude-2", "tasks/02-gateway/02-lookup.md", "lookup")
	s.commit(sampleDay(20, 16, 58), "CI", "signal tests opened\n\nPlan-Agent: ci",
		"signals/tests.md", sampleFile("`TestCompareIsConstant` fails on arm64:\n\n    wrong key: 812 ns, right key: 1,904 ns", "level: warning", "task: lookup", "opened_at: 2026-11-20T16:58:00Z", "opened_by: ci", "source: ci", "code: 4be1c9f02ab7c55d", "branch: keys-lookup"))
}
