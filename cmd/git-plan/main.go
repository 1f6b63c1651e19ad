// Command git-plan is the git subcommand `git plan`: work plans of coding
// agents, kept in git beside the code they change.
package main

import (
	"os"
	"runtime/debug"
	"syscall"
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
	program, _ := os.Executable()
	os.Exit(Main(Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: currentFolder(), Environ: os.Environ(), Now: time.Now, Program: program,
	}, os.Args[1:]))
}

// currentFolder gives the current folder by the name that the system and git have
// for it. A shell that came here through a link has another, by which ".." would
// lead elsewhere and no folder of a thread be known again.
func currentFolder() string {
	dir, _ := syscall.Getwd() // without one, git says what is wrong
	return dir
}
