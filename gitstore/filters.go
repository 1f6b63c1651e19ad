package gitstore

import (
	"slices"
	"strconv"
	"strings"
)

// withoutFilters gives the settings, for the environment, under which git runs
// no filter on files, whatever is configured. The attributes that ask for
// filters come with the branch, from whoever may push to it; plans are text and
// need none.
func withoutFilters(c *Config) []string {
	var env []string
	keys := c.Keys("filter.")
	slices.Sort(keys)
	for _, key := range keys {
		value := ""
		switch key[strings.LastIndexByte(key, '.'):] {
		case ".clean", ".smudge", ".process":
		case ".required":
			value = "false"
		default:
			continue
		}
		n := strconv.Itoa(len(env) / 2)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+value)
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(env)/2))
}
