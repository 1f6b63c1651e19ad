package validate

import "testing"

// Titles that real plans have. That none of the good ones is held against its
// author matters more than that each bad one is caught.
func TestVagueTitles(t *testing.T) {
	for title, want := range map[string]bool{
		"Improve the API performance":        true,
		"Improve performance":                true,
		"Optimize performance of the app":    true,
		"Enhance user experience":            true,
		"Clean up the code":                  true,
		"Refactor code":                      true,
		"Refactor the codebase":              true,
		"Fix bugs":                           true,
		"Fix various issues":                 true,
		"Fix issues with the login":          true,
		"Improve code quality":               true,
		"Update the system":                  true,
		"Polish the UI":                      true,
		"Handle everything":                  true,
		"Work on performance":                true,
		"Improve the overall structure":      true,
		"Improve reliability of the service": true,

		"Optimize `GET /users` to answer in under 100 ms":     false,
		"Improve query performance to 50 ms at the median":    false,
		"Fix a crash in the app":                              false,
		"Fix double submit in the checkout UI":                false,
		"Fix the race between flush and close":                false,
		"Fix issue #412":                                      false,
		"Update application config for staging":               false,
		"Update the system prompt":                            false,
		"Refactor app router to load pages on demand":         false,
		"Handle code expiry when signing in":                  false,
		"Handle errors from the payment provider":             false,
		"Update code owners":                                  false,
		"Refactor `parser.go` into a scanner and a reader":    false,
		"Clean up internal/auth after the move":               false,
		"Update dependencies":                                 false,
		"Add performance benchmarks":                          false,
		"Measure performance of the importer":                 false,
		"Write a system test of the login":                    false,
		"Create the users table":                              false,
		"Document the architecture":                           false,
		"Report problems with exit status 1":                  false,
		"Collect quality metrics nightly":                     false,
		"Fix the experience bar overflowing at level 99":      false,
		"Update UI snapshot tests":                            false,
		"Address review comments":                             false,
		"Better":                                              false,
		"":                                                    false,
		"Проверить систему":                                   false,
		"Rework the retry loop so that it backs off":          false,
		"Revise structure tags when a folder is renamed":      false,
		"Enhance the issues endpoint by a filter":             false,
		"Improve problems page loading by caching the counts": false,
	} {
		if got := vague(title); got != want {
			t.Errorf("vague(%q) = %v", title, got)
		}
	}
}

func TestCompoundTitles(t *testing.T) {
	for title, want := range map[string]bool{
		"Implement user login and create database tables":       true,
		"Create the schema and write the migration":             true,
		"Add the index and update the docs":                     true,
		"Refactor the parser, remove dead code":                 true,
		"Download the archive, then verify its checksum":        true,
		"Fix the race and then add a regression test":           true,
		"Add the endpoint; document it in the manual":           true,
		"Remove the old flag and rename the new one":            true,
		"Set up linting and fix all findings":                   true,
		"Parse the header and validate the signature":           true,
		"Upgrade the driver and run `make check`":               true,
		"Move files below internal and adjust the import paths": true,

		"Add create and delete endpoints":                  false,
		"Add import and export commands":                   false,
		"Implement start and stop":                         false,
		"Parse and validate the configuration":             false,
		"Read and write the cache":                         false,
		"Validate, parse and store the config":             false,
		"Add login and register pages":                     false,
		"Add login page and test coverage":                 false,
		"Add docs and test fixtures":                       false,
		"Set up linting and release pipeline":              false,
		"Add config and build files":                       false,
		"Add header and list view":                         false,
		"Add product page and search box":                  false,
		"Add cart and order models":                        false,
		"Add edit form and delete button":                  false,
		"Add list view and create form":                    false,
		"Define read, write and delete permissions":        false,
		"Support copy and paste":                           false,
		"Create users, orders and products tables":         false,
		"Show name, date and link of each item":            false,
		"Add rate limits and log output":                   false,
		"Document how to build and run the server":         false,
		"Support Linux and macOS":                          false,
		"Add search, filter and sort options":              false,
		"Handle load and save errors":                      false,
		"Test insert and update of nested rows":            false,
		"Add `start` and `stop`":                           false,
		"Compare before and after screenshots":             false,
		"Track and report slow queries":                    false,
		"User and order tables":                            false,
		"Add retry with backoff and jitter":                false,
		"Return an error and no partial result":            false,
		"Add and remove members":                           false,
		"Make build, test and release scripts":             false,
		"Wire the service into the handler and its tests":  false,
		"Store addresses and orders of a customer":         false,
		"Drop support for Python 2 and 3.7":                false,
		"Search and replace placeholders":                  false,
		"Add command line flags and environment variables": false,
		"":                            false,
		"Ask the user for a name and": false,
		"Fix crash when start and end are the same":          false,
		"Keep drafts, and show a hint where one is outdated": true,
	} {
		if got := compound(title); got != want {
			t.Errorf("compound(%q) = %v", title, got)
		}
	}
}

func TestActionableHints(t *testing.T) {
	for hint, want := range map[string]bool{
		"Read `docs/api.md`": true,
		"Read the 'Database Schema' section in `spec.md`.": true,
		"See section 4.2": true,
		"Refer to the User API chapter for required fields":   true,
		"Use `src/auth/utils.py` for password hashing":        true,
		"Endpoints should follow the pattern of the old ones": true,
		"Follow the conventions of the existing models":       true,
		"Never log the token: mask it first":                  true,
		"Please keep the public API unchanged":                true,
		"The handler in internal/auth/handler.go is a model":  true,
		"Same shape as users.Create":                          true,
		"https://example.com/spec":                            true,
		"RFC 7519 defines the claims":                         true,
		"Issue 12 has the discussion":                         true,
		"#12":                                                 true,
		"Run go vet":                                          true,
		"You must not change the wire format":                 true,
		"Do not break existing callers; add a new method":     true,
		"仕様書を読む":                                              true,

		"The usual way of errors":   false,
		"Security":                  false,
		"Error handling":            false,
		"JWT tokens":                false,
		"Good performance":          false,
		"Database conventions":      false,
		"As discussed with Ada":     false,
		"This one is important":     false,
		"Authentication middleware": false,
		"":                          false,
		"   ":                       false,
	} {
		if got := actionable(hint); got != want {
			t.Errorf("actionable(%q) = %v", hint, got)
		}
	}
}
