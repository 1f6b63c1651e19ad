package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/gittest"
)

// proposal is a repository whose HEAD is what a merge of a pull request would
// make, and the comment that there is about it.
type proposal struct {
	*gittest.Repo
	base, event, summary string
	readOnly             bool
	comment              string
	written              int
}

// newProposal makes a store with one plan.
func newProposal(t *testing.T) *proposal {
	t.Helper()
	r := gittest.New(t, gittest.Init("-b", "plans"))
	dir := t.TempDir()
	p := &proposal{Repo: r, event: filepath.Join(dir, "event.json"), summary: filepath.Join(dir, "summary.md")}
	r.Write("gates.yaml", "format: 1\n")
	r.Write("log-in/plan.md", "---\ntitle: Log in\n---\n\nRequests carry no identity.\n")
	r.Write("log-in/tasks/01-users.md", "---\nid: users\n---\n\nWrite the migration.\n")
	p.base = r.Commit("log-in: create")
	return p
}

// merge commits what is in the folder on a branch and merges that.
func (p *proposal) merge(t *testing.T) {
	t.Helper()
	p.Git("checkout", "-q", "-B", "proposals/more", p.base)
	p.Git("add", "-A")
	p.Git("commit", "-q", "--allow-empty", "-m", "More")
	p.Git("checkout", "-q", "--detach", p.base)
	p.Git("merge", "-q", "--no-ff", "-m", "Merge", "proposals/more")
	text := fmt.Sprintf(`{"pull_request":{"number":7,"base":{"ref":"plans","sha":%q}}}`, p.base)
	if err := os.WriteFile(p.event, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// ServeHTTP is GitHub.
func (p *proposal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/user" || r.Method != http.MethodGet && p.readOnly:
		http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
	case r.Method == http.MethodGet:
		var list []any
		if p.comment != "" {
			list = append(list, map[string]any{"id": 1, "body": p.comment, "user": map[string]any{"id": 2, "type": "Bot"}})
		}
		_ = json.NewEncoder(w).Encode(list)
	default:
		var sent struct{ Body string }
		data, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(data, &sent)
		p.comment = sent.Body
		p.written++
	}
}

// run runs the job and gives its status and all that it said.
func (p *proposal) run(t *testing.T, args ...string) (status int, said string) {
	t.Helper()
	server := httptest.NewServer(p)
	defer server.Close()
	var out bytes.Buffer
	environ := append(slices.Clone(p.Env), "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+p.event,
		"GITHUB_SHA="+p.Git("rev-parse", "HEAD"), "GITHUB_REF=refs/pull/7/merge", "GITHUB_REPOSITORY=us/shop",
		"GITHUB_API_URL="+server.URL, "GITHUB_STEP_SUMMARY="+p.summary, "GIT_PLAN_COMMENT_TOKEN=top-secret")
	status = Main(Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: p.Dir, Environ: environ, Now: time.Now}, append([]string{"ci", "run"}, args...))
	if strings.Contains(out.String(), "top-secret") {
		t.Errorf("the token is printed:\n%s", &out)
	}
	return status, out.String()
}

// A pull request gets one comment, which follows it.
func TestCommentOnPull(t *testing.T) {
	p := newProposal(t)
	p.Write("log-in/tasks/02-token.md", "---\nid: token\ndepends_on: [users]\n---\n\nIssue it.\n")
	p.merge(t)
	if status, said := p.run(t); status != 0 || p.written != 0 {
		t.Fatalf("a comment that nobody asked for: %d, %s", status, said)
	}
	for range 2 {
		if status, said := p.run(t, "--comment"); status != 0 || p.written != 1 || strings.Contains(said, "notice") {
			t.Fatalf("%d, %d written, %s", status, p.written, said)
		}
	}
	if !strings.HasPrefix(p.comment, diff.Marker+"\n") || !strings.Contains(p.comment, "<summary>added <code>token</code>") {
		t.Errorf("the comment:\n%s", p.comment)
	}
	p.Git("rm", "-q", "log-in/tasks/02-token.md")
	p.Git("checkout", "-q", p.base, "--", ".")
	p.merge(t)
	if status, said := p.run(t, "--comment"); status != 0 || p.written != 2 || strings.Contains(p.comment, "token") {
		t.Errorf("nothing differs any more: %d, %s\n%s", status, said, p.comment)
	}
}

