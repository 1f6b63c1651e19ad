package web

import (
	"net/url"
	"testing"
)

// resolve gives where a link of a page leads.
func resolve(t *testing.T, page, link string) string {
	t.Helper()
	base, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	to, err := base.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return to.String()
}
