package probe

import (
	"fmt"
	"strconv"
	"strings"

	"visto/review/lazyregexp"
)

// refresh is the instruction of <meta http-equiv=refresh>, or of the Refresh header.
type refresh struct {
	seconds int
	target  string // not resolved; empty: the page itself
}

// refreshForm is the form that browsers accept (HTML standard, section 4.2.5.3, "shared declarative refresh steps"):
// a number, whose fraction does not count, then the target, with or without "url=" and quotes.
var refreshForm = lazyregexp.New(`(?is)^\s*(\d*)[\d.]*(?:\s*[;,\s]\s*(?:url\s*=\s*)?(.*))?$`)

// parseRefresh reads the content of a refresh. It reports false if browsers would ignore it.
func parseRefresh(content string) (refresh, bool) {
	m := refreshForm().FindStringSubmatch(content)
	if m == nil || m[1] == "" && !strings.HasPrefix(strings.TrimSpace(content), ".") {
		return refresh{}, false
	}
	seconds, err := strconv.Atoi("0" + m[1])
	if err != nil {
		return refresh{}, false
	}
	return refresh{seconds, unquote(m[2])}, true
}

// unquote removes the quotes: up to the same quote again, or to the end.
func unquote(target string) string {
	if target == "" || target[0] != '"' && target[0] != '\'' {
		return strings.TrimSpace(target)
	}
	target, _, _ = strings.Cut(target[1:], target[:1])
	return strings.TrimSpace(target)
}

// caveat describes the refresh. to is the absolute target.
func (r refresh) caveat(to string) string {
	when := "at once"
	if r.seconds > 0 {
		when = fmt.Sprintf("after %d s", r.seconds)
	}
	return fmt.Sprintf("The page sends browsers on to %s %s. It was not followed: correct the URL if that is the page.",
		to, when)
}
