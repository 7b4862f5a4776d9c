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

// maxRefresh is the longest time, in seconds, after which a refresh is a redirect.
const maxRefresh = 5

// maxNotice is the upper bound of the text of a page that only says where browsers are sent, in bytes.
const maxNotice = 300

// goOn takes a refresh, unless its target is the page itself. The first counts.
func (p *pageReader) goOn(content string) {
	r, ok := parseRefresh(content)
	if !ok || r.target == "" || p.refresh.target != "" {
		return
	}
	to := p.absolute(r.target)
	if to == "" || to == p.from.URL {
		return
	}
	if fragment := fragmentOf(escape(r.target)); fragment != "" {
		to += "#" + fragment
	}
	p.refresh = refresh{r.seconds, to}
}

// judgeRefresh decides whether the refresh is a hop: it is that of a page which answered well, and comes at once, or
// within seconds on a page that has hardly any text of its own.
func (p *pageReader) judgeRefresh() {
	r := p.refresh
	isPage := (isHTML(p.ContentType) || p.ContentType == "") && p.from.Status >= 200 && p.from.Status <= 299
	switch {
	case r.target == "":
	case isPage && (r.seconds == 0 || r.seconds <= maxRefresh && p.html.text <= maxNotice):
		p.Refresh = r.target
	default:
		p.MetaRefresh, _, _ = strings.Cut(r.target, "#")
		p.caveat("%s", r.caveat(p.MetaRefresh))
	}
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
