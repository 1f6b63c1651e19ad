package ci

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/plan/diag"
)

// remark brings the comment on the proposal up to date, if one is wanted. That
// judges nothing, so the job goes on where it fails: a notice says why, and the
// text for the comment becomes a part of the summary, which is returned.
func (j Job) remark(stdout, stderr io.Writer) (summary string) {
	if j.Comment == nil {
		return ""
	}
	text, differs, err := j.Diff()
	if err != nil {
		j.notice(stdout, stderr, "how the plans differ cannot be told: "+err.Error())
		return ""
	}
	err = j.Comment(text, differs)
	if err == nil {
		return ""
	}
	where := ": run `git plan diff`"
	if j.Summary != "" {
		where = " is in the job's summary"
		summary = "\n" + text
	}
	j.notice(stdout, stderr, fmt.Sprintf("the comment on the proposal is left as it is: %v%s; how the plans differ%s", err, remedy(err), where))
	return summary
}

// remedy says why a forge may have refused a comment.
func remedy(err error) string {
	var refused *ForgeError
	switch {
	case !errors.As(err, &refused) || !refused.denied():
		return ""
	case refused.Forge == workflow.GitLab:
		return "; the token needs the scope api and the role Reporter"
	}
	return "; the job needs `pull-requests: write`, which none has that is for a fork"
}

// notice tells something that is no fault of the plans.
func (j Job) notice(stdout, stderr io.Writer, text string) {
	text = diag.Printable(text)
	if j.Format != "github" {
		fmt.Fprintln(stderr, "note: "+text)
		return
	}
	fmt.Fprintf(stdout, "::notice title=git plan::%s\n", strings.ReplaceAll(text, "%", "%25")) // there is no line end in it
}
