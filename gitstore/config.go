package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Config is git's configuration as one command saw it, includes and all scopes
// taken together.
type Config struct {
	settings map[string][]setting
}

// setting is one occurrence of a key.
type setting struct {
	value string
	bare  bool // written without "=", which means true to a boolean
	local bool // of the repository or a worktree
}

// Config gives git's configuration. Git is asked on the first call only. It is safe
// for concurrent use.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	r.configuring.Lock()
	defer r.configuring.Unlock()
	if r.config == nil && r.configErr == nil {
		out, err := r.Git.Read(ctx, "config", "-z", "--list", "--show-scope")
		if err != nil {
			err = fmt.Errorf("read git's configuration: %w", err)
			if ctx.Err() == nil { // else the next who asks may wait longer
				r.configErr = err
			}
			return nil, err
		}
		r.config = parseConfig(string(out))
	}
	return r.config, r.configErr
}

// parseConfig reads settings of "scope NUL key LF value NUL".
func parseConfig(list string) *Config {
	c := &Config{settings: map[string][]setting{}}
	for pair := range slices.Chunk(strings.Split(strings.TrimSuffix(list, "\x00"), "\x00"), 2) {
		if len(pair) < 2 {
			break
		}
		key, value, valued := strings.Cut(pair[1], "\n")
		key = foldKey(key)
		c.settings[key] = append(c.settings[key], setting{value: value, bare: !valued, local: pair[0] == "local" || pair[0] == "worktree"})
	}
	return c
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
	all := c.settings[foldKey(key)]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1].value, true
}

// All gives every value of a key, the deciding one last.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.settings[foldKey(key)] {
		values = append(values, s.value)
	}
	return values
}

// Keys gives the folded keys that begin with prefix, in no order.
func (c *Config) Keys(prefix string) []string {
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
	all := c.settings[foldKey(key)]
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
