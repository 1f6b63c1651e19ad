// Package merge brings two states of plans that went on from one back
// together: field by field, list by item, text by line. It does no I/O.
//
// [Plans] merges one plan, [Stored] one with its place in a store, [OwnFile] a
// file of the store that belongs to no plan, [File] a single plan file as git
// hands it to a merge driver. What the two sides made differently is a
// [Conflict], and the result then has the value of theirs. Whether the result is
// a plan that may be stored is for the gate to say, after the merge.
package merge
