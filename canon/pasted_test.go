package canon_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"visto/canon"
	"visto/canon/suite"
)

// dirt holds text that people and programs leave beside a URL in a value, or in the URL.
var dirt = []string{" ", "\u00a0", "\t", "\n", "  (consultado en mayo)", ", ", "; ", "|", "&amp;", "&#038;", "&#x26;",
	"&nbsp;", "&quot;", "{{ id }}", "${id}", "<%= id %>", "{% id %}", "https://www.boe.es/a/b/ficha-2",
	"http://www.ine.es", " https://www.boe.es", ",https://www.boe.es/x", "].", "»", "?", "#", "/", "=", "&b=1"}

var dirtless = []string{"https://www.boe.es/a/b/ficha-1", "http://boe.es/a/b/c?id=1234",
	"https://www.boe.es/a/b/c?id=1234#top", "www.boe.es/a/b/ficha-1", "https://www.boe.es/a/b/c?volver=https://www.ine.es/x"}

// TestNothingAcceptedHoldsDirt puts dirt at random places of URLs. What is accepted holds no white space, no HTML
// escape, no placeholder, and no second scheme but in the value of a parameter or directly behind a slash (spec
// sections 2 and 3).
func TestNothingAcceptedHoldsDirt(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	c := canon.New(builtin(t, canon.DefaultPolicy), nil)
	accepted := 0
	for range urlCount(t, suite.Rounds(30_000, 300_000)) {
		value := dirtless[r.IntN(len(dirtless))]
		for range 1 + r.IntN(3) {
			at := r.IntN(len(value) + 1)
			value = value[:at] + dirt[r.IntN(len(dirt))] + value[at:]
		}
		if c.Canonicalize(value, nil).Verdict != canon.Accepted {
			continue
		}
		accepted++
		if why := dirtOf(canon.Trim(value)); why != "" {
			t.Errorf("%q is accepted, with %s", value, why)
		}
	}
	if accepted < 100 {
		t.Errorf("only %d values are accepted: the test shows nothing", accepted)
	}
}

var (
	htmlEscape  = regexp.MustCompile(`(?i)&(amp|lt|gt|quot|apos|nbsp|#[0-9]+|#x[0-9a-f]+);`)
	placeholder = regexp.MustCompile(`\{\{|\$\{|<%|\{%`)
	anyScheme   = regexp.MustCompile(`(?i)https?://`)
)

// dirtOf names the dirt in a trimmed value, "" if there is none.
func dirtOf(value string) string {
	switch {
	case strings.ContainsFunc(value, unicode.IsSpace):
		return "white space"
	case htmlEscape.MatchString(value):
		return "an HTML escape"
	case placeholder.MatchString(value):
		return "a placeholder"
	}
	for _, at := range anyScheme.FindAllStringIndex(value, -1) {
		before := value[:at[0]]
		_, query, inQuery := strings.Cut(before, "?")
		pair := query[strings.LastIndexByte(query, '&')+1:]
		isValue := inQuery && strings.Contains(pair, "=")
		if before != "" && !strings.HasSuffix(before, "/") && !isValue && !strings.Contains(before, "#") {
			return "a second scheme"
		}
	}
	return ""
}
