// Package merge brings two states of plans that went on from one back
// together: field by field, list by item, text by line. It does no I/O.
//
// [Plans] merges one plan, [Stores] the plans and the own files of two stores,
// [File] a single plan file as git hands it to a merge driver. What the two
// sides settled differently is a [Conflict], and the result then holds the
// value of theirs there. Whether the result is a plan that may be
// stored is for the gate to say, after the merge.
package merge
