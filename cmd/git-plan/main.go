// Command git-plan is the git subcommand `git plan`: work plans of coding
// agents, kept in git beside the code they change.
package main

import (
	"os"
	"time"
)

func main() {
	dir, _ := os.Getwd() // without one, git says what is wrong
	program, _ := os.Executable()
	os.Exit(Main(Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir, Environ: os.Environ(), Now: time.Now, Program: program,
	}, os.Args[1:]))
}
