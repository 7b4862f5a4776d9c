package review_test

import (
	"errors"
	"testing"

	"visto/canon"
	"visto/review"
)

func TestPatternsGoWithoutCase(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"SEPE", "https://www.sepe.es", true}, {"(?-i)SEPE", "www.sepe.es", false}, {"ks", "KS", true},
		{"k", "\u212a", false}, {"s", "\u017f", false},
		{"ñ", "Ñ", true}, {`\.es/?$`, "https://boe.es/", true}, {"a|(?-i)B", "xb", false}, {"a|(?-i)B", "xA", true},
		{"[k-s]+z", "LMz", true},
	} {
		re, err := review.CompilePattern(c.pattern)
		if err != nil || re.MatchString(c.text) != c.want {
			t.Errorf("%q on %q: not %v (%v)", c.pattern, c.text, c.want, err)
		}
	}
}

// A search text is literal, with user and password of a URL masked, or a regular expression.
func TestParseSearch(t *testing.T) {
	for text, want := range map[string]review.Filter{
		"":                      {},
		"SEPE re:x":             {Search: "SEPE re:x"},
		"re:^a+":                {Regexp: "^a+"},
		"https://u:secret@a.es": {Search: canon.MaskUser("https://u:secret@a.es")},
	} {
		if search, pattern := review.ParseSearch(text); search != want.Search || pattern != want.Regexp {
			t.Errorf("%q is %q and %q", text, search, pattern)
		}
	}
}

func TestPatternErrorsSayWhere(t *testing.T) {
	for pattern, at := range map[string]int{"a(b": 2, "ab[": 3, "x**": 2, `ab\`: 3, "a{1001}": 2, "ok(?<": 3,
		"(a)(b": 4, "*a*": 1, "a)b)": 2, "ñ(": 2, "[a]b[c": 5, `a\yb\y`: 2, "[z-a]x": 2, "(?P<n": 1} {
		_, err := review.CompilePattern(pattern)
		var wrong *review.PatternError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v", pattern, err)
			continue
		}
		if wrong.At != at {
			t.Errorf("%q: at %d, not %d: %v", pattern, wrong.At, at, err)
		}
	}
}
