package plan

// The ids of the rules that reading a plan checks. What each asks, how much
// it weighs and how to satisfy it is in package validate's table, which also
// holds the rules that look at a plan as a whole.
const (
	RulePlanMissing    = "plan-missing"
	RuleFrontmatter    = "frontmatter"
	RuleEncoding       = "encoding"
	RuleYAMLUnsafe     = "yaml-unsafe"
	RuleUnknownField   = "unknown-field"
	RuleDuplicateField = "duplicate-field"
	RuleLimits         = "limits"
	RuleTitleEmpty     = "title-empty"
	RuleBodyEmpty      = "body-empty"
	RuleFilename       = "filename"
	RuleFileMode       = "file-mode"
	RuleIDMissing      = "id-missing"
	RuleIDFormat       = "id-format"
	RuleStatusValue    = "status-value"
	RuleKindValue      = "kind-value"
	RuleTypeValue      = "type-value"
	RuleEnumValue      = "enum-value"
	RuleContainer      = "container"
	RulePathEscape     = "path-escape"
	RuleVersion        = "version"
	RuleStrayFile      = "stray-file"
)

// StrayHint is what to do with a file in a draft that is no plan's. On the ref it
// has to go.
const StrayHint = "move it out of the plan; it is not committed"
