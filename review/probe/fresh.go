package probe

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"
	"time"

	"visto/canon"
	"visto/review/lazyregexp"
)

// ttls maps pages to TTLs by their URLs, in the order of the attempts. The forms see the host in lower case and the
// path. The rows are those of seed 003's freshness rules.
var ttls = []struct {
	form func() *regexp.Regexp
	ttl  time.Duration
}{
	// status page
	{lazyregexp.New(`^(?:status|estado)\.|(?i)/(?:status|dashboard|estado-?(?:del)?-?servicio)(?:[/.]|$)`),
		time.Hour},
	// official specification; official gazette, as published
	{lazyregexp.New(`^(?:(?:www\.)?rfc-editor\.org|datatracker\.ietf\.org|[^/]*\.spec\.whatwg\.org)/|` +
		`^(?:www\.)?w3\.org/TR/|^(?:www\.)?boe\.es/(?:diario_boe|boe/dias|eli)/`), 720 * time.Hour},
	// question and answers
	{lazyregexp.New(`^(?:[^/]*\.)?(?:stackoverflow|stackexchange|serverfault|superuser|askubuntu)\.com/`),
		168 * time.Hour},
	// repository
	{lazyregexp.New(`^(?:(?:www\.|raw\.)?(?:github|githubusercontent)\.com|[^/]*\.github\.io)/`), 48 * time.Hour},
	// blog post
	{lazyregexp.New(`^blogs?\.|(?i)/blogs?/`), 168 * time.Hour},
	// news
	{lazyregexp.New(`^(?:news|noticias|prensa)\.|(?i)/(?:news|noticias?|noticies|notici[ae]s?|novas|albisteak|` +
		`actualidad|actualitat|actualidade|notas?-(?:de-)?prensa|sala-(?:de-)?prensa)(?:[/.]|$)`), 24 * time.Hour},
	// API documentation
	{lazyregexp.New(`^(?:api|developers?|docs|apidocs)\.|` +
		`(?i)/(?:api-?docs?|apidocs|swagger(?:-ui)?|openapi|developers?)(?:[/.]|$)`), 72 * time.Hour},
}

const (
	// defaultTTL is the TTL of all other pages: public bodies edit theirs as rarely as the blog posts of the seed's
	// table.
	defaultTTL = 168 * time.Hour
	// failedTTL is the TTL of a failed fetch, the same as that of robots.txt.
	failedTTL = 24 * time.Hour
)

// ttl returns how long a fetch counts as fresh (seed 003, freshness rules).
func ttl(ev *canon.Evidence) time.Duration {
	if !succeeded(ev) {
		return failedTTL
	}
	u := parseURL(addressOf(ev))
	if u == nil {
		return defaultTTL
	}
	address := strings.ToLower(u.Hostname()) + "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	for _, k := range ttls {
		if k.form().MatchString(address) {
			return k.ttl
		}
	}
	return defaultTTL
}

// succeeded reports whether the evidence has content of the page itself.
func succeeded(ev *canon.Evidence) bool {
	return ev.Error == "" && ev.Status >= 200 && ev.Status < 300 && ev.Blocked == "" && ev.Robots != "blocked"
}

// addressOf returns the URL of the content, without its fragment.
func addressOf(ev *canon.Evidence) string {
	last := ""
	if n := len(ev.Hops); n > 0 {
		last = ev.Hops[n-1].URL
	}
	address, _, _ := strings.Cut(cmp.Or(ev.FinalURL, last, ev.Asked, ev.URL), "#")
	return address
}

// fetched returns the time when the content was last fetched or confirmed, the zero time if it is not known.
func fetched(ev *canon.Evidence) time.Time {
	t, _ := time.Parse(time.RFC3339, ev.FetchedAt)
	return t
}

// lifetime returns the recorded TTL of the evidence, else the TTL that it would get now.
func lifetime(ev *canon.Evidence) time.Duration {
	if ev.TTLHours > 0 {
		return time.Duration(ev.TTLHours) * time.Hour
	}
	return ttl(ev)
}

// mayRevalidate reports whether the next request may be conditional (seed 003, cache invalidation). The evidence
// needs content that its validators belong to, at most twice its TTL old. Content from the future comes from a wrong
// clock. A refresh is judged by the page as it is now: it may be a hop.
func mayRevalidate(ev *canon.Evidence, now time.Time) bool {
	if ev == nil || !succeeded(ev) || ev.SHA256 == "" || ev.Method == methodArchive || ev.MetaRefresh != "" {
		return false
	}
	age := now.Sub(fetched(ev))
	return age >= 0 && age <= 2*lifetime(ev)
}

// conditions returns the headers of a conditional request, none if the validators belong to another URL (seed 003,
// "Conditional Fetch"; RFC 9110 section 13.1).
func conditions(ev *canon.Evidence, address string) http.Header {
	h := http.Header{}
	if ev == nil || address != addressOf(ev) {
		return h
	}
	if etagForm().MatchString(ev.ETag) {
		h.Set("If-None-Match", ev.ETag)
	}
	if _, err := http.ParseTime(ev.LastModified); err == nil {
		h.Set("If-Modified-Since", ev.LastModified)
	}
	return h
}

// etagForm is the form of an entity tag (RFC 9110 section 8.8.3). Other values are not sent: evidence may come from a
// file.
var etagForm = lazyregexp.New(`^(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"$`)

// confirm returns the evidence after a 304: content and conclusions stay, fetch time and validators are new (seed
// 003; RFC 9111 section 4.3.4). It reports false if a strong validator shows that the server confirmed other content;
// then a request without conditions is due.
func confirm(ev canon.Evidence, h http.Header, now time.Time) (canon.Evidence, bool) {
	if tag := h.Get("ETag"); tag != "" {
		if isStrong(tag) && isStrong(ev.ETag) && tag != ev.ETag {
			return ev, false
		}
		ev.ETag = tag
	}
	if date := h.Get("Last-Modified"); date != "" {
		ev.LastModified = date
	}
	ev.FetchedAt = now.UTC().Format(time.RFC3339)
	ev.TTLHours = int(ttl(&ev) / time.Hour)
	ev.RetryAfter = ""
	return ev, true
}

// isStrong reports whether an entity tag changes with every byte of the content.
func isStrong(tag string) bool { return tag != "" && !strings.HasPrefix(tag, "W/") }

// unchanged reports whether a fetch returned the same bytes as the earlier one (seed 003: "compare content hash"). Of
// cut bodies only the part that was read is compared.
func unchanged(earlier, now *canon.Evidence) bool {
	return earlier != nil && earlier.SHA256 != "" && earlier.SHA256 == now.SHA256 &&
		addressOf(earlier) == addressOf(now)
}
