package hooks

import (
	"fmt"
	"io"
	"strings"
)

const (
	// probeVariable holds a word that a hook under test gives back.
	probeVariable = "GIT_PLAN_HOOK_PROBE"
	// probeArgument is what a shim must get as its only argument for the
	// variable to count. Git itself never gives it.
	probeArgument = "git-plan-probe"
)

// Probe answers the self-test of [Installer.Status]. A hook calls it first, and
// where it answered there is nothing to judge: the hook ends with status 0.
//
// The answer goes to standard output, which git hands on. A probe can switch
// no gate off. A shim clears the variable unless git was told to run the hook
// with an argument of its own, which no pusher can bring about. And where the
// hook judges what came from elsewhere, in a quarantine or by ssh or http,
// there is no answer even if the server lets clients set variables.
func Probe(event Event, getenv func(string) string, stdout io.Writer) (answered bool, err error) {
	word := getenv(probeVariable)
	if word == "" || strings.Trim(word, "0123456789abcdef") != "" {
		return false, nil
	}
	for _, name := range remoteVariables() {
		if getenv(name) != "" {
			return false, nil
		}
	}
	_, err = fmt.Fprintln(stdout, probeAnswer(word, event))
	return true, err
}

// probeAnswer is the line by which a hook tells that it ran.
func probeAnswer(word string, event Event) string {
	return fmt.Sprintf("%s %s %s", probeArgument, word, event)
}

// remoteVariables are set where git serves somebody else: by receive-pack for
// the quarantine, by sshd, by a web server, by git daemon. A client can set
// none of them to nothing.
func remoteVariables() []string {
	return []string{
		"GIT_QUARANTINE_PATH", "SSH_CONNECTION", "SSH_CLIENT", "SSH_ORIGINAL_COMMAND",
		"GATEWAY_INTERFACE", "REMOTE_ADDR", "REMOTE_USER",
	}
}
