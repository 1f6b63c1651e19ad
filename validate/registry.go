package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Rules gives the table of rules, in the order of the manual.
func Rules() []Rule {
	return []Rule{
		planMissing(),
		reading(plan.RuleFrontmatter, "frontmatter stands between two lines of only `---` and is a YAML mapping whose values have the right types", "mend the YAML at the place named"),
		reading(plan.RuleEncoding, "files are UTF-8 without control or bidirectional characters; those that a commit on the branch brings have LF line ends and no byte order mark", "remove the character, or write the file so"),
		reading(plan.RuleConflictMarker, "no file holds git's conflict markers, outside of fenced code and of what the parent has", "keep one text or both, and delete the three marker lines"),
		reading(plan.RuleYAMLUnsafe, "frontmatter has no tag, anchor, alias, merge key, directive or second document", "write the value out, or quote it"),
		reading(plan.RuleUnknownField, "every field is one of the format's, or begins with `x-`", "mend the name, or begin it with `x-`"),
		reading(plan.RuleDuplicateField, "a field is set once", "keep one of them"),
		limits(),
		reading(plan.RuleTitleEmpty, "the plan has a title, and a task's title, where it is set, is not empty", "write a short summary"),
		reading(plan.RuleBodyEmpty, "every file says something below its frontmatter; white space is nothing", "describe it below the closing `---`"),
		filename(),
		sortIndex(),
		reading(plan.RuleFileMode, "plan files are regular, non-executable files", "chmod -x, or replace the link by a file"),
		reading(plan.RuleIDMissing, "every task has an id", "add `id: …`"),
		reading(plan.RuleIDFormat, "task ids are kebab-case", "use lower-case letters, digits and single hyphens"),
		idDuplicate(),
		dependsUnknown(),
		dependsCycle(),
		dependsAncestor(),
		reading(plan.RuleStatusValue, "a task's status is one of the seven", "use one of the words named"),
		reading(plan.RuleKindValue, "a task's kind is reason, act, decide or subtask", "use one of the words named, or leave it out"),
		reading(plan.RuleTypeValue, "a task's type is feature, bugfix, chore, test, docs or refactor", "use one of the words named"),
		reading(plan.RuleEnumValue, "other words and numbers are within what their field allows", "use one of the values named"),
		container(),
		reading(plan.RulePathEscape, "paths stay inside the project and out of `.git`", "name the file by its path from the top of the project"),
		version(),
		transition(),
		taskDropped(),
		reading(RuleUnrelatedHistory, "the sides of a merge share more of their history than the first commit of the store", "make the changes of the other side again on top of the plans"),
		{ID: RuleGateConfig, Base: diag.Error, Strict: diag.Error, Doc: "gates.yaml has only known keys and values", Fix: "mend the key or value named"},
		noTasks(),
		typeMissing(),
		hintsMissing(),
		pathsMissing(),
		pathExists(),
		hintPath(),
		hintActionable(),
		titleVague(),
		titleCompound(),
		containerEmpty(),
		dependsSettled(),
		{ID: plan.RuleStrayFile, Base: diag.Warning, Strict: diag.Warning, Doc: "a plan's folder holds nothing but plan files; an error on the ref", Fix: "move the file out of the folder"},
		overlap(),
		evidence(),
		judged(),
	}
}

// reading is the row of a rule that is checked while a file is read.
func reading(id, doc, fix string) Rule {
	return Rule{ID: id, Base: diag.Error, Strict: diag.Error, Doc: doc, Fix: fix}
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
