package ci

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/plan/diag"
)

const (
	// callTime bounds one call, and pageSize what is asked for in one.
	callTime = 30 * time.Second
	pageSize = 100
	// maxAnswer bounds in bytes what is read of an answer.
	maxAnswer = 64 << 20
)

// api speaks to a forge. It follows no redirection: the token is for the one
// address alone.
type api struct {
	discussion *Discussion
	client     *http.Client
	base       string
	// all is the path of the discussion's comments, change the method that gives
	// one another text.
	all, change string
}

func newAPI(d *Discussion) *api {
	a := &api{discussion: d, base: strings.TrimSuffix(d.API, "/"), client: &http.Client{
		Timeout:       callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if d.Forge == workflow.GitLab {
		a.all, a.change = "/projects/"+d.Project+"/merge_requests/"+d.Number+"/notes", http.MethodPut
	} else {
		a.all, a.change = "/repos/"+d.Project+"/issues/"+d.Number+"/comments", http.MethodPatch
	}
	return a
}

// one is the path of a comment.
func (a *api) one(id int64) string {
	if a.discussion.Forge == workflow.GitLab {
		return a.all + "/" + strconv.FormatInt(id, 10)
	}
	return "/repos/" + a.discussion.Project + "/issues/comments/" + strconv.FormatInt(id, 10)
}

// comment is one as GitHub or, with an author, GitLab gives it.
type comment struct {
	ID     int64   `json:"id"`
	Body   string  `json:"body"`
	User   account `json:"user"`
	Author account `json:"author"`
	System bool    `json:"system"` // GitLab wrote it itself
}

type account struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
}

// find looks for our comment, page by page.
func (a *api) find(ctx context.Context, marker string) (*comment, error) {
	me, err := a.me(ctx)
	if err != nil {
		return nil, err
	}
	for page := 1; page <= maxPages; page++ {
		var comments []comment
		path := fmt.Sprintf("%s?per_page=%d&page=%d", a.all, pageSize, page)
		if a.discussion.Forge == workflow.GitLab {
			path += "&order_by=created_at&sort=asc"
		}
		header, err := a.send(ctx, http.MethodGet, path, nil, &comments)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			first, _, _ := strings.Cut(c.Body, "\n")
			if strings.TrimSuffix(first, "\r") == marker && !c.System && a.wrote(me, c) {
				return &c, nil
			}
		}
		if len(comments) < pageSize && !strings.Contains(header.Get("Link"), `rel="next"`) {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("there are more than %d pages of comments", maxPages)
}

// me gives the account that the token belongs to, or 0 for the token of an app
// on GitHub, such as that of a job, which may not ask.
func (a *api) me(ctx context.Context) (int64, error) {
	var me account
	_, err := a.send(ctx, http.MethodGet, "/user", nil, &me)
	var refused *ForgeError
	if a.discussion.Forge == workflow.GitHub && errors.As(err, &refused) && refused.denied() {
		return 0, nil
	}
	if err == nil && me.ID == 0 {
		err = errors.New(a.discussion.Forge.Title() + " does not say who the token belongs to")
	}
	return me.ID, err
}

// wrote reports whether a comment is by the token's owner. What an app that may
// not say its name wrote is at least by no person.
func (a *api) wrote(me int64, c comment) bool {
	switch {
	case a.discussion.Forge == workflow.GitLab:
		return c.Author.ID == me
	case me == 0:
		return c.User.Type == "Bot"
	}
	return c.User.ID == me
}

// call sends a comment's text.
func (a *api) call(ctx context.Context, method, path, text string) error {
	body, err := json.Marshal(map[string]string{"body": text})
	if err == nil {
		_, err = a.send(ctx, method, path, body, nil)
	}
	return err
}

// send makes a call and reads its answer, if that is wanted. No error says what
// the token is, not even one that the forge wrote.
func (a *api) send(ctx context.Context, method, path string, body []byte, into any) (http.Header, error) {
	header, err := a.exchange(ctx, method, path, body, into)
	if err != nil && strings.Contains(err.Error(), a.discussion.Token) {
		err = errors.New(strings.ReplaceAll(err.Error(), a.discussion.Token, "***"))
	}
	return header, err
}

func (a *api) exchange(ctx context.Context, method, path string, body []byte, into any) (http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if host := request.URL; host.Scheme != "https" && host.Scheme != "http" || host.Host == "" {
		return nil, fmt.Errorf("%q is no address of an API", a.base)
	}
	a.sign(request.Header)
	answer, err := a.client.Do(request)
	if err != nil {
		return nil, unwrapURL(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	switch {
	case err != nil:
		return nil, err
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return nil, &ForgeError{a.discussion.Forge, answer.StatusCode, a.reason(data)}
	case into == nil:
		return answer.Header, nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, fmt.Errorf("the answer of %s cannot be read: %w", a.discussion.Forge.Title(), err)
	}
	return answer.Header, nil
}

// sign says who asks, and what for.
func (a *api) sign(h http.Header) {
	h.Set("User-Agent", "git-plan")
	h.Set("Content-Type", "application/json")
	if a.discussion.Forge == workflow.GitLab {
		h.Set("PRIVATE-TOKEN", a.discussion.Token)
		return
	}
	h.Set("Authorization", "Bearer "+a.discussion.Token)
	h.Set("Accept", "application/vnd.github+json")
	h.Set("X-GitHub-Api-Version", "2022-11-28")
}

// unwrapURL leaves out the address that an error begins with.
func unwrapURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// reason is what the forge says of a refusal, in one line that may be printed.
// The token goes here already: a cut must not leave a part of it.
func (a *api) reason(data []byte) string {
	var said struct {
		Message any `json:"message"`
	}
	if json.Unmarshal(data, &said) != nil || said.Message == nil {
		return ""
	}
	text := strings.ReplaceAll(fmt.Sprint(said.Message), a.discussion.Token, "***")
	return fmt.Sprintf(": %.200s", diag.Printable(text))
}
