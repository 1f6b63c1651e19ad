// Package planner lets a model draft plans and look for work: what the model is
// asked, what it is shown of the project, how its answers are read, and how often
// it may try.
//
// [Drafting] runs the rounds of one plan: a draft that the gate or a judge
// refuses goes back to the model with the reasons. [Goal] and [Next] make the
// prompts for a new plan and for the next version of one, [ReadNext] reads what
// answers the second; `loop.ParseDraft` reads what answers the first. [Search]
// asks for work that no plan holds. [Look] is what of the project a model sees.
//
// An answer is data: nothing in it is run, and no path in it is opened.
package planner
