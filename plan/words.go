package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxInteger bounds the counts that frontmatter may hold.
const maxInteger = 1_000_000

// maxSlug is the length of the longest id we make.
const maxSlug = 48

func itoa(n int) string { return strconv.Itoa(n) }

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// integer gives the value of an Int node.
func (n Node) integer() (int, bool) {
	if n.Kind != Int {
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 0, 32)
	return int(v), err == nil
}

// shorten cuts a value that goes into a message.
func shorten(s string) string { return cut(s, 60) }

// cut makes s one line of at most limit characters.
func cut(s string, limit int) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}

// didYouMean gives ` (did you mean "x"?)` for the candidate nearest to word,
// if one is near enough, else "".
func didYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// Nearest gives the candidate that the fewest edits turn word into, or "" if
// none is within a third of its length. Swapping two letters is one edit.
func Nearest(word string, candidates []string) string {
	const longest = 100 // the cost grows with the square of the length
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if c == word || len(c) > len(word)+bestDistance || len(word) > len(c)+bestDistance {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment).
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
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
func NewID(text, fallback string, taken func(string) bool) string {
	slug := Slug(text)
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
