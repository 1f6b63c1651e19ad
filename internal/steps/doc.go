// Package steps keeps the plan of the planning tools in the store: what
// [internal/session] keeps in memory.
//
// [Keeper.Do] carries out one input of these tools. A step is a top-level task:
// S001 is the task s001, in tasks/01-s001.md, and its body is the details of the
// step, or its title where it has none. [View] shows any stored plan so.
// Changes go the way of all changes of plans: through the gate, on whatever the
// store has become meanwhile, and tasks move by the one table of moves.
package steps
