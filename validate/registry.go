package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Ids of rules that other packages name.
const (
	// RuleEvidence needs [Input.Names] and [Input.Shown].
	RuleEvidence = "evidence"
	// RuleGateConfig is about gates.yaml itself.
	RuleGateConfig = "gate-config"
	// RuleJudge needs [Input.Opinion].
	RuleJudge = "judge"
	// RuleOverlap needs [Input.Others].
	RuleOverlap = "overlap"
	// RuleTaskDropped keeps what a version promised.
	RuleTaskDropped = "task-dropped"
	// RuleUnrelatedHistory is about the parents of a merge, which only a reader of
	// commits can check.
	RuleUnrelatedHistory = "unrelated-history"
)

// Remedies that the row of a rule and its findings have in common.
const (
	fixDropped = "put it back, or make a new version with `git plan replan`"
	fixPath    = "mend the path, or name it under `creates` of the task that makes it"
	fixHint    = "begin it with a verb, or name a file or section"
	fixOverlap = "agree with that plan who changes the file, and leave it out of the other"
)

// Rules gives the table of rules, in the order of the manual. A row without a
// check is checked where files or commits are read.
func Rules() []Rule {
	return []Rule{
		always(plan.RulePlanMissing, planMissing, "every plan folder has a plan.md", "write plan.md with a `title`"),
		always(plan.RuleFrontmatter, nil, "frontmatter stands between two lines of only `---` and is a YAML mapping whose values have the right types", "mend the YAML at the place named"),
		always(plan.RuleEncoding, nil, "files are UTF-8 without control or bidirectional characters; those that a commit on the branch brings have LF line ends and no byte order mark", "remove the character, or write the file so"),
		always(plan.RuleConflictMarker, nil, "no file holds git's conflict markers, outside of fenced code and of what the parent has", "keep one text or both, and delete the three marker lines"),
		always(plan.RuleYAMLUnsafe, nil, "frontmatter has no tag, anchor, alias, merge key, directive or second document", "write the value out, or quote it"),
		always(plan.RuleUnknownField, nil, "every field is one of the format's, or begins with `x-`", "mend the name, or begin it with `x-`"),
		always(plan.RuleDuplicateField, nil, "a field is set once", "keep one of them"),
		always(plan.RuleLimits, limits, "frontmatter stays under 64 KiB, 256 keys and depth 16, a file under 256 KiB, a plan under 4 MiB and 10,000 files, with at most 99 tasks a folder, 16 folders deep and 200 bytes a name", "split it"),
		always(plan.RuleTitleEmpty, nil, "the plan has a title, and a task's title, where it is set, is not empty", "write a short summary"),
		always(plan.RuleBodyEmpty, nil, "every file says something below its frontmatter; white space and comments are nothing", "describe it below the closing `---`"),
		always(plan.RuleFilename, planID, "task files are named NN-slug.md, and plan folders in kebab-case and not `archive`", "rename it"),
		always("sort-index", sortIndex, "the two digits a task file begins with are unique among its siblings", "run `git plan fmt --renumber`, or give one of them another number"),
		always(plan.RuleFileMode, nil, "plan files are regular, non-executable files", "chmod -x, or replace the link by a file"),
		always(plan.RuleIDMissing, nil, "every task has an id", "add `id: …`"),
		always(plan.RuleIDFormat, nil, "task ids are kebab-case", "use lower-case letters, digits and single hyphens"),
		always("id-duplicate", idDuplicate, "task ids are unique in the whole plan", "give one of the tasks another id"),
		always("depends-unknown", dependsUnknown, "`depends_on`, and the task of a signal, name tasks of the same plan", "mend the id, or add the task"),
		always("depends-cycle", dependsCycle, "no task waits for itself: through `depends_on`, containers, data flow or the order under a `kind: subtask`", "remove one of the dependencies"),
		always("depends-ancestor", dependsAncestor, "a task does not depend on a container it is in", "depend on the container's other tasks, or on nothing"),
		always(plan.RuleStatusValue, nil, "a task's status is one of the seven", "use one of the words named"),
		always(plan.RuleKindValue, nil, "a task's kind is reason, act, decide or subtask", "use one of the words named, or leave it out"),
		always(plan.RuleTypeValue, nil, "a task's type is feature, bugfix, chore, test, docs or refactor", "use one of the words named"),
		always(plan.RuleEnumValue, nil, "other words and numbers are within what their field allows", "use one of the values named"),
		always(plan.RuleContainer, container, "tasks stand below a task file of the same stem, of kind decide, subtask or none", "add the parent file, or change its kind"),
		always(plan.RulePathEscape, nil, "paths stay inside the project and out of `.git`", "name the file by its path from the top of the project"),
		always(plan.RuleVersion, version, "a plan's version is 1 at first, never falls, and rises only by a replan, at most `max_replans` times", "leave `version` to `git plan replan`"),
		always("transition", transition, "a settled task stays as it is until it is reopened as pending, and none is done while its blocker is open", "set it to pending first, clear the blocker, or leave it"),
		always(RuleTaskDropped, taskDropped, "within one version, tasks that are settled or in progress stay, unless their container is emptied to be planned again, and `gates: strict` does not become `base`", fixDropped),
		always(RuleUnrelatedHistory, nil, "the sides of a merge share more of their history than the first commit of the store", "make the changes of the other side again on top of the plans"),
		always(RuleGateConfig, nil, "gates.yaml has only known keys and values", "mend the key or value named"),
		{ID: "no-tasks", Base: diag.Warning, Strict: diag.Error, Class: Quality, Check: noTasks,
			Doc: "a plan that is not abandoned has tasks", Fix: "add task files under tasks/"},
		missing("type-missing", "type", "every task has a `type`", "say whether it is a feature, bugfix, chore, test, docs or refactor"),
		missing("hints-missing", "context_hints", "every task has `context_hints`", "name what to read before the work, such as \"Read `docs/api.md`\""),
		missing("paths-missing", "relevant_file_paths", "every task has `relevant_file_paths`", "name the files the work is about; those it makes go to `creates`"),
		{ID: "path-exists", Base: diag.Warning, Strict: diag.Error, Class: PerTask, Check: pathExists,
			Doc: "`relevant_file_paths` are in the project, or made by this task or one it depends on", Fix: fixPath},
		{ID: "hint-path", Base: diag.Warning, Strict: diag.Error, Class: PerTask, Check: hintPath,
			Doc: "paths in back-quotes in `context_hints` are in the project, or made by this task or one it depends on", Fix: fixPath},
		{ID: "hint-actionable", Strict: diag.Warning, Class: PerTask, Check: hintActionable,
			Doc: "a context hint says what to do or where to look", Fix: fixHint},
		{ID: "title-vague", Strict: diag.Warning, Class: PerTask, Check: titleVague,
			Doc: "a task's title says what will be true when it is done", Fix: "name the thing and how much: \"Answer `GET /users` in under 100 ms\""},
		{ID: "title-compound", Strict: diag.Warning, Class: PerTask, Check: titleCompound,
			Doc: "a task does one thing", Fix: "make two tasks of it"},
		{ID: "container-empty", Base: diag.Warning, Strict: diag.Warning, Class: PerTask, Check: containerEmpty,
			Doc: "a task of kind decide or subtask has children", Fix: "add them in a folder of the same stem, or change the kind"},
		{ID: "depends-settled", Base: diag.Warning, Strict: diag.Warning, Class: PerTask, Check: dependsSettled,
			Doc: "a task does not rely on one that was skipped or cancelled", Fix: "check that it can still be done, and drop the dependency"},
		{ID: plan.RuleStrayFile, Base: diag.Warning, Strict: diag.Warning,
			Doc: "a plan's folder holds nothing but plan files; an error on the ref", Fix: "move the file out of the folder"},
		{ID: RuleOverlap, Class: PerTask, Check: overlap,
			Doc: "no other unfinished plan names the same file for work that is still to be done", Fix: fixOverlap},
		{ID: RuleEvidence, Check: evidence,
			Doc: "a task becomes done only with something to show for it: a commit of the code that names the task in a trailer `Plan-Task: <plan>/<task>`, or a check that passed since it began",
			Fix: "name the task in the commit of the work, or run its check with `git plan alert run`"},
		{ID: RuleJudge, Class: Quality, Check: judge,
			Doc: "the model that the user configured approves of a plan that is made, or whose definition is edited", Fix: "mend what its feedback says"},
	}
}

// always is the row of a rule that is an error under every gate.
func always(id string, check func(*Context), doc, fix string) Rule {
	return Rule{ID: id, Base: diag.Error, Strict: diag.Error, Doc: doc, Fix: fix, Check: check}
}

// missing is the row of a rule that every task has a field.
func missing(id, field, doc, fix string) Rule {
	return Rule{ID: id, Strict: diag.Error, Class: PerTask, Doc: doc, Fix: fix, Check: func(c *Context) { c.missing(field, fix) }}
}

// Find gives the rule of that id.
func Find(id string) (Rule, bool) {
	rules := Rules()
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}
