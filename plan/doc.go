// Package plan is the model of a plan: a folder of markdown files with strict
// frontmatter.
//
// [Read] turns a folder's files into a [Plan] and findings; it never fails,
// it returns what it understood. [Plan.Transition] moves a task through the
// one table of legal moves, [Plan.Ready] tells what can be worked on, and
// [Plan.Files] gives the bytes to store. Changes are made in place: a file's
// comments, key order, quoting and body stay as their author wrote them.
//
// The package does no I/O and knows neither git nor gates.
package plan
