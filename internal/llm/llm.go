// Package llm asks a model: through a command of the user's own, which reads a
// prompt and prints an answer.
//
// [Model.Ask] is the entry; [JSON] and [Decode] are for who takes the answer.
// Nothing in an answer is ever run or followed, and no answer can make a command
// hang: it gets a limited time, and its output is read up to a limit.
package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/run"
)

// DefaultTimeout is how long a command may take to answer where nothing else
// is configured.
const DefaultTimeout = 120 * time.Second

// MaxAnswer is how many bytes an answer may have.
const MaxAnswer = 1 << 20

// Inside is the environment variable that tells a command that it answers for
// git plan, and git plan that it was called by such a command.
const Inside = "GIT_PLAN_LLM"

// Model is a command that answers prompts.
type Model struct {
	// Command is run as git runs an editor: by a shell if it holds anything that
	// a shell would look at, directly if it is one plain word.
	Command string
	// Timeout bounds each question; 0 is [DefaultTimeout].
	Timeout time.Duration
	// Dir is where the command runs: the top folder of the user's working tree.
	Dir string
	// Env is the environment of this process, as "KEY=value".
	Env []string
	// Stderr, if set, gets what the command says there as it comes.
	Stderr io.Writer
}

// Error says that the model gave no answer that could be used. The exit status
// of the program is then that of a fatal error.
type Error struct {
	// Reason is what was wrong, with what to do about it.
	Reason string
	// Said is the end of what the command printed on standard error, as plain
	// text; it may be empty.
	Said string
}

func (e *Error) Error() string {
	if e.Said == "" {
		return e.Reason
	}
	return e.Reason + "; it said:\n" + e.Said
}

// Ask sends the prompt and gives the answer to accept. If accept refuses it, the
// command is asked once more, with the refusal and its answer after the prompt;
// what is refused again is an *[Error], as is a command that fails, says too much
// or takes too long. A question that was interrupted gives [context.Canceled].
func (m Model) Ask(ctx context.Context, question string, accept func(answer string) error) error {
	answer, _, err := m.once(ctx, question)
	if err != nil {
		return err
	}
	refused := accept(answer)
	if refused == nil {
		return nil
	}
	answer, said, err := m.once(ctx, again(question, answer, refused))
	if err != nil {
		return err
	}
	if refused = accept(answer); refused == nil {
		return nil
	}
	failed := &Error{Reason: fmt.Sprintf("the model's answer cannot be used, nor could its first: %s; what it answered begins: %s", refused, begin(answer))}
	if strings.TrimSpace(answer) == "" { // a pipe, say, of which only the end tells how it ended
		failed.Said = said
	}
	return failed
}

// once asks one time, and gives the answer and what was said beside it.
func (m Model) once(ctx context.Context, question string) (text, said string, err error) {
	if m.isInside() {
		return "", "", &Error{Reason: Inside + " is set: this git plan was called by a model's command, and asks no model itself; let the command work without it"}
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	answer, err := run.Question{
		Words: words(m.Command), Dir: m.Dir, Env: m.environ(), Text: strings.TrimRight(question, "\n") + "\n", Stderr: m.Stderr, Timeout: m.timeout(), Limit: MaxAnswer,
	}.Ask(ctx)
	var unable *run.StartError
	switch {
	case errors.As(err, &unable):
		return "", "", &Error{Reason: fmt.Sprintf("the model's command cannot be run: %s: set another with `git config plan.llm.command`", unable.Unwrap())}
	case err != nil:
		return "", "", err
	case answer.End == run.Interrupted:
		return "", "", context.Canceled
	}
	said = run.Tail(answer.Said)
	if why := m.wrong(answer); why != "" {
		return "", "", &Error{Reason: why, Said: said}
	}
	return string(answer.Text), said, nil
}

// wrong says why there is no answer, "" if there is one.
func (m Model) wrong(answer run.Answer) string {
	switch {
	case answer.End == run.TimedOut:
		return fmt.Sprintf("the model's command gave no answer within %s: give it more time with `git config plan.llm.timeout`", m.timeout())
	case answer.End == run.TooLong:
		return fmt.Sprintf("the model's command printed more than %d bytes: let it print the answer alone", MaxAnswer)
	case answer.Status == run.NotFound:
		return fmt.Sprintf("the model's command was not found (status %d): look at `git config plan.llm.command`", answer.Status)
	case answer.Status != 0:
		return fmt.Sprintf("the model's command failed with status %d: try it by hand", answer.Status)
	}
	return ""
}

func (m Model) timeout() time.Duration {
	if m.Timeout > 0 {
		return m.Timeout
	}
	return DefaultTimeout
}

// isInside reports whether this process was itself started by a model's command.
func (m Model) isInside() bool {
	return slices.ContainsFunc(m.Env, func(kv string) bool {
		value, ok := strings.CutPrefix(kv, Inside+"=")
		return ok && value != ""
	})
}

// environ is what the command sees: no variable that ties git to a repository,
// since the command may run git itself, as agents do, and a hook's index is no
// business of theirs.
func (m Model) environ() []string { return append(git.Untied(m.Env), Inside+"=1") }

// words gives the command as git runs an editor.
func words(command string) []string {
	if strings.ContainsAny(command, "|&;<>()$`\\\"' \t\n*?[#~=%") {
		return []string{"sh", "-c", command}
	}
	return []string{command}
}

// again is the prompt of the second try. The answer is the model's, and so it
// is material like any other.
func again(question, answer string, refused error) string {
	const most = 16 << 10
	return question + prompt.Parts(
		prompt.Part{Title: "Your last answer, which was refused", Text: clean(answer, most)},
		prompt.Part{Title: "Why it was refused", Text: clean(refused.Error(), most)},
	) + "\n\nAnswer again, from the beginning, and mend that. Give the whole object: nothing of the last answer was kept.\n"
}

// ParseTimeout reads plan.llm.timeout: seconds, or a duration such as 2m30s.
func ParseTimeout(value string) (time.Duration, error) {
	const most = 24 * time.Hour
	d, err := time.ParseDuration(value)
	if seconds, notNumber := strconv.ParseUint(value, 10, 31); notNumber == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil || d <= 0 || d > most {
		return 0, fmt.Errorf("bad value %q of plan.llm.timeout: set it to seconds, such as 300, or to a duration, such as 5m, of at most a day", value)
	}
	return d, nil
}
