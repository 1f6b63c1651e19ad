package store

import "context"

// drivers are git's settings for what .gitattributes on the branch names.
func drivers() [][2]string {
	return [][2]string{
		{"merge.plan.name", "git plan, field by field"},
		{"merge.plan.driver", "git plan merge-driver %O %A %B %P"},
		{"diff.plan.textconv", "git plan textconv"},
	}
}

// SetDrivers lets native git merge and compare plan files as git plan does. A
// setting that somebody made, in whatever scope, stays. It reports whether it
// set any.
func (r *Repo) SetDrivers(ctx context.Context) (set bool, err error) {
	for _, d := range drivers() {
		key, value := d[0], d[1]
		if _, ok := r.Config.Get(key); ok {
			continue
		}
		if _, err := r.Git.Write(ctx, nil, "config", "--local", key, value); err != nil {
			if now, _ := r.Git.ReadLine(ctx, "config", "--get", key); now != value { // else another process was first
				return set, err
			}
		}
		set = true
	}
	return set, nil
}
