package main

import "strings"

// readers are the commands that read a stored plan and everything beside it.
func readers() []string {
	return []string{
		"list", "list --json --archived", "list --ready",
		"show PLAN", "show PLAN --json", "show PLAN --format planspec", "show PLAN/one",
		"status PLAN", "status --json PLAN", "prime", "next PLAN", "next PLAN --json",
		"check plans", "check PLAN --json", "check plans --format sarif", "check plans --format github", "check plans --format junit", "check --against main PLAN", "check plans~1..plans",
		"log", "log PLAN", "log PLAN --json", "events PLAN", "events",
		"diff plans~1 plans", "diff plans~1 plans --format markdown", "diff plans~1 plans --format html", "diff plans~1 plans --json",
		"graph PLAN", "graph PLAN --format mermaid", "graph PLAN --format dot", "graph PLAN --json", "graph PLAN --format svg",
		"board", "board PLAN", "board --json", "show PLAN --format html", "show PLAN --format markdown", "log --graph PLAN", "log --versions", "prompt", "report -o .plans/pages", "report -o .plans/pages",
		"grep .", "grep --json o PLAN", "brief PLAN", "brief PLAN --for replan", "brief PLAN --for execution --task one",
		"alert list PLAN", "context", "context --prompt", "suggest", "doctor",
		"export -t json PLAN", "export -t planspec PLAN", "export -t rawko PLAN", "export -t planloop PLAN", "export -t hopspec PLAN",
	}
}

// writers are the commands that change plans; most are refused where a plan
// does not pass.
func writers() []string {
	return []string{
		"task start PLAN/one", "alert open tests --plan PLAN --task one -m fails", "alert clear tests --plan PLAN",
		"task done PLAN/one --result done", "task reopen PLAN/one", "use PLAN", "checkout PLAN", "commit", "fmt",
		"propose PLAN", "sync", "archive --force PLAN", "restore PLAN", "abandon PLAN", "clear-current", "commit",
	}
}

// sweep runs every command on a plan that is stored, looks at the tripwires
// after each, and then at what was written.
func (g *ground) sweep(plan string, commands ...[]string) {
	g.t.Helper()
	for _, list := range commands {
		for _, line := range list {
			g.try("", strings.Fields(strings.ReplaceAll(line, "PLAN", plan))...)
		}
	}
	g.whole()
}

// drafting are the commands on a plan that is being written.
func drafting() []string {
	return []string{
		"check", "check --json", "check --format sarif", "check --staged", "show .plans/thread-1", "show .plans/thread-1 --json", "check .plans/thread-1",
		"fmt --check", "diff .plans/thread-1", "status --json", "prime", "suggest", "doctor", "context",
		"commit --dry-run", "fmt", "fmt .plans/thread-1", "commit --id p", "propose p", "sync", "clear-current",
	}
}
