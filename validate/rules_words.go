package validate

import (
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Verbs that begin an instruction. The rules that use them only warn: no list
// of words is complete.
const imperatives = " adapt add adjust adopt allow amend answer append apply arrange ask assert assign attach avoid base benchmark bind block build " +
	"bump call cancel capture change check choose clarify classify clean clear clone close collect combine commit compare compile " +
	"compress compute configure confirm connect consider consolidate construct consult convert coordinate copy correct cover " +
	"create cut decide declare decrypt deduplicate defer define delete demonstrate deploy deprecate derive describe design detect " +
	"determine disable dispatch display distinguish divide document download drop edit embed emit emulate enable encode encrypt " +
	"enforce ensure enter escape estimate evaluate examine execute expand expire explain explore export expose extend extract " +
	"fetch fill filter find finish fix flush fold follow format forward gather generate get give guard handle hash hide highlight " +
	"hook identify ignore implement import improve include increase infer inherit init initialise initialize inject inline insert " +
	"inspect install instrument integrate interpret introduce investigate invoke isolate iterate join keep know launch learn leave " +
	"limit link lint list load localize log look lower maintain make map mark mask match measure mend merge migrate mimic mind " +
	"minimize mirror mock model modify monitor mount move name normalise normalize note notify obtain offer omit open optimise " +
	"optimize order override overwrite paginate parallelize parse pass pay perform persist pick pin place plan poll populate port " +
	"precompute prefer prepare present preserve prevent print profile promote propagate protect prototype prove provide prune " +
	"publish push put query quote raise read rebase rebuild reconcile record redact redirect reduce refactor refer refresh refuse " +
	"regenerate register reject release reload rely remember remind remove rename render reorder replace report reproduce require " +
	"research reset resize resolve respect restart restore restrict resume retain rethink retrieve retry return reuse revert " +
	"review reword rewrite rotate route run sanitize save scaffold scan schedule search see seed select send separate serialize " +
	"serve set setup ship shorten show shrink sign silence simplify simulate skip solve sort specify split start stop store stream " +
	"strip study subclass submit subscribe supply support suppress swap switch sync take talk target tell test think throttle tidy " +
	"toggle trace track transform translate treat trigger trim truncate try tune turn unblock understand unify unlock unpack " +
	"update upgrade upload use validate verify view visit wait warn watch weigh wire work wrap write "

var (
	word      = plan.Pattern(`[A-Za-z]+`)
	reference = plan.Pattern("`[^`]+`|(?i)\\b(section|chapter|appendix|page|line|figure|table|issue|pr|rfc)\\b|§|#\\d+|https?://|[\\w-]+/[\\w./-]+|\\w+\\.[a-z]{1,5}\\b")
	measured  = plan.Pattern("\\d|`[^`]+`|[\\w-]+/[\\w./-]+")
)

func isImperative(w string) bool { return strings.Contains(imperatives, " "+strings.ToLower(w)+" ") }

func hintActionable(c *Context) {
	for _, t := range c.trial() {
		for i, hint := range t.Doc.Texts("context_hints") {
			if !actionable(hint) {
				c.report(t.Doc.Path, t.Doc.ItemPos("context_hints", i), fixHint,
					"task `%s` has a hint that says neither what to do nor where to look", name(t))
			}
		}
	}
}

func actionable(hint string) bool {
	if reference().MatchString(hint) {
		return true
	}
	for i, w := range word().FindAllString(hint, -1) {
		if i < 8 && isImperative(w) {
			return true
		}
	}
	return !word().MatchString(hint) && strings.TrimSpace(hint) != "" // no Latin letters: not ours to judge
}

func titleVague(c *Context) {
	for _, t := range c.trial() {
		if vague(t.Title()) {
			c.report(t.Doc.Path, t.Doc.Pos("title"), "name the thing, and how to tell that it is done", "the title `%s` is vague", t.Title())
		}
	}
}

// vague reports whether a title has a verb of improvement, an object that
// could be anything, and nothing to measure it by. The object must be what the
// verb is about: "Fix a crash in the app" says enough.
func vague(title string) bool {
	const verbs = " improve enhance optimize optimise fix refactor clean cleanup polish update handle address tweak rework revise better work "
	const always = " performance quality things stuff bugs issues problems everything usability ux robustness reliability stability " +
		"maintainability readability misc various "
	const atEnd = " code codebase ui experience structure architecture system app application "
	const links = " of in for with on across to by from when where that "
	words := word().FindAllString(strings.ToLower(title), -1)
	if measured().MatchString(title) || len(words) < 2 || !strings.Contains(verbs, " "+words[0]+" ") {
		return false
	}
	for i, w := range words[1:] {
		last := i+2 == len(words)
		switch {
		case strings.Contains(always, " "+w+" ") && (last || strings.Contains(links, " "+words[i+2]+" ")):
			return true
		case strings.Contains(atEnd, " "+w+" ") && last:
			return true
		case i > 0 && strings.Contains(links, " "+w+" "):
			return false
		}
	}
	return false
}

func titleCompound(c *Context) {
	for _, t := range c.trial() {
		if compound(t.Title()) {
			c.report(t.Doc.Path, t.Doc.Pos("title"), "make a task of each half", "the title `%s` names two tasks", t.Title())
		}
	}
}

var (
	joined     = plan.Pattern(`(?i)(?:[,;]\s+(?:and\s+)?(?:then\s+)?|\band\s+(?:then\s+)?|\bthen\s+)([a-z]+)\b`)
	determined = plan.Pattern("(?i)^\\s+(?:`|(?:the|an?|its?|all|each|every|any|their|them|both|new)\\b)")
	subject    = plan.Pattern(`(?i)^\s+[a-z]`)
	control    = plan.Pattern(`(?i)^\s+(?:form|page|button|endpoint|view|modal|dialog|handler|command|route|action|method|operation|` +
		`flow|screen|permission|event|hook|request|call|path|mutation|step|link|option|flag|support|right|api)(?:s|es)?\b`)
)

// compound reports whether a title joins two instructions: "do X and do Y".
// Most verbs are nouns too ("add models and test data"), so only a few count
// unless an article or a name in back-quotes follows, and none after another
// verb ("add create and delete endpoints").
func compound(title string) bool {
	const plain = " add configure connect convert create define deploy enable disable ensure expose extract generate implement " +
		"initialize install integrate introduce make migrate optimize refactor remove rename replace validate verify wire write "
	words := word().FindAllStringIndex(title, -1)
	text := func(n int) string { return title[words[n][0]:words[n][1]] }
	if len(words) == 0 || !isImperative(text(0)) {
		return false
	}
	before := 0 // how many words stand before what joins
	for _, m := range joined().FindAllStringSubmatchIndex(title, -1) {
		for before < len(words) && words[before][1] <= m[0] {
			before++
		}
		verb, after := title[m[2]:m[3]], title[m[3]:]
		if before < 2 || !isImperative(verb) || isImperative(text(before-1)) {
			continue
		}
		second := strings.Contains(plain, " "+strings.ToLower(verb)+" ") && subject().MatchString(after) && !control().MatchString(after)
		if second || determined().MatchString(after) {
			return true
		}
	}
	return false
}
