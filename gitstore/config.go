package gitstore

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/git"
)

// Config is git's configuration as one command saw it, includes and all scopes
// taken together.
type Config struct {
	settings map[string][]setting
	// whole asks git for what a memory does not hold; nil where nothing is
	// missing.
	whole func() *Config
}

// setting is one occurrence of a key.
type setting struct {
	value    string
	bare     bool // written without "=", which means true to a boolean
	withheld bool // it has a value, which is not in the memory
}

// isKept reports whether a memory holds a setting, or those that begin with a
// prefix: what commands ask for all the time. All else, such as the tokens that
// lie below http and credential, stays out of the file: see [Repo.remember].
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
	case "commit.gpgsign", "core.filemode", "core.hookspath", "core.ignorecase", "core.logallrefupdates", "core.worktree",
		"diff.plan.textconv", "gc.auto", "maintenance.auto", "merge.plan.driver", "merge.plan.name", "pager.plan":
		return true
	}
	return false
}

// isSecret reports whether a value may hold a password or a key: an address, the
// command of a model, or that of somebody else's filter or hook. A memory holds
// only that it is set.
func isSecret(key, value string) bool {
	return strings.Contains(value, "://") || strings.HasPrefix(key, "remote.") || strings.HasPrefix(key, "filter.") || strings.HasPrefix(key, "plan.llm.") ||
		strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".command") && !strings.HasPrefix(key, "hook.git-plan-")
}

// Config gives git's configuration. Git is asked on the first call only, if at
// all: see [Discover]. It is safe for concurrent use.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	c, err := r.configBy(ctx, r.Git)
	if err == nil {
		r.rememberOnce.Do(func() { r.remember(ctx) })
	}
	return c, err
}

// configBy is Config for one who must not look at r.Git: its owner may be
// setting it just now.
func (r *Repo) configBy(ctx context.Context, g git.Git) (*Config, error) {
	r.configuring.Lock()
	defer r.configuring.Unlock()
	if r.config == nil && r.configErr == nil {
		out, err := listConfig(ctx, g)
		if err != nil {
			err = fmt.Errorf("read git's configuration: %w", err)
			if ctx.Err() == nil { // else the next who asks may wait longer
				r.configErr = err
			}
			return nil, err
		}
		r.config, r.listed = parseConfig(string(out)), string(out)
	}
	return r.config, r.configErr
}

func listConfig(ctx context.Context, g git.Git) ([]byte, error) {
	return g.Read(ctx, "config", "-z", "--list", "--show-origin")
}

// recalled is a configuration from memory, which asks git for the rest when
// somebody wants it. Git answered a moment ago by the same files: should it not
// now, what is missing counts as not set.
func recalled(settings map[string][]setting, g git.Git) *Config {
	return &Config{settings, sync.OnceValue(func() *Config {
		out, err := listConfig(context.Background(), g)
		if err != nil {
			return &Config{settings: settings}
		}
		return parseConfig(string(out))
	})}
}

// parseConfig reads pairs of "origin NUL key LF value NUL".
func parseConfig(list string) *Config {
	c := &Config{settings: map[string][]setting{}}
	for _, text := range eachSetting(list) {
		key, value, valued := strings.Cut(text, "\n")
		key = foldKey(key)
		c.settings[key] = append(c.settings[key], setting{value: value, bare: !valued})
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
	all := c.settings[key]
	if c.whole != nil && (!isKept(key) || slices.ContainsFunc(all, func(s setting) bool { return s.withheld })) {
		return c.whole().settings[key]
	}
	return all
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
	if c.whole != nil && !isKept(prefix) {
		c = c.whole()
	}
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

// isPartial reports whether a remote has promised objects that are not here.
func (c *Config) isPartial() bool {
	if _, partial := c.Get("extensions.partialClone"); partial {
		return true
	}
	return slices.ContainsFunc(c.Keys("remote."), func(key string) bool { return strings.HasSuffix(key, ".promisor") })
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