// The base may have moved on since the event: what others did is not told.
func TestCommentIsOfTheProposalAlone(t *testing.T) {
	p := newProposal(t)
	early := p.base
	p.Write("log-in/tasks/02-theirs.md", "---\nid: theirs\n---\n\nDo it.\n")
	p.base = p.Commit("log-in: theirs")
	p.Write("log-in/tasks/03-ours.md", "---\nid: ours\n---\n\nDo it.\n")
	p.merge(t)
	data, _ := os.ReadFile(p.event)
	if err := os.WriteFile(p.event, bytes.ReplaceAll(data, []byte(p.base), []byte(early)), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, said := p.run(t, "--comment"); status != 0 || !strings.Contains(p.comment, "added <code>ours") || strings.Contains(p.comment, "added <code>theirs") {
		t.Errorf("%d, %s\n%s", status, said, p.comment)
	}
}

// A token that may only read, as for a fork, is no fault: the text is in the
// summary.
func TestCommentWithoutLeave(t *testing.T) {
	p := newProposal(t)
	p.readOnly = true
	p.Write("log-in/tasks/02-token.md", "---\nid: token\n---\n\nIssue it.\n")
	p.merge(t)
	status, said := p.run(t, "--comment")
	summary, _ := os.ReadFile(p.summary)
	if status != 0 || !strings.Contains(said, "\n::notice title=git plan::the comment on the proposal is left as it is: GitHub answered 403 Forbidden") ||
		!strings.Contains(string(summary), "<summary>added <code>token</code>") || !strings.Contains(string(summary), "**Passed:**") {
		t.Errorf("%d, %s\n%s", status, said, summary)
	}
}

// However much a proposal changes and whatever its plans say: the comment is one
// that the forge takes, known again, and nothing in it is a mention, markup or a
// command.
func TestCommentOfHostilePlan(t *testing.T) {
	p := newProposal(t)
	hostile := "@everyone </details> #1 " + diff.Marker + " <img src=x> ![x](http://evil.example/x) ``` /close"
	p.Write("log-in/plan.md", "---\ntitle: '"+hostile+"'\nconstraints: ['"+hostile+"', \"a\\n/close\"]\n---\n\n"+diff.Marker+"\n/close\n```\n"+hostile+"\n")
	for i := range 90 {
		p.Write(fmt.Sprintf("log-in/tasks/%02d-t.md", i+5), fmt.Sprintf("---\nid: t%d\ntitle: '%s'\n---\n\n%s\n", i, hostile, strings.Repeat(hostile+"\n/close\n~~~~\n", 100)))
	}
	p.merge(t)
	if status, said := p.run(t, "--comment"); status != 0 || p.written != 1 {
		t.Fatalf("%d, %s", status, said)
	}
	if n := utf8.RuneCountInString(p.comment); n > 65_536 || n < 30_000 {
		t.Errorf("the comment has %d characters", n)
	}
	if !strings.HasPrefix(p.comment, diff.Marker+"\n") {
		t.Errorf("it begins with %.80q", p.comment)
	}
	fenced := regexp.MustCompile("(?ms)^(`{3,})[a-z]+\n.*?^`{3,}$")
	open := fenced.ReplaceAllString(strings.TrimPrefix(p.comment, diff.Marker), "")
	if n := strings.Count(open, "<details>"); n < 5 || n != strings.Count(open, "</details>") {
		t.Errorf("%d parts are folded, or not all are closed", n)
	}
	for _, bad := range []string{"\n/close", "@everyone", "<!--", "<img", "](http"} {
		if strings.Contains(withoutCode(open), bad) {
			t.Errorf("%q stands in\n%.3000s", bad, open)
		}
	}
	if _, said := p.run(t, "--comment"); p.written != 1 {
		t.Errorf("it is not known again: %s", said)
	}
}

// withoutCode drops what stands in elements of code, where forges look for
// nothing.
func withoutCode(s string) string {
	return regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(s, "")
}
