// Package form holds what reading plans of other forms has in common.
//
// [ReadJSON] reads a file to nodes with their places, [Decoder] takes values
// out of them and reports every fault, and [Builder] makes a file of ours, in
// place where there is one already. The package does no I/O.
package form
