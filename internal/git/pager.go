package git

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// PagerCommand gives the command that git shows long output with, by the rules
// of `git var GIT_PAGER`, or "" for none.
func (g Git) PagerCommand(ctx context.Context) (string, error) {
	command, err := g.ReadLine(ctx, "var", "GIT_PAGER")
	if command == "cat" {
		return "", err
	}
	return command, err
}

// Pager is a program that shows a person what is written to it, screen by
// screen. Close it when all is written: it runs until the person has read enough.
type Pager struct {
	io.Writer
	in  io.Closer
	cmd *exec.Cmd
}

// StartPager starts a pager that writes to a terminal. A command is one for a
// shell, as everywhere in git's configuration; one that is a single word is
// started without.
func (g Git) StartPager(command string, terminal *os.File) (*Pager, error) {
	words := []string{command}
	if strings.ContainsAny(command, "|&;<>()$`\\\"' \t\n*?[#~=%") { // as git has it
		words = []string{"sh", "-c", command}
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = g.Dir, g.environ()
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // those of git
		if _, set := g.LookupEnv(name); !set {
			cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], name+"="+value)
		}
	}
	cmd.Stdout, cmd.Stderr = terminal, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("run the pager %q: %w", command, err)
	}
	return &Pager{Writer: in, in: in, cmd: cmd}, nil
}

// Close ends what is written and waits until the pager ends.
func (p *Pager) Close() {
	_ = p.in.Close()
	_ = p.cmd.Wait() // how it ends is between it and the reader
}
