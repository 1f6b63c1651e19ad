package llm_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/plan/diag"
)

// shell is a model that is a few lines of shell.
func shell(t *testing.T, script string) llm.Model {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	gittest.Script(t, filepath.Join(dir, "model"), "#!/bin/sh\n"+script+"\n")
	return llm.Model{Command: "./model", Timeout: time.Minute, Dir: dir, Env: os.Environ()}
}

// ask asks and gives the answers that were judged; one is taken if it is JSON.
func ask(t *testing.T, m llm.Model) (answers []string, err error) {
	t.Helper()
	err = m.Ask(t.Context(), "the prompt\n", func(answer string) error {
		answers = append(answers, answer)
		_, _, err := llm.JSON(answer)
		return err
	})
	return answers, err
}

func TestAskGivesPromptAndAnswer(t *testing.T) {
	m := shell(t, `printf '{"said": "%s"}' "$(cat)"`)
	answers, err := ask(t, m)
	if err != nil || len(answers) != 1 || answers[0] != `{"said": "the prompt"}` {
		t.Errorf("%q, %v", answers, err)
	}
}

// Garbage once is mended: the command is told what was wrong, and what it said.
func TestAskTwice(t *testing.T) {
	m := shell(t, `cat > prompt; if grep -q "Why it was refused" prompt; then cp prompt second; echo '{"a": 1}'; else echo 'no idea, ~~~~ sorry'; fi`)
	answers, err := ask(t, m)
	if err != nil || len(answers) != 2 {
		t.Fatalf("%q, %v", answers, err)
	}
	told, err := os.ReadFile(filepath.Join(m.Dir, "second"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the prompt\n", "~~~~~\nno idea, ~~~~ sorry\n~~~~~", "the answer holds no JSON object"} {
		if !strings.Contains(string(told), want) {
			t.Errorf("the second prompt lacks %q:\n%s", want, told)
		}
	}
}

func TestAskGarbage(t *testing.T) {
	m := shell(t, `cat >> prompts; printf 'sorry\033[31m'`)
	answers, err := ask(t, m)
	var failed *llm.Error
	if !errors.As(err, &failed) || len(answers) != 2 || !strings.Contains(failed.Reason, "no JSON object") || !strings.HasSuffix(failed.Reason, "begins: sorry[31m") {
		t.Errorf("%q, %v", answers, err)
	}
}

// Where there is no answer at all, the command may have said why.
func TestAskSilent(t *testing.T) {
	_, err := ask(t, shell(t, `echo "no route to the model" >&2`))
	var failed *llm.Error
	if !errors.As(err, &failed) || !strings.HasSuffix(err.Error(), "begins: nothing; it said:\nno route to the model") {
		t.Error(err)
	}
}

// What a command does wrong ends the question at once, with what it said.
func TestAskFails(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"status":     {`echo "no key" >&2; exit 3`, "failed with status 3: try it by hand; it said:\nno key"},
		"signal":     {`kill -9 $$`, "failed with status 137"},
		"huge":       {`head -c 1048577 /dev/zero; sleep 30000`, "more than 1048576 bytes"},
		"huge, fast": {`head -c 1048577 /dev/zero`, "more than 1048576 bytes"},
		"endless":    {`yes`, "more than 1048576 bytes"},
		"chatty":     {`yes >&2 & sleep 0.1; kill $!; wait; printf '\033]0;x\007\033[1mlast' >&2; exit 1`, "last"},
		"unfound":    {`no-such-program-here`, "was not found (status 127)"},
	} {
		t.Run(name, func(t *testing.T) {
			answers, err := ask(t, shell(t, c.script))
			var failed *llm.Error
			if !errors.As(err, &failed) || len(answers) > 0 || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 8<<10 {
				t.Errorf("%d answers, %v", len(answers), err)
			}
			if diag.PrintableText(err.Error()) != err.Error() {
				t.Errorf("%q cannot be printed as it is", err)
			}
		})
	}
}

