package rawko

import (
	"strconv"
	"strings"
)

// versioned gives the id under which rawko knows a version of a plan.
func versioned(id string, version int) string {
	if version < 2 {
		return id
	}
	return id + "-v" + strconv.Itoa(version)
}

// BaseID gives the id of the plan whatever its version: "x" for "x-v3" that
// names "x-v2" or "x" as the plan before it, and also for "x-v2-v3", where each
// replan put its number behind the last. Without a plan before it, an id is
// what it looks like.
func (p *Plan) BaseID() string {
	if p.Version < 2 || p.PreviousPlanID == nil {
		return p.ID
	}
	rest, ok := strings.CutSuffix(p.ID, suffix(p.Version))
	before := *p.PreviousPlanID
	switch {
	case !ok || rest == "":
		return p.ID
	case before == versioned(rest, p.Version-1):
		return rest
	case before != rest:
		if base, n, ok := cutVersion(before); ok && base == rest && n < p.Version {
			return rest
		}
		return p.ID
	}
	for n := p.Version - 1; n > 1; n-- {
		if rest, ok = strings.CutSuffix(rest, suffix(n)); !ok || rest == "" {
			return before // the ids were not chained: this is the plan's own
		}
	}
	return rest
}

func suffix(version int) string { return "-v" + strconv.Itoa(version) }

// cutVersion splits an id such as "x-v2".
func cutVersion(id string) (base string, version int, ok bool) {
	i := strings.LastIndex(id, "-v")
	if i < 1 {
		return id, 0, false
	}
	n, err := strconv.Atoi(id[i+2:])
	return id[:i], n, err == nil && suffix(n) == id[i:]
}
