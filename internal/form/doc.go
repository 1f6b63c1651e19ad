// Package form holds what all forms of plans other than ours have in common.
//
// A form tells a plan as an [Outline]: items below each other, each with what the
// form says in the fields of ours, and where. [Outline.Match] finds the tasks that
// they are in a stored plan, [Outline.Files] makes our files of them, in place where
// there are some, and [Loss] tells what of a stored plan an outline does not say.
// [ReadJSON] reads a file to nodes with their places, and [Decoder] takes values out
// of them and reports every fault. The package does no I/O.
package form
