package ci

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/workflow"
)

// maxComment is how many characters GitHub takes; GitLab takes more.
const maxComment = 65_536

// maxPages bounds how far back our comment is looked for.
const maxPages = 100

// Discussion is where people talk about a proposal: a pull request of GitHub, or
// a merge request of GitLab.
type Discussion struct {
	Forge workflow.Forge
	// API is the address of the forge's API.
	API string
	// Project is what the API calls the project, Number the proposal's.
	Project, Number string
	// Token is a secret. No error has it in its text.
	Token string
}

// ReadDiscussion finds out where the proposal is talked about that this job was
// started for. It is nil for a job that is for no proposal.
func ReadDiscussion(getenv func(string) string) *Discussion {
	d := Discussion{Token: strings.TrimSpace(getenv(workflow.TokenVariable))}
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		m := regexp.MustCompile(`^refs/pull/([0-9]+)/merge$`).FindStringSubmatch(getenv("GITHUB_REF"))
		if m == nil || getenv("GITHUB_EVENT_NAME") != "pull_request" || !regexp.MustCompile(`^[\w.-]+/[\w.-]+$`).MatchString(getenv("GITHUB_REPOSITORY")) {
			return nil
		}
		d.Forge, d.API, d.Project, d.Number = workflow.GitHub, getenv("GITHUB_API_URL"), getenv("GITHUB_REPOSITORY"), m[1]
	case getenv("GITLAB_CI") == "true":
		d.Forge, d.API, d.Number = workflow.GitLab, getenv("CI_API_V4_URL"), getenv("CI_MERGE_REQUEST_IID")
		if d.Project = getenv("CI_MERGE_REQUEST_PROJECT_ID"); d.Project == "" {
			d.Project = getenv("CI_PROJECT_ID")
		}
		number := regexp.MustCompile(`^[0-9]+$`)
		if !number.MatchString(d.Number) || !number.MatchString(d.Project) {
			return nil
		}
	default:
		return nil
	}
	return &d
}

// Range gives the revisions between which a proposal's changes lie. On GitHub
// the head is a merge with what the branch is now, which the event may be older
// than.
func (d *Discussion) Range(e Event) (from, to string) {
	if d.Forge == workflow.GitHub {
		return e.Head + "^1", e.Head
	}
	return e.Base, e.Head
}

// ForgeError is returned when a forge refuses what it was asked for.
type ForgeError struct {
	Forge   workflow.Forge
	Status  int
	Message string
}

func (e *ForgeError) Error() string {
	return fmt.Sprintf("%s answered %d %s%s", e.Forge.Title(), e.Status, http.StatusText(e.Status), e.Message)
}

// denied reports whether the token may not do what was asked for. GitHub and
// GitLab call what one may not see not found.
func (e *ForgeError) denied() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusNotFound
}

// ErrNoToken is returned where a comment is wanted and nothing to write it with
// is there.
var ErrNoToken = errors.New("there is no token to write it with: set " + workflow.TokenVariable)

// Keep sees to it that the discussion has one comment with that text. It is known
// again by the text's first line, a comment of HTML that nobody sees, and by its
// author: what others wrote stays, whatever is in it. Where there is none yet, it
// is written if create is set.
func (d *Discussion) Keep(ctx context.Context, text string, create bool) error {
	marker, _, _ := strings.Cut(text, "\n")
	switch {
	case d.Token == "":
		return ErrNoToken
	case !strings.HasPrefix(marker, "<!--") || !strings.HasSuffix(marker, "-->"):
		return errors.New("the text does not begin with a marker")
	case utf8.RuneCountInString(text) > maxComment:
		return fmt.Errorf("the text is longer than the %d characters that a comment may have", maxComment)
	}
	api := newAPI(d)
	old, err := api.find(ctx, marker)
	switch {
	case err != nil:
		return err
	case old != nil && sameText(old.Body, text):
		return nil
	case old != nil:
		return api.call(ctx, api.change, api.one(old.ID), text)
	case create:
		return api.call(ctx, http.MethodPost, api.all, text)
	}
	return nil
}

// sameText compares a text with what a forge made of it.
func sameText(a, b string) bool {
	return strings.TrimSpace(strings.ReplaceAll(a, "\r\n", "\n")) == strings.TrimSpace(b)
}
