package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// WithEnv returns a Git whose environment also has the given "KEY=value"
// settings; they win over earlier ones.
func (g Git) WithEnv(kv ...string) Git {
	g.Env = slices.Concat(g.environ(), kv)
	return g
}

// In returns a Git that runs in dir and in the same repository environment: a
// GIT_DIR that is set still decides. For another repository use [Git.Elsewhere].
func (g Git) In(dir string) Git {
	g.Dir = dir
	return g
}

// Unattended returns a Git that asks nobody anything: what it would ask for is an
// error. It has no terminal, and what it starts ends with it.
func (g Git) Unattended() Git {
	ssh, set := g.LookupEnv("GIT_SSH_COMMAND")
	_, program := g.LookupEnv("GIT_SSH")
	g = g.WithEnv("GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	switch command, _, _ := strings.Cut(ssh, " "); {
	case set && filepath.Base(command) == "ssh":
		g = g.WithEnv("GIT_SSH_COMMAND=" + ssh + " -o BatchMode=yes")
	case !set && !program && !g.hasSetting("core.sshCommand"):
		g = g.WithEnv("GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	g.apart = true
	return g
}

// AtTerminal reports whether git can ask a person at a terminal.
func (g Git) AtTerminal() bool { return !g.apart && g.Attended != nil && g.Attended() }

// Network returns a Git for what talks to another machine. Unless a person is at a
// terminal it has none to ask for a password at, which nobody would answer; an askpass
// program and helpers for credentials work as ever.
func (g Git) Network() Git {
	if !g.AtTerminal() {
		g = g.WithEnv("GIT_TERMINAL_PROMPT=0")
		g.apart = true
	}
	return g
}

// hasSetting reports whether git's configuration has a key.
func (g Git) hasSetting(key string) bool {
	_, err := g.Read(context.Background(), "config", "--get", key)
	return err == nil
}

// Elsewhere returns a Git that runs in dir and finds the repository there: each
// variable that ties git to the present repository, as hooks have them, is
// dropped.
func (g Git) Elsewhere(dir string) Git {
	g.Env = Untied(g.environ())
	g.Dir = dir
	return g
}

// Untied gives an environment without the variables that tie git to one
// repository.
func Untied(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return isLocal(key)
	})
}

// Getenv gives the last setting of a variable in the environment git runs with.
func (g Git) Getenv(key string) string {
	value, _ := g.LookupEnv(key)
	return value
}

// LookupEnv is Getenv that tells an empty variable from one that is not set.
func (g Git) LookupEnv(key string) (value string, set bool) {
	if g.Env == nil {
		return os.LookupEnv(key)
	}
	for _, kv := range slices.Backward(g.Env) {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Variables gives the names, sorted and each once, of the variables that begin
// with prefix in the environment git runs with.
func (g Git) Variables(prefix string) []string {
	var names []string
	for _, kv := range g.environ() {
		if name, _, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isLocal reports whether a variable belongs to one repository: the list of
// "git rev-parse --local-env-vars" over all supported versions.
func isLocal(key string) bool {
	switch key {
	case "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY",
		"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
		"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE",
		"GIT_INDEX_FILE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX",
		"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
		"GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE":
		return true
	}
	return false
}

// environ gives the environment as a list that may not be written to.
func (g Git) environ() []string {
	if g.Env != nil {
		return g.Env
	}
	return os.Environ()
}

// reading is g with the settings of a command that only looks.
func (g Git) reading() Git { return g.WithEnv("GIT_OPTIONAL_LOCKS=0").writing() }

// writing is g with the settings of a command that changes something.
// Pathspecs mean what the code says, whatever the user set for their own.
func (g Git) writing() Git {
	return g.WithEnv("LC_ALL=C", "GIT_LITERAL_PATHSPECS=0", "GIT_GLOB_PATHSPECS=0", "GIT_NOGLOB_PATHSPECS=0", "GIT_ICASE_PATHSPECS=0")
}

// program finds git on the PATH that git itself will see. os/exec would look on
// the PATH of this process, which may name another git.
func (g Git) program() string {
	if g.Env == nil || runtime.GOOS == "windows" {
		return "git"
	}
	for _, dir := range filepath.SplitList(g.Getenv("PATH")) {
		if !filepath.IsAbs(dir) { // never run what lies in the project
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return path
		}
	}
	return "git"
}
