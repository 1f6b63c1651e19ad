package gitstore

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// Config is git's configuration as one command saw it, includes and all scopes
// taken together: the settings that git plan has a use for. Asking for another
// one is a mistake in the program and panics, since "not set" would be no
// answer. Of some only that they are there is kept, not their values: see
// [isSecret].
type Config struct {
	settings map[string][]setting
}

// isKept reports whether a setting is kept, or those that begin with a prefix.
// What is not asked for, such as the tokens that lie below http and credential,
// stays out of a memory that is written to a file: see [Repo.remember].
func isKept(key string) bool {
	section, name, _ := strings.Cut(key, ".")
	switch section {
	case "color", "extensions", "filter", "hook", "plan", "remote":
		return true
	case "author", "committer", "user":
		return name == "name" || name == "email"
	case "branch":
		return strings.HasSuffix(name, ".remote")
	}
	switch key {
	case "commit.gpgsign", "core.filemode", "core.hookspath", "core.ignorecase", "core.worktree", "diff.plan.textconv",
		"gc.auto", "maintenance.auto", "merge.plan.driver", "merge.plan.name", "pager.plan":
		return true
	}
	return false
}

// isSecret reports whether the value of a setting may hold a password or a key
// and is not asked for: the address of a remote, or a command of others.
func isSecret(key string) bool {
	return strings.HasPrefix(key, "remote.") || strings.HasPrefix(key, "filter.") ||
		strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".command") && !strings.HasPrefix(key, "hook.git-plan-")
}

// mayTell reports whether a value that is asked for may hold a secret all the
// same: an address with a password, or a key that is given to the command of a
// model.
func (c *Config) mayTell() bool {
	for key, all := range c.settings {
		for _, s := range all {
			if strings.Contains(s.value, "://") && strings.Contains(s.value, "@") {
				return true
			}
			if key == "plan.llm.command" && slices.ContainsFunc([]string{"=", "key", "token", "secret", "pass", "auth"}, func(word string) bool {
				return strings.Contains(strings.ToLower(s.value), word)
			}) {
				return true
			}
		}
	}
	return false
}

// setting is one occurrence of a key.
type setting struct {
	value string
	bare  bool // written without "=", which means true to a boolean
}

// Config gives git's configuration. Git is asked on the first call only, if at
// all: see [Discover]. It is safe for concurrent use.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	c, err := r.configBy(ctx, r.Git)
	if err == nil {
		r.rememberOnce.Do(r.remember)
	}
	return c, err
}

// configBy is Config for one who must not look at r.Git: its owner may be
// setting it just now.
func (r *Repo) configBy(ctx context.Context, g git.Git) (*Config, error) {
	r.configOnce.Do(func() {
		out, err := g.Read(ctx, "config", "-z", "--list", "--show-origin")
		if err != nil {
			r.configErr = fmt.Errorf("read git's configuration: %w", err)
			return
		}
		r.config, r.listed = parseConfig(string(out)), string(out)
	})
	return r.config, r.configErr
}

// parseConfig reads pairs of "origin NUL key LF value NUL".
func parseConfig(list string) *Config {
	c := &Config{settings: map[string][]setting{}}
	for _, text := range eachSetting(list) {
		key, value, valued := strings.Cut(text, "\n")
		if key = foldKey(key); !isKept(key) {
			continue
		}
		if isSecret(key) {
			value = ""
		}
		c.settings[key] = append(c.settings[key], setting{value, !valued})
	}
	return c
}

// configOrigins gives where the settings of a list come from, each origin once,
// and whether that is all that decides about them: where files are included,
// what decides may be a file that is not there.
func configOrigins(list string) (origins []string, all bool) {
	for origin, text := range eachSetting(list) {
		if key := strings.ToLower(text); strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.") {
			return nil, false
		}
		if !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins, true
}

// eachSetting goes through a list of settings: their origins, and "key LF
// value".
func eachSetting(list string) iter.Seq2[string, string] {
	return func(yield func(origin, text string) bool) {
		fields := strings.Split(list, "\x00")
		for i := 0; i+1 < len(fields); i += 2 {
			if !yield(fields[i], fields[i+1]) {
				return
			}
		}
	}
}

// occurrences gives what was set for a key, the deciding one last.
func (c *Config) occurrences(key string) []setting {
	key = foldKey(key)
	if !isKept(key) {
		panic("gitstore: settings such as " + key + " are not kept")
	}
	return c.settings[key]
}

// foldKey lowers section and name and keeps the subsection, as git does.
func foldKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Get gives the last value of a key and whether it is set at all.
func (c *Config) Get(key string) (string, bool) {
	all := c.occurrences(key)
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1].value, true
}

// All gives every value of a key, the deciding one last.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.occurrences(key) {
		values = append(values, s.value)
	}
	return values
}

// Keys gives the folded keys that begin with prefix, in no order.
func (c *Config) Keys(prefix string) []string {
	c.occurrences(prefix) // says if it cannot tell
	var keys []string
	for key := range c.settings {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Bool gives a key's value as git reads a boolean, or def if it is not set.
func (c *Config) Bool(key string, def bool) (bool, error) {
	all := c.occurrences(key)
	if len(all) == 0 {
		return def, nil
	}
	last := all[len(all)-1]
	if last.bare {
		return true, nil
	}
	value, ok := parseBool(last.value)
	if !ok {
		return def, fmt.Errorf("bad boolean config value '%s' for '%s'; set it to true or false", last.value, key)
	}
	return value, nil
}

// parseBool reads a boolean by git's rules: words in any case, or a number.
func parseBool(value string) (yes, ok bool) {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	digits := value
	if n := len(value) - 1; strings.ContainsRune("kKmMgG", rune(value[n])) {
		digits = value[:n]
	}
	number, err := strconv.ParseInt(strings.TrimSpace(digits), 0, 64)
	return number != 0, err == nil
}
