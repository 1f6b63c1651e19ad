package sample

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
func auth(out *[]Commit) {
	s := &story{"keys-for-the-api", map[string]string{}, out}
	s.commit(day(10, 9, 0), "Ada Byron", "created", "plan.md",
		file(authBody, "title: A key for every caller of the API", "goal: We know who calls, and can stop one caller without stopping all", "constraints:\n  - No call gets slower by more than 1 ms\n  - Old keys work until the end of the year", "tags: [backend, security]", "complexity: 6", "created_by: Ada Byron", "created_at: 2026-11-10T09:00:00Z"),
		"tasks/01-schema.md", file("Hash, owner, rights, made, revoked.", "id: schema", "title: Make a table for keys", "type: feature", "priority: high", "creates: [db/migrations/0042_keys.sql]"),
		"tasks/02-check.md", file("In the gateway, before anything else.", "id: check", "title: Check keys in the gateway", "type: feature", "depends_on: [schema]"),
		"tasks/03-tell.md", file("Mail, change log, a header in answers.", "id: tell", "title: Tell the callers", "type: docs"))
	s.done(day(11, 15, 0), "claude-1", "tasks/01-schema.md", "schema", "migration 0042 applies and rolls back")
	s.commit(day(12, 17, 0), "claude-2", "check failed\n\nThe gateway has no database, and 4 ms a call is too much.\n\nPlan-Agent: claude-2",
		"tasks/02-check.md", s.with("tasks/02-check.md", "status: failed", "executed_by: claude-2", "started_at: 2026-11-12T10:00:00Z", "completed_at: 2026-11-12T17:00:00Z",
			"error: The gateway has no database. A look-up over the network takes 4 ms, and 1 ms is allowed."))
	s.commit(day(13, 10, 0), "Ada Byron", "replanned as version 2\n\nThe check moves behind a cache in each gateway, which is told when a key is revoked.\n\nPlan-Agent: claude-2",
		"plan.md", s.with("plan.md", "version: 2"),
		"tasks/02-check.md", "", "tasks/03-tell.md", "",
		"tasks/02-gateway.md", file("What each gateway keeps, and how it hears of changes.", "id: gateway", "title: Check keys in the gateway", "type: feature", "kind: subtask", "depends_on: [schema]"),
		"tasks/02-gateway/01-cache.md", file("Ten thousand keys, an hour each.", "id: cache", "title: Keep keys in a cache", "type: feature", "estimate: 1d", "acceptance_criteria:\n  - 99 of 100 calls need no look-up\n  - Memory stays below 20 MB"),
		"tasks/02-gateway/02-lookup.md", file(authTask, "id: lookup", "title: Look a key up and compare it in constant time", "type: feature", "priority: high", "estimate: 1d", "agent: claude-2", "inputs: [key table]",
			"relevant_file_paths: [internal/gateway/auth.go, internal/keys/store.go]", "context_hints:\n  - Read `internal/gateway/auth.go` first; the order of its checks matters.\n  - Use `crypto/subtle`.", "acceptance_criteria:\n  - A wrong key takes as long as a right one\n  - No key is in a log"),
		"tasks/02-gateway/03-revoke.md", file("Within five seconds, in every gateway.", "id: revoke", "title: Tell the gateways of revoked keys", "type: feature", "estimate: 2d"),
		"tasks/03-console.md", file("Make, name, revoke; the key is shown once.", "id: console", "title: Let owners make and revoke keys", "type: feature", "depends_on: [schema]", "kind: decide"),
		"tasks/03-console/01-page.md", file("A page beside the others.", "id: page", "title: A page in the console", "type: feature"),
		"tasks/03-console/02-command.md", file("For those who have no browser at hand.", "id: command", "title: A command for the terminal", "type: feature", "priority: low"),
		"tasks/04-tell-callers.md", file("Mail, change log, a header in answers.", "id: tell", "title: Tell the callers two weeks before", "type: docs", "depends_on: [gateway, console]"),
		"tasks/06-measure.md", file("Before and after, at the 99th percentile.", "id: measure", "title: Measure what a check costs", "type: test", "depends_on: [cache]", "estimate: 4h"),
		"tasks/05-switch.md", file("Region by region.", "id: switch", "title: Refuse calls without a key", "type: chore", "depends_on: [tell]", "priority: critical"))
	s.commit(day(14, 9, 0), "CI", "check-passed\n\nPlan-Agent: ci", "tasks/01-schema.md", s.with("tasks/01-schema.md",
		"evidence:\n  - commit:9f2c4d1b7ae05566 patch:4e1f\n  - signal:tests 9f2c4d1b7ae05566 - 2026-11-14T09:00:00Z\n  - seen by Lin on a copy of the live data"))
	s.done(day(16, 14, 0), "claude-1", "tasks/02-gateway/01-cache.md", "cache", "99.4 of 100 calls need no look-up; 11 MB")
	s.commit(day(16, 14, 1), "claude-1", "gateway started\n\nPlan-Agent: claude-1", "tasks/02-gateway.md", s.with("tasks/02-gateway.md", "status: in_progress"))
	s.done(day(18, 11, 0), "claude-3", "tasks/03-console/01-page.md", "page", "behind the flag `keys`, reviewed by Lin")
	s.commit(day(18, 11, 1), "claude-3", "command skipped\n\nPlan-Agent: claude-3",
		"tasks/03-console/02-command.md", s.with("tasks/03-console/02-command.md", "status: skipped"), "tasks/03-console.md", s.with("tasks/03-console.md", "status: done"))
	s.started(day(20, 16, 40), "claude-2", "tasks/02-gateway/02-lookup.md", "lookup")
	s.commit(day(20, 16, 58), "CI", "signal tests opened\n\nPlan-Agent: ci",
		"signals/tests.md", file("`TestCompareIsConstant` fails on arm64:\n\n    wrong key: 812 ns, right key: 1,904 ns", "level: warning", "task: lookup", "opened_at: 2026-11-20T16:58:00Z", "opened_by: ci", "source: ci", "code: 4be1c9f02ab7c55d", "branch: keys-lookup"))
}
