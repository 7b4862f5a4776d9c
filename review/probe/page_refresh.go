package probe

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// refresh is what <meta http-equiv=refresh>, or the Refresh header, tells a browser to do.
type refresh struct {
	seconds int
	target  string // as it stands; empty: the page itself again
}

// refreshForm is the form that browsers take (HTML standard, section 4.2.5.3, "shared declarative refresh steps"): a number, of which
// the fraction does not count, then the target, with or without "url=" and quotes.
var refreshForm = regexp.MustCompile(`(?is)^\s*(\d*)[\d.]*(?:\s*[;,\s]\s*(?:url\s*=\s*)?(.*))?$`)

// parseRefresh reads the content of a refresh. It reports false where browsers would do nothing.
func parseRefresh(content string) (refresh, bool) {
	m := refreshForm.FindStringSubmatch(content)
	if m == nil || m[1] == "" && !strings.HasPrefix(strings.TrimSpace(content), ".") {
		return refresh{}, false
	}
	seconds, err := strconv.Atoi("0" + m[1])
	if err != nil {
		return refresh{}, false
	}
	return refresh{seconds, unquote(m[2])}, true
}

// unquote takes the quotes off: up to the same one again, or to the end.
func unquote(target string) string {
	if target == "" || target[0] != '"' && target[0] != '\'' {
		return strings.TrimSpace(target)
	}
	target, _, _ = strings.Cut(target[1:], target[:1])
	return strings.TrimSpace(target)
}

// caveat says what the page does. to is the target, absolute.
func (r refresh) caveat(to string) string {
	if r.seconds == 0 {
		return fmt.Sprintf("The page sends browsers on to %s at once. It was not followed: correct the URL if that is the page.", to)
	}
	return fmt.Sprintf("The page sends browsers on to %s after %d s. It was not followed: correct the URL if that is the page.", to, r.seconds)
}
