// Command git-plan is the git subcommand `git plan`: work plans of coding
// agents, kept in git beside the code they change.
package main

import (
	"os"
	"runtime/debug"
	"time"
)

// patientGC lets a command's memory grow to three times what it needs before
// rubbish is looked for, where Go's own way is two: most commands end before it
// would be worth it.
const patientGC = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(patientGC)
	}
	dir, _ := os.Getwd() // without one, git says what is wrong
	program, _ := os.Executable()
	os.Exit(Main(Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir, Environ: os.Environ(), Now: time.Now, Program: program,
	}, os.Args[1:]))
}
