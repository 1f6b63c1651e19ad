// Package planspec reads and writes PlanSpec, a compact text of
// planning trees that language models write and read.
//
// [Parse] turns a text into an outline and findings with their places; it never
// fails, it returns what it understood. [Serialize] is its inverse. [Read] is
// what a front end wants: Parse, then [Validate]. [ParseCommands] finds the
// PLAN_CMD lines of a model's answer; package plancmd carries them out.
// [FromPlan] gives the PlanSpec of a plan of ours, [Files] makes the files of one,
// over a stored one where there is one, and [Check] says what cannot be stored: into
// files and back is the identity. [WriteHop] and [ReadHop] write and read the steps
// of a HopSpec, [EncodeJSON] and [ParseJSON] the same outline as JSON.
//
// A step is a [form.Item]. Its number is there, and its detail, in the fields of ours
// that a PlanSpec has a place for: title, which is the description, kind, step_name,
// inputs, outputs, result, progress and status. What it does not say is not set.
//
// The text is read by these rules:
//
//   - A step is a line "N. [status] name [type] description → outputs | result
//     | Progress: N/M", of which only the number must be there. Its lines that
//     begin with ">" follow; "> ← a, b" names its inputs.
//   - The tree comes from the numbers alone, never from indentation.
//   - "→" before the first "|" names outputs if it is the last one and what
//     follows are names, free of white space and separated by commas; else it
//     is text.
//   - Parts between "|" are the result, joined with " | ", but for those that
//     begin with "Progress:".
//   - A backslash before "|" or "→", and before "Progress:", "←", a status or
//     a type where one could stand, makes text of it. A backslash that is to
//     stand before one of these is written twice; no other needs to be.
//   - "[act]Text", "**Goal**:", "## Constraints" and "# title" are read, too.
//
// The package does no I/O. Text of more than [MaxText] bytes or [MaxLines]
// lines is not read, so that none takes long.
package planspec