// A command that takes too long is ended with all that it started, whether that
// heeds a request or not, and whether or not it holds the pipe open.
func TestAskSlow(t *testing.T) {
	for name, script := range map[string]string{
		"asleep":           `echo $$ > pids; sleep 3000`,
		"deaf":             `echo $$ > pids; trap '' TERM; sleep 3000; sleep 3000`,
		"child holds":      `trap '' TERM; sleep 3000 & echo $! > pids; wait`,
		"reads no prompt":  `echo $$ > pids; exec sleep 3000`,
		"prints meanwhile": `echo $$ > pids; while :; do echo .; sleep 0.2; done`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := shell(t, script)
			m.Timeout = time.Second
			_, err := ask(t, m)
			var failed *llm.Error
			if !errors.As(err, &failed) || !strings.Contains(failed.Reason, "no answer within 1s") {
				t.Errorf("%v", err)
			}
			pid, err := os.ReadFile(filepath.Join(m.Dir, "pids"))
			if err != nil {
				t.Fatal(err)
			}
			ended(t, strings.TrimSpace(string(pid)))
		})
	}
}

// ended waits for a process to be gone.
func ended(t *testing.T, pid string) {
	t.Helper()
	gittest.Until(t, "the end of process "+pid, func() bool {
		state, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		return err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
	})
}

// An answer is taken when the command has ended, also where something that it
// left behind holds the pipe.
func TestAskWithLeftOver(t *testing.T) {
	answers, err := ask(t, shell(t, `echo '{"a": 1}'; sleep 3000 & exit 0`))
	if err != nil || len(answers) != 1 {
		t.Errorf("%q, %v", answers, err)
	}
}

func TestAskReadsNothing(t *testing.T) {
	m := shell(t, `echo '{"a": 1}'`)
	err := m.Ask(t.Context(), strings.Repeat("much ", 1<<20), func(string) error { return nil })
	if err != nil {
		t.Error(err)
	}
}

func TestAskInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	m := shell(t, `echo $$ > pids; sleep 3000`)
	time.AfterFunc(time.Second, stop)
	if err := m.Ask(ctx, "", func(string) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := m.Ask(ctx, "", func(string) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The command sees no repository of a hook, and that it works for git plan; who
// is called by one asks none.
func TestAskEnvironment(t *testing.T) {
	m := shell(t, `printf '{"said": "%s"}' "$GIT_DIR|$GIT_INDEX_FILE|$GIT_PLAN_LLM|$MINE"`)
	m.Env = append(m.Env, "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=/elsewhere/index", "MINE=x")
	if answers, err := ask(t, m); err != nil || answers[0] != `{"said": "||1|x"}` {
		t.Errorf("%q, %v", answers, err)
	}
	m.Env = append(m.Env, llm.Inside+"=1")
	_, err := ask(t, m)
	var failed *llm.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Reason, "asks no model itself") {
		t.Errorf("%v", err)
	}
}

// One plain word is a program, anything else is for a shell, as with an editor.
func TestAskByShell(t *testing.T) {
	for command, want := range map[string]string{
		`./model`: "0:", `./model two "three four"`: "2:three four", `X=1; ./model "$X"`: "1:", `cat >/dev/null; ./model a $(echo b)`: "2:b",
	} {
		m := shell(t, `printf '{"said": "%s"}' "$#:$2"`)
		m.Command = command
		if answers, err := ask(t, m); err != nil || answers[0] != fmt.Sprintf(`{"said": "%s"}`, want) {
			t.Errorf("%s: %q, %v", command, answers, err)
		}
	}
	m := shell(t, "")
	m.Command = "no-such-program-here"
	_, err := ask(t, m)
	var failed *llm.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Reason, "cannot be run") {
		t.Errorf("%v", err)
	}
}

func TestParseTimeout(t *testing.T) {
	for value, want := range map[string]time.Duration{"1": time.Second, "300": 5 * time.Minute, "2m30s": 150 * time.Second, "500ms": time.Second / 2} {
		if got, err := llm.ParseTimeout(value); err != nil || got != want {
			t.Errorf("%s: %s, %v", value, got, err)
		}
	}
	for _, value := range []string{"", "0", "0s", "-1", "-3m", "soon", "1.5", "25h", "100000", "99999999999999999999"} {
		if got, err := llm.ParseTimeout(value); err == nil || !strings.Contains(err.Error(), "plan.llm.timeout") {
			t.Errorf("%s: %s, %v", value, got, err)
		}
	}
}
