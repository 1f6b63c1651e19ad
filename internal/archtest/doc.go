// Package archtest holds docs/architecture.md against the code: the table of
// packages and what each may import, the walls around git, go-git and I/O, and
// each function that the document names. It has tests only; nothing imports it.
package archtest
