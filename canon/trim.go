package canon

import (
	"strings"
	"unicode"
)

// Trim removes what no URL begins or ends with: Unicode white space, controls, invisible format characters (the byte
// order mark, zero-width and bidirectional ones), and quotes or angle brackets that surround the rest in a pair (RFC
// 3986 appendix C). An original is known by its trimmed form; trimming twice is trimming once.
func Trim(raw string) string {
	if isTrimmed(raw) {
		return raw
	}
	for before := -1; before != len(raw); {
		before = len(raw)
		raw = withoutPair(strings.TrimFunc(raw, isInvisible))
	}
	return raw
}

// isTrimmed reports whether raw begins with an ASCII character that opens no pair, and ends with a visible one. Nearly
// every URL does.
func isTrimmed(raw string) bool {
	if raw == "" {
		return true
	}
	first, last := raw[0], raw[len(raw)-1]
	return '0' <= first && first <= 'z' && first != '<' && first != '`' && ' ' < last && last < 0x7f
}

func isInvisible(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c)
}

// pairs holds the quotes and brackets that people and programs put around a URL.
var pairs = []struct{ opening, closing string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"<", ">"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"‹", "›"}, {"„", "“"},
	{"‚", "‘"},
}

// withoutPair removes one surrounding pair.
func withoutPair(s string) string {
	for _, pair := range pairs {
		if rest, opens := strings.CutPrefix(s, pair.opening); opens {
			if inner, closes := strings.CutSuffix(rest, pair.closing); closes {
				return inner
			}
		}
	}
	return s
}
