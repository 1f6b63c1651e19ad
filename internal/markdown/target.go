package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// Target gives the target of a link as it may stand in a page; ok is false for
// any but an http or https address of a host.
func Target(text string) (href string, ok bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return "", false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := strings.ToLower(rest[:end])
	if strings.Trim(host, ".:-[]") == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.:-_[]") != "" {
		return "", false
	}
	var b strings.Builder
	b.WriteString(scheme + "://" + host)
	for i := end; i < len(rest); i++ {
		if c := rest[i]; c < utf8.RuneSelf && isWord(c) || strings.IndexByte("-._~:/?#[]@!$&()*+,;=%", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String(), true
}
