package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func question(t *testing.T, script string) Question {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	return Question{Words: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: os.Environ(), Text: "text\n", Timeout: time.Minute, Limit: 100, wait: 200 * time.Millisecond}
}

func TestAskPassesOnWhatIsSaid(t *testing.T) {
	q, said := question(t, `cat; echo oops >&2; exit 7`), &bytes.Buffer{}
	q.Stderr = said
	a, err := q.Ask(t.Context())
	if err != nil || a.End != ByItself || a.Status != 7 || string(a.Text) != "text\n" || string(a.Said) != "oops\n" || said.String() != "oops\n" {
		t.Errorf("%+v, %q, %v", a, said, err)
	}
}

// The limit is exact, and what is over it ends the program.
func TestAskLimit(t *testing.T) {
	if a, err := question(t, `printf %0100d 0`).Ask(t.Context()); err != nil || a.End != ByItself || len(a.Text) != 100 {
		t.Errorf("%+v, %v", a, err)
	}
	for _, script := range []string{`printf %0101d 0`, `printf %0101d 0; sleep 3000`, `trap '' PIPE TERM; while :; do printf %0101d 0; done`} {
		if a, err := question(t, script).Ask(t.Context()); err != nil || a.End != TooLong || len(a.Text) > 100 {
			t.Errorf("%s: %+v, %v", script, a, err)
		}
	}
}

// Something that went into a session of its own and holds the pipe cannot be
// ended, and is not waited for.
func TestAskWithRunaway(t *testing.T) {
	q := question(t, `setsid sleep 3000 & echo answer; exit 0`)
	a, err := q.Ask(t.Context())
	if err != nil || a.End != ByItself || string(a.Text) != "answer\n" {
		t.Errorf("%+v, %v", a, err)
	}
	q = question(t, `setsid sleep 3000 & sleep 3000`)
	q.Timeout = 100 * time.Millisecond
	if a, err := q.Ask(t.Context()); err != nil || a.End != TimedOut {
		t.Errorf("%+v, %v", a, err)
	}
}

// There is no terminal to ask at: who tries fails at once.
func TestAskHasNoTerminal(t *testing.T) {
	a, err := question(t, `: </dev/tty && echo terminal; echo end`).Ask(t.Context())
	if err != nil || strings.Contains(string(a.Text), "terminal") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAskNothing(t *testing.T) {
	q := question(t, "")
	q.Words = []string{"no-such-program"}
	_, err := q.Ask(t.Context())
	var unable *StartError
	if !errors.As(err, &unable) || unable.Status != NotFound {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if a, err := question(t, `sleep 3000`).Ask(ctx); err != nil || a.End != Interrupted {
		t.Errorf("%+v, %v", a, err)
	}
}
