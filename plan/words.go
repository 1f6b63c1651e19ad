package plan

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/git-plan/git-plan/plan/diag"
)

// maxInteger bounds the counts that frontmatter may hold.
const maxInteger = 1_000_000

// maxSlug is the length of the longest id we make.
const maxSlug = 48

func itoa(n int) string { return strconv.Itoa(n) }

// integer gives the value of an Int node that fits 32 bits.
func (n Node) integer() (int, bool) {
	v, ok := parseInteger(n.Text)
	return int(v), ok && n.Kind == Int && int64(int32(v)) == v
}

// parseInteger reads an integer as YAML 1.2 has it: decimal, whatever it begins
// with, or octal after 0o or hexadecimal after 0x. What older versions have is
// read too: binary after 0b, and underscores between digits.
func parseInteger(s string) (int64, bool) {
	digits := strings.TrimLeft(s, "+-")
	sign := s[:len(s)-len(digits)]
	base := 10
	for prefix, b := range map[string]int{"0o": 8, "0x": 16, "0b": 2} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			digits, base = rest, b
		}
	}
	if digits == "" || strings.ContainsAny(digits, "+-") {
		return 0, false
	}
	v, err := strconv.ParseInt(sign+strings.ReplaceAll(digits, "_", ""), base, 64)
	return v, err == nil
}

// isDecimal reports whether s is a decimal integer of 64 bits. The parser takes
// one that begins with a zero for octal, and for text where it is none.
func isDecimal(s string) bool {
	if strings.Trim(s, "+-0123456789") != "" {
		return false
	}
	_, ok := parseInteger(s)
	return ok
}

// shorten cuts a value that goes into a message.
func shorten(s string) string { return cut(s, 60) }

// cut makes s one line of at most limit characters.
func cut(s string, limit int) string {
	return diag.Head(strings.ReplaceAll(s, "\n", " "), limit)
}

// DidYouMean gives ` (did you mean "x"?)` for the candidate nearest to word,
// if one is near enough, else "".
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// Nearest gives the candidate that the fewest edits turn word into, or "" if
// none is within a third of its length and ten edits. Swapping two letters is
// one edit.
func Nearest(word string, candidates []string) string {
	const longest, furthest = 100, 10
	if len(word) > longest {
		return ""
	}
	best, within := "", min(max(len(word)/3, 1), furthest)
	lower := strings.ToLower(word)
	for _, c := range candidates {
		if c == word || within < 0 || len(c) > len(word)+within || len(word) > len(c)+within {
			continue
		}
		if d := distance(lower, strings.ToLower(c), within); d <= within {
			best, within = c, d-1
		}
	}
	return best
}

// Meant gives the candidate that somebody probably meant who wrote word: the
// nearest, else the only one that begins with it, else the only one that holds
// it; or "".
func Meant(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" || len(word) < 2 {
		return near
	}
	for _, fits := range []func(string, string) bool{strings.HasPrefix, strings.Contains} {
		found := ""
		for _, c := range candidates {
			switch {
			case !fits(strings.ToLower(c), strings.ToLower(word)):
			case found != "":
				return "" // several would do
			default:
				found = c
			}
		}
		if found != "" {
			return found
		}
	}
	return ""
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment), or any larger number
// where it is over most.
func distance(a, b string, most int) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			least = min(least, cur[j])
		}
		if least > most {
			return most + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

// letters spells Latin letters that have no decomposition.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "þ", "th", "ı", "i")

// Slug makes a kebab-case id of at most 48 characters from text: ASCII,
// accents dropped, cut at a word where one is near. It is "" where nothing
// of the text is left.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKD.String(letters.Replace(strings.ToLower(text)))) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '\'' || r == '’' || r >= 0x300 && r < 0x370: // apostrophes, combining accents
		default:
			if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
				b.WriteByte('-')
			}
		}
	}
	return cutSlug(strings.Trim(b.String(), "-"), maxSlug)
}

func cutSlug(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := s[:limit]
	if i := strings.LastIndexByte(cut, '-'); i > limit/2 && s[limit] != '-' {
		cut = cut[:i]
	}
	return strings.Trim(cut, "-")
}

func slugOr(text, fallback string) string {
	if s := Slug(text); s != "" {
		return s
	}
	return fallback
}

// NewID makes an id from text that taken does not know: the slug, then the
// slug with -2, -3 and so on; where the slug is empty, fallback-1, fallback-2.
// A slug of digits alone would be taken for the number of another task, and one
// that Windows keeps for a device cannot be a folder there: they get the fallback
// before them.
func NewID(text, fallback string, taken func(string) bool) string {
	slug := Slug(text)
	if slug != "" && strings.Trim(slug, "0123456789") == "" || IsDevice(slug) {
		slug = cutSlug(fallback+"-"+slug, maxSlug)
	}
	if slug != "" && !taken(slug) {
		return slug
	}
	first := 2
	if slug == "" {
		slug, first = fallback, 1
	}
	for n := first; ; n++ {
		suffix := "-" + itoa(n)
		if id := cutSlug(slug, maxSlug-len(suffix)) + suffix; !taken(id) {
			return id
		}
	}
}
