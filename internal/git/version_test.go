package git

import "testing"

func TestVersion(t *testing.T) {
	t.Parallel()
	for said, since := range map[string]bool{
		"git version 2.34.8":                 false,
		"git version 2.35.1.windows.2":       false,
		"git version 2.36.0-rc1":             true,
		"git version 2.39.5 (Apple Git-154)": true,
		"git version 2.55.GIT":               true,
		"git version 2.100.0":                true,
		"git version 3.0.0":                  true,
		"git version 1.99.5":                 false,
	} {
		v, err := parseVersion(said)
		if err != nil || v.AtLeast(2, 36) != since || "git version "+v.Text != said {
			t.Errorf("%q is read as %+v, %v; since 2.36: %v", said, v, err, v.AtLeast(2, 36))
		}
	}
	for _, said := range []string{"", "hub", "git version"} {
		if v, err := parseVersion(said); err == nil {
			t.Errorf("%q is read as %+v", said, v)
		}
	}
}
