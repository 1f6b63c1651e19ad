// Package specmap changes PlanSpecs into plans of ours and back.
//
// [FromPlan] gives the PlanSpec of a plan, [Files] makes the files of a plan,
// over a stored one where there is one, and [Check] says what of a PlanSpec
// cannot be stored. Into files and back is the identity. The package does no
// I/O.
//
// Two fields hold what would be read otherwise: x-planspec-description a
// description that says just what a step without one is called, and
// x-planspec-detail a detail that begins or ends with empty lines, or says just
// what the title says. Each counts only as long as the title, or the text below
// the frontmatter, is what it was made with.
package specmap
