package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/workflow"
)

const (
	secret = "token-that-is-secret"
	marker = "<!-- git-plan-diff -->"
)

// forge is a server that holds the comments of one proposal.
type forge struct {
	kind     workflow.Forge
	me       int64 // 0: the token may not ask
	comments []comment
	// pageSize is how many comments it gives at most, whatever is asked for.
	pageSize int
	// deny is the status of an answer to a write, or 0.
	deny  int
	calls []string
}

// discussion starts the server.
func (f *forge) discussion(t *testing.T) *Discussion {
	t.Helper()
	d := &Discussion{Forge: f.kind, Project: "us/shop", Number: "7", Token: secret}
	list, one := "/repos/us/shop/issues/7/comments", "/repos/us/shop/issues/comments/"
	if f.kind == workflow.GitLab {
		d.Project = "42"
		list, one = "/projects/42/merge_requests/7/notes", "/projects/42/merge_requests/7/notes/"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/user", f.user)
	mux.HandleFunc("GET /api"+list, f.list)
	mux.HandleFunc("POST /api"+list, f.write)
	mux.HandleFunc("PATCH /api"+one+"{id}", f.write)
	mux.HandleFunc("PUT /api"+one+"{id}", f.write)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.calls = append(f.calls, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/api"))
		if r.Header.Get("Authorization") != "Bearer "+secret && r.Header.Get("PRIVATE-TOKEN") != secret {
			http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d.API = server.URL + "/api"
	return d
}

func (f *forge) user(w http.ResponseWriter, _ *http.Request) {
	if f.me == 0 {
		http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
		return
	}
	_ = json.NewEncoder(w).Encode(account{ID: f.me})
}

func (f *forge) list(w http.ResponseWriter, r *http.Request) {
	size, _ := strconv.Atoi(r.FormValue("per_page"))
	page, _ := strconv.Atoi(r.FormValue("page"))
	if f.pageSize > 0 {
		size = f.pageSize
	}
	from, to := min((page-1)*size, len(f.comments)), min(page*size, len(f.comments))
	if to < len(f.comments) {
		w.Header().Set("Link", `<http://x/?page=2>; rel="next", <http://x/?page=9>; rel="last"`)
	}
	_ = json.NewEncoder(w).Encode(append([]comment{}, f.comments[from:to]...))
}

func (f *forge) write(w http.ResponseWriter, r *http.Request) {
	if f.deny != 0 {
		w.WriteHeader(f.deny)
		fmt.Fprintf(w, `{"message":"Resource not accessible by %s\n::error::"}`, secret)
		return
	}
	var sent struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for i := range f.comments {
		if f.comments[i].ID == id {
			f.comments[i].Body = sent.Body
		}
	}
	if id == 0 {
		w.WriteHeader(http.StatusCreated)
		f.comments = append(f.comments, f.by(f.me, sent.Body))
	}
	fmt.Fprint(w, "{}")
}

// by makes a comment of an account; that of number 0 is a bot.
func (f *forge) by(id int64, body string) comment {
	kind := "User"
	if id == 0 {
		kind = "Bot"
	}
	return comment{ID: int64(len(f.comments) + 1000), Body: body, User: account{id, kind}, Author: account{id, kind}}
}

// add adds comments of an account.
func (f *forge) add(id int64, bodies ...string) {
	for _, body := range bodies {
		f.comments = append(f.comments, f.by(id, body))
	}
}

func (f *forge) writes() string {
	var out []string
	for _, call := range f.calls {
		if !strings.HasPrefix(call, "GET ") {
			out = append(out, call)
		}
	}
	return strings.Join(out, ", ")
}

// A comment is made once and then kept up to date, with any kind of token.
func TestKeep(t *testing.T) {
	for name, f := range map[string]*forge{
		"a job on GitHub":    {kind: workflow.GitHub},
		"a person on GitHub": {kind: workflow.GitHub, me: 5},
		"GitLab":             {kind: workflow.GitLab, me: 5},
	} {
		d := f.discussion(t)
		if err := d.Keep(t.Context(), marker+"\nNothing.\n", false); err != nil || f.writes() != "" {
			t.Errorf("%s, nothing to say: %v, %s", name, err, f.writes())
		}
		for _, text := range []string{"One.", "Two.", "Two."} {
			if err := d.Keep(t.Context(), marker+"\n"+text+"\n", true); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		f.comments[0].Body = strings.ReplaceAll(f.comments[0].Body, "\n", "\r\n")
		if err := d.Keep(t.Context(), marker+"\nTwo.\n", true); err != nil || strings.Count(f.writes(), ",") != 1 {
			t.Errorf("%s: what is there already is written again: %v, %s", name, err, f.writes())
		}
		if err := d.Keep(t.Context(), marker+"\nNothing any more.\n", false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(f.comments) != 1 || f.comments[0].Body != marker+"\nNothing any more.\n" {
			t.Errorf("%s: %+v", name, f.comments)
		}
	}
}

// Ours is found on a later page, also where pages are shorter than was asked for.
func TestKeepTurnsPages(t *testing.T) {
	for _, size := range []int{0, 30} {
		f := &forge{kind: workflow.GitHub, me: 5, pageSize: size}
		for i := range 250 {
			f.add(9, fmt.Sprint("Comment ", i))
		}
		f.add(5, marker+"\nOld.")
		if err := f.discussion(t).Keep(t.Context(), marker+"\nNew.", true); err != nil || len(f.comments) != 251 || f.comments[250].Body != marker+"\nNew." {
			t.Errorf("%v, %s", err, f.writes())
		}
	}
}

// What others wrote stays, even if it has the marker, and so does what we wrote
// where the marker is not the first line, as in a plan that was quoted.
func TestKeepLeavesOthersAlone(t *testing.T) {
	for name, f := range map[string]*forge{
		"a job on GitHub":    {kind: workflow.GitHub},
		"a person on GitHub": {kind: workflow.GitHub, me: 5},
		"GitLab":             {kind: workflow.GitLab, me: 5},
	} {
		f.add(9, marker+"\nMine!", marker)
		f.add(f.me, "> "+marker+"\n> quoted", "See:\n"+marker+"\n", " "+marker, marker+" more")
		if f.kind == workflow.GitLab {
			f.add(5, marker+"\nchanged the title")
			f.comments[6].System = true
		}
		if f.kind == workflow.GitHub && f.me != 0 {
			f.add(0, marker+"\nAnother bot")
		}
		before := len(f.comments)
		if err := f.discussion(t).Keep(t.Context(), marker+"\nOurs.", true); err != nil || len(f.comments) != before+1 || strings.Contains(f.writes(), ",") {
			t.Errorf("%s: %v, %s", name, err, f.writes())
		}
	}
}

// A refusal says what the forge said, in one line and without the token.
func TestKeepIsRefused(t *testing.T) {
	for _, kind := range []workflow.Forge{workflow.GitHub, workflow.GitLab} {
		f := &forge{kind: kind, me: 5, deny: http.StatusForbidden}
		err := f.discussion(t).Keep(t.Context(), marker+"\nText.", true)
		var refused *ForgeError
		if !errors.As(err, &refused) || !refused.denied() || !strings.Contains(err.Error(), "answered 403 Forbidden: Resource not accessible by ***") {
			t.Errorf("%s: %v", kind, err)
		}
		if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q", kind, err)
		}
	}
}

// Where it does not know whom it speaks for, or to whom, nothing is written.
func TestKeepFails(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the token went to %s %s", r.Host, r.URL)
	}))
	defer elsewhere.Close()
	redirecting := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer redirecting.Close()
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, secret) }))
	defer broken.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer silent.Close()
	unknown := (&forge{kind: workflow.GitLab}).discussion(t)
	text := marker + "\nText."
	for name, c := range map[string]struct {
		d    Discussion
		text string
		want string
	}{
		"no token":      {Discussion{Forge: workflow.GitHub, API: elsewhere.URL}, text, "there is no token"},
		"redirected":    {Discussion{workflow.GitHub, redirecting.URL, "us/shop", "7", secret}, text, "answered 307"},
		"no JSON":       {Discussion{workflow.GitHub, broken.URL, "us/shop", "7", secret}, text, "cannot be read"},
		"no address":    {Discussion{workflow.GitHub, "file:///etc", "us/shop", "7", secret}, text, "no address of an API"},
		"no address 2":  {Discussion{workflow.GitHub, "", "us/shop", "7", secret}, text, "no address of an API"},
		"cut off":       {Discussion{workflow.GitHub, silent.URL, "us/shop", "7", secret}, text, "EOF"},
		"nobody's":      {*unknown, text, "answered 403"},
		"line in token": {Discussion{workflow.GitHub, elsewhere.URL, "us/shop", "7", "a\r\nb"}, text, "invalid header"},
		"too long":      {Discussion{workflow.GitHub, elsewhere.URL, "us/shop", "7", secret}, text + strings.Repeat("x", maxComment), "longer than"},
		"no marker":     {Discussion{workflow.GitHub, elsewhere.URL, "us/shop", "7", secret}, "Text.", "marker"},
	} {
		err := c.d.Keep(t.Context(), c.text, true)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadDiscussion(t *testing.T) {
	hub := []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request", "GITHUB_API_URL=https://api", "GITHUB_REPOSITORY=us/shop", "GITHUB_REF=refs/pull/7/merge"}
	lab := []string{"GITLAB_CI=true", "CI_API_V4_URL=https://lab/api/v4", "CI_PROJECT_ID=41", "CI_MERGE_REQUEST_IID=7"}
	for name, c := range map[string]struct {
		env  []string
		want *Discussion
	}{
		"GitHub":          {append(hub, workflow.TokenVariable+"=t\n"), &Discussion{workflow.GitHub, "https://api", "us/shop", "7", "t"}},
		"a push":          {append([]string{"GITHUB_EVENT_NAME=push"}, hub...), nil},
		"a closed one":    {append([]string{"GITHUB_REF=refs/heads/plans"}, hub...), nil},
		"a hostile name":  {append([]string{"GITHUB_REPOSITORY=us/shop/../../user"}, hub...), nil},
		"GitLab":          {lab, &Discussion{workflow.GitLab, "https://lab/api/v4", "41", "7", ""}},
		"GitLab's target": {append(lab, "CI_MERGE_REQUEST_PROJECT_ID=42"), &Discussion{workflow.GitLab, "https://lab/api/v4", "42", "7", ""}},
		"GitLab's push":   {lab[:3], nil},
		"elsewhere":       {[]string{"CI=true"}, nil},
	} {
		got := ReadDiscussion(env(c.env...))
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
	}
}
